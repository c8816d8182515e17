import { Injectable } from '@nestjs/common';
import { Database, setLocal } from '#libs/platform/database/database';
import { sqlState } from '#libs/platform/database/violations';
import { exactJson, type ExactValue } from '#libs/platform/json/exact-json';
import { Invalid, NotFound, Unavailable } from '#libs/platform/errors/errors';
import { type CursorPosition, Cursors } from '#libs/platform/cursors/cursor';
import {
  type Aggregate,
  type AggregateInput,
  aggregateSql,
  toGroups,
  isSlottedAggregate,
  readAggregate,
} from './aggregate.ts';
import { everything, type RowFilter, readFilter } from '../filters/filter.ts';
import { Parameters } from '../filters/filter.sql.ts';
import { buildCondition } from '../schema/index.sql.ts';
import { type StoredRow, rowColumns, toRow } from './row.ts';
import { parseRowId } from './row-ids.ts';
import type { TableRows } from '../writes/row-operations.ts';
import type { TableRef } from '../writes/row-changes.ts';
import { countFrameBytes, pageSql, buildSettings, getSortValues } from './page.sql.ts';
import { slotCosts } from '../schema/slots.ts';
import { readSort, type SortKey, wrongCell } from '../filters/sort.ts';
import { readTable, type Table } from '../schema/table.ts';
import { rowsById } from '../writes/writes.sql.ts';

export interface RowQuery {
  filter?: ExactValue;
  sort?: ExactValue;
  limit: number;
  offset: number;
  /** The `nextCursor` of the previous page, in place of an offset. */
  cursor?: string;
}

export interface RowPage extends TableRows {
  totalCount: number;
  nextCursor: string | null;
  /** The version of the table that the page shows. */
  version: string;
}

/** The maximum number of tries when columns change between their reading and the reading of rows. Then the call fails with `Unavailable`. */
const triesMax = 20;
/** The maximum length of sort values in a cursor. A cursor must fit into a URL, so longer values are left out. */
const cursorCharsMax = 3000;

/** Reads rows. The rows, the count and the version of a response show the same moment. */
@Injectable()
export class Rows {
  constructor(
    private readonly database: Database,
    private readonly cursors: Cursors,
  ) {}

  async get({ workspaceId, tableId }: TableRef, id: string): Promise<TableRows> {
    const { no, columns } = await readTable(this.database, workspaceId, tableId);
    const uuid = parseRowId(id);
    const [row] = uuid ? await this.database.statement(workspaceId, rowsById, [no, [uuid]]) : [];
    if (!row) throw new NotFound('row');
    return { columns, rows: [toRow(row)] };
  }

  list(place: TableRef, query: RowQuery): Promise<RowPage> {
    const { workspaceId } = place;
    if (query.cursor !== undefined && query.offset > 0)
      throw Invalid.field('offset', 'must be left out when there is a cursor', 'conflict');
    return this.steady(place, async (table) => {
      const filter = query.filter === undefined ? everything : readFilter(table.columns, query.filter);
      const keys = query.sort === undefined ? [] : readSort(table.columns, query.sort);
      const scope = toScope(table, query, keys);
      const after = await this.after(workspaceId, table, keys, this.cursors.open(query.cursor, scope));
      const parameters = new Parameters([table.id, table.schemaVersion, table.no]);
      const { limit, offset } = query;
      const frameBytes = countFrameBytes(table.columns);
      const page = { workspaceId, filter, keys, after, limit, offset, frameBytes };
      const text = pageSql(page, parameters);
      const results = await this.database.batch(workspaceId, [
        ...buildSettings(page),
        [text, parameters.values, 'shaped by a caller'],
      ]);
      const found = results.at(-1) ?? [];
      const [first] = found;
      if (!first) return null;
      const rows = found.filter(({ id }) => id !== null).map(toRow);
      const last = rows.at(-1);
      const more = last !== undefined && Number(first['fetched']) > rows.length;
      return {
        columns: table.columns,
        rows,
        totalCount: Number(first['total']),
        version: String(first['table_version']),
        nextCursor: more ? this.cursors.seal(toPosition(keys, last), scope) : null,
      };
    });
  }

