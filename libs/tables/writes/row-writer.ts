import type { EntityManager } from 'typeorm';
import { send } from '#libs/platform/database/database';
import { exactJson, type ExactObject, type ExactValue } from '#libs/platform/json/exact-json';
import { Invalid, NotFound } from '#libs/platform/errors/errors';
import { indexedIds } from '../schema/columns.ts';
import { everything, type RowFilter, isEmptyFilter, readFilter } from '../filters/filter.ts';
import { Parameters } from '../filters/filter.sql.ts';
import { buildCondition } from '../schema/index.sql.ts';
import { noPatch, parsePatches, type Patch, rowBytesMax } from './row-parser.ts';
import { type StoredRow, toRow } from '../reads/row.ts';
import { parseRowId } from '../reads/row-ids.ts';
import { lockTable, type Table } from '../schema/table.ts';
import type { RowsToWrite } from './taken-values.ts';
import * as sql from './writes.sql.ts';
import { duplicate } from './row-details.ts';

/** The maximum number of rows that one call names in a list. */
export const namedMax = 1000;
/** The maximum number of rows that one call changes by a filter. */
export const reachedMax = 10_000;

/** The rows of a change: the rows that a filter matches, or all rows with `all`. */
export interface RowReach {
  filter?: ExactValue;
  all?: boolean;
}

/** Writes rows of a table within a transaction. It holds the lock of the table, so no other writer changes rows before its end. */
export class RowWriter {
  private readonly unique: string[];
  private readonly indexed: string[];
  /** The rows that the operation writes, or wrote last. `explainTaken` finds a taken value among them. */
  rowsToWrite: RowsToWrite | undefined;

  private constructor(
    private readonly tx: EntityManager,
    readonly table: Table,
    private readonly executionId: string | null,
  ) {
    this.unique = uniqueColumns(table);
    this.indexed = indexedIds(table.columns);
  }

  /** Locks the table until the end of the transaction. `executionId` is stored in written rows. Throws `NotFound` without the table. */
  static async openTable(
    tx: EntityManager,
    workspaceId: string,
    tableId: string,
    executionId: string | null = null,
  ): Promise<RowWriter> {
    return new RowWriter(tx, await lockTable(tx, workspaceId, tableId), executionId);
  }

  /** Each operation calls this before it writes, because a failed statement does not say which rows it wrote. */
  setRowsToWrite(rows: RowsToWrite): void {
    this.rowsToWrite = rows;
  }

  /** Inserts rows at the end, and returns them in their order. Throws `Invalid` when the table has no room for all of them. */
  async writeNewRows(rows: ExactObject[], ids: string[]): Promise<StoredRow[]> {
    if (rows.length === 0) return [];
    const made = await send(
      this.tx,
      sql.insertRows,
      insertValues(this.table, { rows, ids, executionId: this.executionId }),
    );
    if (made.length === 0) throw tableFull(this.table);
    return made.map(toRow);
  }

  /** Changes each row with its own patch. Rows may exchange their values of a unique column. Throws `Invalid` for a row that is too large. */
  async updateRows(changes: { id: string; patch: Patch }[]): Promise<StoredRow[]> {
    const ids = changes.map(({ id }) => id);
    const patches = changes.map(({ patch }) => patch);
    const rows = await this.keyed(ids, patches, () =>
      send(this.tx, sql.updateRows, [
        this.table.id,
        this.table.no,
        ids,
        exactJson(patches),
        this.executionId,
      ]),
    );
    for (const { bytes } of rows) requireSize(Number(bytes));
    return rows.map(toRow);
  }

  /** Writes the same cells into all rows that the filter matches, and returns their ids. Throws `Invalid`, also for too many rows. */
  async updateWhere(reach: RowReach, data: ExactValue | undefined): Promise<string[]> {
    const [patch = noPatch] = parsePatches(this.table.columns, [{ data, path: 'data' }]);
    const ids = await this.findIds(reach);
    if (ids.length === 0) return ids;
    this.setRowsToWrite({ ids, data: [patch.set], paths: ['data'] });
    const touched = touchedBy([patch], this.unique);
    const repeated = ids.length > 1 ? touched.find((id) => Object.hasOwn(patch.set, id)) : undefined;
    if (repeated) throw this.repeats(repeated, ids.length);
    const values = [this.table.id, this.table.no, ids, exactJson(patch.set), patch.drop, this.executionId];
    const [largest] = await this.keyed(ids, [patch], () => send(this.tx, sql.updateAlike, values));
    requireSize(Number(largest?.['bytes']));
    return ids;
  }

  /** Deletes rows, and returns the ids of the deleted rows. Unknown ids are ignored. */
  async deleteRows(ids: string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const values = [this.table.id, this.table.no, ids, this.indexed];
    const gone = await send(this.tx, sql.deleteRows, values);
    return gone.map(({ id }) => String(id));
  }

