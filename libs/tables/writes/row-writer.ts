import type { EntityManager } from 'typeorm';
import { send } from '#libs/platform/database/database';
import { exactJson, type ExactObject, type ExactValue } from '#libs/platform/json/exact-json';
import { Invalid, NotFound } from '#libs/platform/errors/errors';
import { indexedIds } from '../schema/columns.ts';
import { everything, type RowFilter, isEmptyFilter, readFilter } from '../filters/filter.ts';
import { Parameters } from '../filters/filter.sql.ts';
import { conditionOf } from '../schema/index.sql.ts';
import { noPatch, parsePatches, type Patch, rowBytesMax } from './row-parser.ts';
import { type Row, rowOf } from '../reads/row.ts';
import { rowIdOf } from '../reads/row-ids.ts';
import { lockTable, type Table } from '../schema/table.ts';
import type { WrittenRows } from './taken-values.ts';
import * as sql from './writes.sql.ts';
import { duplicate } from './row-details.ts';

/** Rows that one call may name, and that one call may reach by a filter. */
export const namedMax = 1000;
export const reachedMax = 10_000;

/** The rows of a change: those of a filter, or all of them with `all`. */
export interface RowReach {
  filter?: ExactValue;
  all?: boolean;
}

/** Writes rows of one table within a transaction. It holds the table, so there is no other writer until the end. */
export class RowWriter {
  private readonly unique: string[];
  private readonly indexed: string[];
  /** The last rows that the operation wrote. A taken value is traced to them. */
  written: WrittenRows | undefined;

  private constructor(
    private readonly tx: EntityManager,
    readonly table: Table,
    private readonly executionId: string | null,
  ) {
    this.unique = uniqueColumns(table);
    this.indexed = indexedIds(table.columns);
  }

  /** Rows that it writes name the execution, if there is one. Throws `NotFound` when there is no such table. */
  static async openTable(
    tx: EntityManager,
    workspaceId: string,
    tableId: string,
    executionId: string | null = null,
  ): Promise<RowWriter> {
    return new RowWriter(tx, await lockTable(tx, workspaceId, tableId), executionId);
  }

  /** An operation notes what it writes before it does. */
  noteWrite(written: WrittenRows): void {
    this.written = written;
  }

  async writeNewRows(rows: ExactObject[], ids: string[]): Promise<Row[]> {
    if (rows.length === 0) return [];
    const made = await send(
      this.tx,
      sql.insertRows,
      insertValues(this.table, { rows, ids, executionId: this.executionId }),
    );
    if (made.length === 0) throw tableFull(this.table);
    return made.map(rowOf);
  }

  /** Changes rows, each in its own way. Values of unique columns may change places among them. */
  async updateRows(changes: { id: string; patch: Patch }[]): Promise<Row[]> {
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
    return rows.map(rowOf);
  }

  /** Changes all rows of the filter alike, and gives their ids. */
  async updateWhere(reach: RowReach, data: ExactValue | undefined): Promise<string[]> {
    const [patch = noPatch] = parsePatches(this.table.columns, [{ data, path: 'data' }]);
    const ids = await this.idsOf(reach);
    if (ids.length === 0) return ids;
    this.noteWrite({ ids, data: [patch.set], paths: ['data'] });
    const touched = touchedBy([patch], this.unique);
    const repeated = ids.length > 1 ? touched.find((id) => Object.hasOwn(patch.set, id)) : undefined;
    if (repeated) throw this.repeats(repeated, ids.length);
    const values = [this.table.id, this.table.no, ids, exactJson(patch.set), patch.drop, this.executionId];
    const [largest] = await this.keyed(ids, [patch], () => send(this.tx, sql.updateAlike, values));
    requireSize(Number(largest?.['bytes']));
    return ids;
  }

  async deleteRows(ids: string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const values = [this.table.id, this.table.no, ids, this.indexed];
    const gone = await send(this.tx, sql.deleteRows, values);
    return gone.map(({ id }) => String(id));
  }

  async deleteWhere(reach: RowReach): Promise<string[]> {
    const ids = await this.idsOf(reach);
    await this.deleteRows(ids);
    return ids;
  }

  /** Rows by their ids as callers write them; an id that is none finds nothing. */
  async byId(ids: string[]): Promise<Row[]> {
    const uuids = ids.flatMap((id) => rowIdOf(id) ?? []);
    return (await send(this.tx, sql.rowsById, [this.table.no, uuids])).map(rowOf);
  }

  async one(id: string): Promise<Row> {
    const [row] = await this.byId([id]);
    if (!row) throw new NotFound('row');
    return row;
  }

  /** The id of the row that has the value in a unique column. */
  async idByKey(columnId: string, value: ExactValue): Promise<string | undefined> {
    const [row] = await send(this.tx, sql.rowByKey, [this.table.no, columnId, exactJson(value)]);
    return row && String(row['id']);
  }

  private async idsOf(reach: RowReach): Promise<string[]> {
    const filter = reachOf(this.table, reach);
    const parameters = new Parameters([this.table.id, reachedMax + 1, this.table.no]);
    const where = conditionOf(filter, parameters);
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

  /** Writes rows, with the unique values and the index of the columns that the changes touch taken out before and put in after. */
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

/** The columns that any of the changes touches. */
function touchedBy(patches: Patch[], columns: string[]): string[] {
  return columns.filter((id) => patches.some(({ set, drop }) => Object.hasOwn(set, id) || drop.includes(id)));
}

/** The filter of a change, which must not reach every row by being left out. */
export function reachOf({ columns }: Table, { filter, all }: RowReach): RowFilter {
  if (!isEmptyFilter(filter)) return readFilter(columns, filter ?? null);
  if (all === true) return everything;
  throw Invalid.field('filter', 'must have a condition; all: true means every row', 'required');
}

export function uniqueColumns({ columns }: Table): string[] {
  return columns.filter(({ unique }) => unique).map(({ id }) => id);
}

export interface RowInsert {
  rows: ExactObject[];
  ids: string[];
  /** With which call each row came, from 1; left out, all came with one. */
  calls?: number[];
  executionId?: string | null;
}

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