  async aggregate(place: TableRef, input: AggregateInput) {
    return this.steady(place, async (table) => {
      const filter = input.filter === undefined ? everything : readFilter(table.columns, input.filter);
      const aggregate = readAggregate(table.columns, input);
      return this.groups(place.workspaceId, table, filter, aggregate);
    });
  }

  /** Tries the fast statement first. The exact one takes twice as long; only cells of a wrong type, or too long for a slot, need it. */
  private async groups(workspaceId: string, table: Table, filter: RowFilter, aggregate: Aggregate) {
    try {
      const lines = await this.readLines(workspaceId, table, filter, aggregate, true);
      if (!lines.some(({ doubt }) => doubt === true)) return toGroupsOrNull(aggregate, lines);
    } catch (error) {
      if (sqlState(error) !== wrongCell) throw error;
    }
    return toGroupsOrNull(aggregate, await this.readLines(workspaceId, table, filter, aggregate, false));
  }

  private async readLines(
    workspaceId: string,
    table: Table,
    filter: RowFilter,
    aggregate: Aggregate,
    isFast: boolean,
  ): Promise<Record<string, unknown>[]> {
    const parameters = new Parameters([table.id, table.schemaVersion, table.no]);
    const text = aggregateSql(aggregate, buildCondition(filter, parameters), parameters, isFast);
    const results = await this.database.batch(workspaceId, [
      // The planner expects a group for each row. With its default settings it would sort all rows, or write groups to the disk.
      setLocal('enable_sort', 'off'),
      setLocal('work_mem', '32MB'),
      setLocal('parallel_tuple_cost', '0'),
      ...(isFast && isSlottedAggregate(aggregate, filter) ? [slotCosts] : []),
      [text, parameters.values, 'shaped by a caller'],
    ]);
    return results.at(-1) ?? [];
  }

  /** Runs the work with the current columns. Runs it again when it returns null, because the columns have changed meanwhile. */
  private async steady<T>(
    { workspaceId, tableId }: TableRef,
    work: (table: Table) => Promise<T | null>,
  ): Promise<T> {
    for (let tries = 0; tries < triesMax; tries++) {
      const result = await work(await readTable(this.database, workspaceId, tableId));
      if (result !== null) return result;
    }
    throw new Unavailable('The columns of the table change all the time; send the request again.');
  }

  /** The sort values and the position after which a page begins. Values that are not in the cursor are read from the row. */
  private async after(workspaceId: string, table: Table, keys: SortKey[], cursor: CursorPosition | null) {
    if (!cursor) return null;
    if (cursor.at) return { values: JSON.parse(cursor.at) as (string | null)[], position: cursor.id };
    const sql = `select ${rowColumns} from table_rows r where r.table_no = $1 and r.position = $2`;
    const [row] = await this.database.statement(workspaceId, sql, [table.no, cursor.id]);
    if (!row) throw Invalid.field('cursor', 'ended at a row that is gone; begin again', 'cursor');
    return { values: getSortValues(keys, toRow(row)), position: cursor.id };
  }
}

/** The scope of a cursor. It contains ids and types of the sort columns, because a later column with the same name may have another type. */
function toScope({ id }: Table, { filter = {}, sort = {} }: RowQuery, keys: SortKey[]): string {
  const order = keys.map(({ field }) => `${field.column ?? ''} ${field.type}`);
  return `rows ${id} ${exactJson(filter)} ${exactJson(sort)} ${order.join()}`;
}

/** The groups in the lines. Returns null when the columns have changed since they were read. */
function toGroupsOrNull(aggregate: Aggregate, lines: Record<string, unknown>[]) {
  return lines.length === 0 ? null : toGroups(aggregate, lines);
}

function toPosition(keys: SortKey[], row: StoredRow): CursorPosition {
  const at = JSON.stringify(getSortValues(keys, row));
  return { at: at.length > cursorCharsMax ? '' : at, id: row.position };
}
