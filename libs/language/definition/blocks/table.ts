import * as shape from '../shapes/shape.ts';
import type { Shape } from '../shapes/shape.ts';
import {
  type EffectBase,
  type EffectKind,
  type RawBlock,
  outputCount,
  outputObject,
  outputObjects,
  outputText,
} from './kind.ts';

export const tableOperations = ['query', 'get', 'insert', 'upsert', 'update', 'delete', 'aggregate'] as const;
export type TableOperation = (typeof tableOperations)[number];

/** The name or the id of a table. */
const table = shape.text({ min: 1, max: 1000 });
const column = shape.text({ min: 1, max: 200 });
/** The table checks what these come to, and names the fault. */
const checkedByTable = (written: Shape) => shape.rendered(written, shape.json);
const columns = checkedByTable(
  shape.templated('an object of columns and values', shape.record(column, shape.json, { max: 1000 })),
);
const filter = checkedByTable(
  shape.templated('an object of conditions', shape.record(column, shape.json, { max: 100 })),
);
const sort = checkedByTable(
  shape.templated('an object of columns and directions', shape.record(column, shape.json, { max: 5 })),
);
const id = shape.text({ min: 1, max: 1000 });
const rowId = shape.nullable(id);
const count = (min: number, max: number) =>
  shape.nullable(shape.templated('a whole number', shape.number({ min, max })));
const flag = shape.nullable(shape.templated('true or false', shape.boolean));
const operation = <const T extends TableOperation>(name: T) => ({ operation: shape.choice([name]), table });

const operations = {
  query: shape.object(operation('query'), {
    filter,
    sort,
    limit: count(1, 1000),
    offset: count(0, Number.MAX_SAFE_INTEGER),
    cursor: shape.nullable(shape.text({ max: 8000 })),
  }),
  get: shape.object({ ...operation('get'), rowId }),
  insert: shape.object(operation('insert'), {
    data: columns,
    rows: shape.rendered(
      shape.templated('a list of rows', shape.list(columns, { max: 1000 })),
      shape.nullable(shape.list(shape.json, { max: Infinity })),
    ),
  }),
  upsert: shape.object({ ...operation('upsert'), data: columns }, { conflictTarget: shape.nullable(column) }),
  update: shape.object({ ...operation('update'), data: columns }, { rowId, filter, all: flag }),
  delete: shape.object(operation('delete'), {
    rowId,
    rowIds: shape.rendered(
      shape.templated('a list of ids', shape.list(id, { max: 1000 })),
      shape.nullable(shape.list(id, { max: Infinity })),
    ),
    filter,
    all: flag,
  }),
  aggregate: shape.object(
    { ...operation('aggregate'), aggregates: columns },
    {
      filter,
      groupBy: shape.nullable(shape.templated('a list of columns', shape.list(column, { max: 2 }))),
    },
  ),
} satisfies Record<TableOperation, Shape>;

const params = shape.variant('operation', operations);

/** A block that reads or writes the rows of one table of the workspace. */
export interface TableBlock extends EffectBase {
  type: 'table';
  params: shape.ValueOf<typeof params>;
}

const row = outputObject;
const texts = shape.list(outputText, { max: Infinity });
/** The output of the block for each operation. */
const outputs: Record<TableOperation, Record<string, Shape>> = {
  query: { rows: outputObjects, rowCount: outputCount, totalCount: shape.json, nextCursor: shape.json },
  get: { row: shape.json },
  insert: { row, rows: outputObjects, insertedCount: outputCount },
  upsert: { row, operation: outputText },
  update: { row: shape.json, updatedCount: outputCount, updatedRowIds: texts },
  delete: { deletedCount: outputCount, deletedRowIds: texts },
  aggregate: { groups: outputObjects, hasMore: shape.boolean },
};

function operationOf(block: RawBlock): TableOperation | undefined {
  const name = shape.isObject(block.params) ? block.params['operation'] : undefined;
  return tableOperations.find((one) => one === name);
}

export const tableKind: EffectKind<TableBlock> = {
  members: { params },
  sample: {
    type: 'table',
    params: { operation: 'insert', table: 'leads', data: { score: '{{ start.n }}' } },
  },
  outputs: (block) => outputs[operationOf(block) ?? 'query'],
  effect: { queue: 'io', timeoutMs: 30_000, keeps: true },
};
