import type { Json, JsonObject } from '#libs/platform/json/json';

import * as shape from '../shapes/shape.ts';
import type { Shape } from '../shapes/shape.ts';
import { type EffectBase, type EffectKind, type RawBlock } from './kind.ts';

export const tableOperations = ['query', 'get', 'insert', 'upsert', 'update', 'delete', 'aggregate'] as const;
export type TableOperation = (typeof tableOperations)[number];

/** A block that reads or writes the rows of one table of the workspace. */
export interface TableBlock extends EffectBase {
  type: 'table';
  params: JsonObject & { operation: TableOperation; table: string };
}

/** The name or the id of a table. */
const table = shape.text({ min: 1, max: 1000 });
const column = shape.text({ min: 1, max: 200 });
const columns = shape.templated(
  'an object of columns and values',
  shape.record(column, shape.json, { max: 1000 }),
);
const filter = shape.templated('an object of conditions', shape.record(column, shape.json, { max: 100 }));
const id = shape.text({ min: 1, max: 1000 });
const count = (min: number, max: number) => shape.templated('a whole number', shape.number({ min, max }));
const flag = shape.templated('true or false', shape.boolean);

function operation(
  name: TableOperation,
  required: Record<string, Shape>,
  optional: Record<string, Shape> = {},
): Shape {
  return shape.object({ operation: shape.choice([name]), table, ...required }, optional);
}

const operations: Record<TableOperation, Shape> = {
  query: operation(
    'query',
    {},
    {
      filter,
      sort: shape.templated(
        'an object of columns and directions',
        shape.record(column, shape.json, { max: 5 }),
      ),
      limit: count(1, 1000),
      offset: count(0, Number.MAX_SAFE_INTEGER),
      cursor: shape.text({ max: 8000 }),
    },
  ),
  get: operation('get', { rowId: id }),
  insert: operation(
    'insert',
    {},
    {
      data: columns,
      rows: shape.templated('a list of rows', shape.list(columns, { max: 1000 })),
    },
  ),
  upsert: operation('upsert', { data: columns }, { conflictTarget: column }),
  update: operation('update', { data: columns }, { rowId: id, filter, all: flag }),
  delete: operation(
    'delete',
    {},
    {
      rowId: id,
      rowIds: shape.templated('a list of ids', shape.list(id, { max: 1000 })),
      filter,
      all: flag,
    },
  ),
  aggregate: operation(
    'aggregate',
    { aggregates: columns },
    {
      filter,
      groupBy: shape.templated('a list of columns', shape.list(column, { max: 2 })),
    },
  ),
};

/** The output of the block for each operation. */
const outputs: Record<TableOperation, string[]> = {
  query: ['rows', 'rowCount', 'totalCount', 'nextCursor'],
  get: ['row'],
  insert: ['row', 'rows', 'insertedCount'],
  upsert: ['row', 'operation'],
  update: ['row', 'updatedCount', 'updatedRowIds'],
  delete: ['deletedCount', 'deletedRowIds'],
  aggregate: ['groups', 'hasMore'],
};

function operationOf({ params }: RawBlock): TableOperation | undefined {
  const name: Json | undefined = shape.isObject(params) ? (params['operation'] as Json) : undefined;
  return tableOperations.find((one) => one === name);
}

export const tableKind: EffectKind<TableBlock> = {
  members: { params: shape.variant('operation', operations) },
  sample: {
    type: 'table',
    params: { operation: 'insert', table: 'leads', data: { score: '{{ start.n }}' } },
  },
  outputs: (block) => outputs[operationOf(block) ?? 'query'],
  effect: { queue: 'io', timeoutMs: 30_000, keeps: true },
};