  /** Deletes the rows that the filter matches, and returns their ids. Throws `Invalid` for a wrong filter or too many rows. */
  async deleteWhere(reach: RowReach): Promise<string[]> {
    const ids = await this.findIds(reach);
    await this.deleteRows(ids);
    return ids;
  }

  /** The rows with these ids, by position. Ids have the form `row_…`; malformed and unknown ids find nothing. */
  async byId(ids: string[]): Promise<StoredRow[]> {
    const uuids = ids.flatMap((id) => parseRowId(id) ?? []);
    return (await send(this.tx, sql.rowsById, [this.table.no, uuids])).map(toRow);
  }

  /** The row with this id. Throws `NotFound` when there is none. */
  async requireRow(id: string): Promise<StoredRow> {
    const [row] = await this.byId([id]);
    if (!row) throw new NotFound('row');
    return row;
  }

  /** The id of the row that has the value in a unique column. */
  async idByKey(columnId: string, value: ExactValue): Promise<string | undefined> {
    const [row] = await send(this.tx, sql.rowByKey, [this.table.no, columnId, exactJson(value)]);
    return row && String(row['id']);
  }

  private async findIds(reach: RowReach): Promise<string[]> {
    const filter = parseReach(this.table, reach);
    const parameters = new Parameters([this.table.id, reachedMax + 1, this.table.no]);
    const where = buildCondition(filter, parameters);
    const text = `select r.id from table_rows r where r.table_no = $3::bigint and $1::text is not null and ${where}
      order by r.position limit $2::int`;
    const rows = await send(this.tx, text, parameters.values, 'shaped by a caller');
    if (rows.length > reachedMax)
      throw Invalid.field(
        'filter',
        `matches more than ${reachedMax} rows; one call changes ${reachedMax} at most`,
        'too_many',
      );
    return rows.map(({ id }) => String(id));
  }

  /** Deletes unique values and index entries of the changed columns, runs `write`, and writes them again from the changed rows. */
  private async keyed<T>(ids: string[], patches: Patch[], write: () => Promise<T>): Promise<T> {
    const unique = touchedBy(patches, this.unique);
    const indexed = touchedBy(patches, this.indexed);
    const { no } = this.table;
    if (unique.length > 0) await send(this.tx, sql.dropKeys, [no, ids, unique]);
    if (indexed.length > 0) await send(this.tx, sql.dropIndexed, [no, ids, indexed]);
    const written = await write();
    if (unique.length > 0) await send(this.tx, sql.addKeys, [no, ids, unique]);
    if (indexed.length > 0) await send(this.tx, sql.addIndexed, [no, ids, indexed]);
    return written;
  }

  private repeats(columnId: string, count: number): Invalid {
    const name = this.table.columns.find(({ id }) => id === columnId)?.name;
    const message = `is unique, and the filter matches ${count} rows`;
    return new Invalid([{ path: `data.${name}`, message, code: 'duplicate' }], undefined, duplicate);
  }
}

/** The columns that at least one patch changes. */
function touchedBy(patches: Patch[], columns: string[]): string[] {
  return columns.filter((id) => patches.some(({ set, drop }) => Object.hasOwn(set, id) || drop.includes(id)));
}

/** The filter of a change. Throws `Invalid` for an empty filter without `all`, so that no change reaches all rows by mistake. */
export function parseReach({ columns }: Table, { filter, all }: RowReach): RowFilter {
  if (!isEmptyFilter(filter)) return readFilter(columns, filter ?? null);
  if (all === true) return everything;
  throw Invalid.field('filter', 'must have a condition; all: true means every row', 'required');
}

/** The ids of the unique columns. */
export function uniqueColumns({ columns }: Table): string[] {
  return columns.filter(({ unique }) => unique).map(({ id }) => id);
}

export interface RowInsert {
  rows: ExactObject[];
  ids: string[];
  /** The number of the call of each row, ascending from 1. Without it, all rows belong to one call. */
  calls?: number[];
  executionId?: string | null;
}

/** The parameters of the statement `insertRows`. */
export function insertValues(
  table: Table,
  { rows, ids, calls = rows.map(() => 1), executionId = null }: RowInsert,
): unknown[] {
  return [
    table.id,
    table.schemaVersion,
    rows.length,
    ids,
    exactJson(rows),
    uniqueColumns(table),
    indexedIds(table.columns),
    calls,
    executionId,
  ];
}

/** The error for rows that would exceed the maximum number of rows of the table. */
export function tableFull({ maxRows }: Table): Invalid {
  return Invalid.field('', `the table may have ${maxRows} rows, and has no room for these`, 'max_rows');
}

function requireSize(bytes: number): void {
  if (bytes > rowBytesMax)
    throw Invalid.field(
      'data',
      `makes a row of ${bytes} bytes; a row has ${rowBytesMax} at most`,
      'too_large',
    );
}
