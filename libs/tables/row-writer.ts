import type { EntityManager } from 'typeorm';
import { send } from '#libs/database/database';
import { exactJson, type ExactObject, type ExactValue } from '#libs/exact-json/exact-json';
import { Invalid, NotFound } from '#libs/faults/faults';
import { everything, type Filter, isEmptyFilter, readFilter } from './filter.ts';
import { Parameters, whereOf } from './filter.sql.ts';
import { type Patch, rowBytesMax, RowReader } from './row-data.ts';
import { type Row, rowOf } from './row.ts';
import { rowIdOf, rowIds } from './row-ids.ts';
import { lockTable, type Table } from './table.ts';
import * as sql from './writes.sql.ts';

/** Rows that one call may name, and that one call may reach by a filter. */
export const namedMax = 1000;
export const reachedMax = 10_000;

/** Which rows a change means: those of a filter, or all of them when that was said. */
export interface Reach {
  filter?: ExactValue;
  all?: boolean;
}

/** Writes rows of one table within a transaction. It holds the table, so there is no other writer until the end. */
export class RowWriter {
  private readonly unique: string[];

  private constructor(
    private readonly tx: EntityManager,
    readonly table: Table,
  ) {
    this.unique = uniqueColumns(table);
  }

  /** Throws `NotFound` when there is no such table. */
  static async of(tx: EntityManager, workspaceId: string, tableId: string): Promise<RowWriter> {
    return new RowWriter(tx, await lockTable(tx, workspaceId, tableId));
  }

  async insert(rows: ExactObject[], ids = rowIds(rows.length)): Promise<Row[]> {
    if (rows.length === 0) return [];
    const made = await send(this.tx, sql.insertRows, insertValues(this.table, rows, ids));
    if (made.length === 0) throw tableFull(this.table);
    return made.map(rowOf);
  }

  /** Changes rows, each in its own way. Values of unique columns may change places among them. */
  async update(changes: { id: string; patch: Patch }[]): Promise<Row[]> {
    const ids = changes.map(({ id }) => id);
    const touched = this.touched(changes.map(({ patch }) => patch));
    if (touched.length > 0) await send(this.tx, sql.dropKeys, [this.table.no, ids, touched]);
    const patches = exactJson(changes.map(({ patch }) => patch));
    const rows = await send(this.tx, sql.updateRows, [this.table.id, this.table.no, ids, patches]);
    for (const { bytes } of rows) requireSize(Number(bytes));
    if (touched.length > 0) await send(this.tx, sql.addKeys, [this.table.no, ids, touched]);
    return rows.map(rowOf);
  }

  /** Changes all rows of the filter alike, and gives their ids. */
  async updateWhere(
    reach: Reach,
    data: ExactValue | undefined,
    about: (ids: string[], patch: Patch) => void,
  ): Promise<string[]> {
    const reader = new RowReader(this.table.columns);
    const patch = reader.change(data, 'data');
    reader.finish();
    const ids = await this.idsOf(reach);
    if (ids.length === 0) return ids;
    about(ids, patch);
    const touched = this.touched([patch]);
    const repeated = ids.length > 1 ? touched.find((id) => Object.hasOwn(patch.set, id)) : undefined;
    if (repeated) throw this.repeats(repeated, ids.length);
    if (touched.length > 0) await send(this.tx, sql.dropKeys, [this.table.no, ids, touched]);
    const values = [this.table.id, this.table.no, ids, exactJson(patch.set), patch.drop];
    const [largest] = await send(this.tx, sql.updateAlike, values);
    requireSize(Number(largest?.['bytes']));
    if (touched.length > 0) await send(this.tx, sql.addKeys, [this.table.no, ids, touched]);
    return ids;
  }

  async delete(ids: string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const gone = await send(this.tx, sql.deleteRows, [this.table.id, this.table.no, ids]);
    return gone.map(({ id }) => String(id));
  }

  async deleteWhere(reach: Reach): Promise<string[]> {
    const ids = await this.idsOf(reach);
    await this.delete(ids);
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

  private async idsOf(reach: Reach): Promise<string[]> {
    const filter = reachOf(this.table, reach);
    const parameters = new Parameters([this.table.no, reachedMax + 1]);
    const where = whereOf(filter, parameters);
    const text = `select r.id from table_rows r where r.table_no = $1 and ${where} order by r.position limit $2`;
    const rows = await send(this.tx, text, parameters.values, 'shaped by a caller');
    if (rows.length > reachedMax)
      throw Invalid.field(
        'filter',
        `matches more than ${reachedMax} rows; one call changes ${reachedMax} at most`,
        'too_many',
      );
    return rows.map(({ id }) => String(id));
  }

  /** The unique columns that any of the changes touches. */
  private touched(patches: Patch[]): string[] {
    return this.unique.filter((id) =>
      patches.some(({ set, drop }) => Object.hasOwn(set, id) || drop.includes(id)),
    );
  }

  private repeats(columnId: string, count: number): Invalid {
    const name = this.table.columns.find(({ id }) => id === columnId)?.name;
    return Invalid.field(`data.${name}`, `is unique, and the filter matches ${count} rows`, 'duplicate');
  }
}

/** The filter of a change, which must not reach every row by being left out. */
export function reachOf({ columns }: Table, { filter, all }: Reach): Filter {
  if (!isEmptyFilter(filter)) return readFilter(columns, filter ?? null);
  if (all === true) return everything;
  throw Invalid.field('filter', 'must have a condition; all: true means every row', 'required');
}

export function uniqueColumns({ columns }: Table): string[] {
  return columns.filter(({ unique }) => unique).map(({ id }) => id);
}

export function insertValues(table: Table, rows: ExactObject[], ids: string[]): unknown[] {
  return [table.id, table.schemaVersion, rows.length, ids, exactJson(rows), uniqueColumns(table)];
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
