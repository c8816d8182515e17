import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database/database';
import { type ExactObject, type ExactValue, isExactObject } from '#libs/exact-json/exact-json';
import { Invalid, NotFound, Outdated } from '#libs/faults/faults';
import { repeatedConstraint } from '#libs/database/violations';
import { unlessTaken, type Written } from './clashes.ts';
import { type Column, columnNamed } from './columns.ts';
import { readCell } from './cells.ts';
import { type Patch, RowReader } from './row-data.ts';
import { insertValues, namedMax, type Reach, RowWriter, tableFull } from './row-writer.ts';
import { type Row, rowOf } from './row.ts';
import { rowIdOf, rowIds, rowIdText } from './row-ids.ts';
import { readTable, type Table } from './table.ts';
import { insertRows, rowsById } from './writes.sql.ts';

/** Rows of a table, and the columns that say how to show them. */
export interface TableRows {
  columns: Column[];
  rows: Row[];
}

/** Where a change goes. */
export interface Place {
  workspaceId: string;
  tableId: string;
}

/** How often columns may change between reading them and writing rows, before a caller is sent away. */
const triesMax = 20;

/** Changes of rows, each whole or not at all. */
@Injectable()
export class RowChanges {
  constructor(private readonly database: Database) {}

  /**
   * Inserts rows at the end of the table. `firstId` makes a repetition find what its first try has written. One round trip
   * reads the columns and one writes; the table is held for the second alone.
   */
  async insert(
    place: Place,
    data: ExactValue[],
    path: (index: number) => string,
    firstId?: string,
  ): Promise<TableRows> {
    const { workspaceId, tableId } = place;
    requireCount(data.length, 'rows');
    for (let tries = 0; tries < triesMax; tries++) {
      const table = await readTable(this.database, workspaceId, tableId);
      const rows = readRows(table, data, path);
      const ids = rowIds(rows.length, firstId);
      const written = { ids, data: rows, path };
      const made = await this.tracing(
        place,
        () => written,
        () =>
          this.insertOnce(workspaceId, table, rows, ids).catch((error: unknown) => {
            if (!repeatedConstraint(error)?.endsWith('_pkey') || firstId === undefined) throw error;
            return this.found(workspaceId, table, ids, error);
          }),
      );
      if (made.length > 0) return { columns: table.columns, rows: made };
      const now = await readTable(this.database, workspaceId, tableId);
      if (now.schemaVersion === table.schemaVersion && now.rowCount + rows.length > now.maxRows)
        throw tableFull(now);
    }
    throw Invalid.field('', 'cannot be written while the columns change all the time', 'conflict');
  }

  /** Changes one row; with `version` only when nobody has changed it since. */
  async update(place: Place, id: string, data: ExactValue, version?: string): Promise<TableRows> {
    let written: Written | undefined;
    return this.tracing(
      place,
      () => written,
      () =>
        this.holding(place, async (writer) => {
          const row = await writer.one(id);
          requireVersion(row, version);
          const [patch] = readChanges(writer.table, [{ data, path: 'data' }]);
          if (!patch) throw new NotFound('row');
          written = { ids: [row.id], data: [patch.set], path: () => 'data' };
          return { columns: writer.table.columns, rows: await writer.update([{ id: row.id, patch }]) };
        }),
    );
  }

  /** Changes rows by their ids, each in its own way. */
  async updateMany(place: Place, updates: ExactValue): Promise<string[]> {
    const changes = readUpdates(updates);
    let written: Written | undefined;
    return this.tracing(
      place,
      () => written,
      () =>
        this.holding(place, async (writer) => {
          const patches = readChanges(
            writer.table,
            changes.map(({ data }, i) => ({ data, path: `updates.${i}.data` })),
          );
          const known = new Set(
            (await writer.byId(changes.map(({ rowId }) => rowId))).map(({ id }) => rowIdText(id)),
          );
          const missing = changes.flatMap(({ rowId }, i) =>
            known.has(rowId)
              ? []
              : [{ path: `updates.${i}.rowId`, message: 'is no row of this table', code: 'unknown_row' }],
          );
          if (missing.length > 0) throw new Invalid(missing);
          const ids = changes.map(({ rowId }) => rowIdOf(rowId) ?? '');
          written = { ids, data: patches.map(({ set }) => set), path: (i) => `updates.${i}.data` };
          await writer.update(ids.map((id, i) => ({ id, patch: patches[i] ?? { set: {}, drop: [] } })));
          return changes.map(({ rowId }) => rowId);
        }),
    );
  }

  /** Gives all rows of a filter the same cells. */
  async updateWhere(place: Place, reach: Reach, data: ExactValue | undefined): Promise<string[]> {
    let written: Written | undefined;
    return this.tracing(
      place,
      () => written,
      () =>
        this.holding(place, async (writer) => {
          const ids = await writer.updateWhere(reach, data, (found, { set }) => {
            written = { ids: found, data: [set], path: () => 'data' };
          });
          return ids.map(rowIdText);
        }),
    );
  }

  /** Inserts a row, or changes the one that has its value in a unique column. */
  async upsert(place: Place, data: ExactValue, target?: string): Promise<TableRows & { inserted: boolean }> {
    let written: Written | undefined;
    return this.tracing(
      place,
      () => written,
      () =>
        this.holding(place, async (writer) => {
          const done = await upsertWith(writer, data, target, (one) => (written = one));
          return { columns: writer.table.columns, ...done };
        }),
    );
  }

  async delete(place: Place, id: string, version?: string): Promise<void> {
    await this.holding(place, async (writer) => {
      const row = await writer.one(id);
      requireVersion(row, version);
      await writer.delete([row.id]);
    });
  }

  /** Deletes rows by their ids; those that are not there are no fault. */
  async deleteMany(place: Place, named: string[]): Promise<string[]> {
    requireCount(named.length, 'rowIds');
    const ids = [...new Set(named.flatMap((id) => rowIdOf(id) ?? []))];
    return this.holding(place, async (writer) => (await writer.delete(ids)).map(rowIdText));
  }

  async deleteWhere(place: Place, reach: Reach): Promise<string[]> {
    return this.holding(place, async (writer) => (await writer.deleteWhere(reach)).map(rowIdText));
  }

  private holding<T>({ workspaceId, tableId }: Place, work: (writer: RowWriter) => Promise<T>): Promise<T> {
    return this.database.within(workspaceId, async (tx) =>
      work(await RowWriter.of(tx, workspaceId, tableId)),
    );
  }

  private tracing<T>(place: Place, written: () => Written | undefined, work: () => Promise<T>): Promise<T> {
    return unlessTaken({ database: this.database, ...place }, written, work);
  }

  private async insertOnce(
    workspaceId: string,
    table: Table,
    rows: ExactObject[],
    ids: string[],
  ): Promise<Row[]> {
    const made = await this.database.statement(workspaceId, insertRows, insertValues(table, rows, ids));
    return made.map(rowOf);
  }

  private async found(workspaceId: string, table: Table, ids: string[], error: unknown): Promise<Row[]> {
    const rows = await this.database.statement(workspaceId, rowsById, [table.no, ids]);
    if (rows.length !== ids.length) throw error;
    return rows.map(rowOf);
  }
}

/** Inserts or changes one row with a writer that holds the table. */
export async function upsertWith(
  writer: RowWriter,
  data: ExactValue,
  target: string | undefined,
  about: (written: Written) => void,
): Promise<{ rows: Row[]; inserted: boolean }> {
  const column = targetColumn(writer.table, target);
  const given = isExactObject(data) ? data[column.name] : undefined;
  const cell = given === undefined || given === null ? undefined : readCell(column.type, given);
  if (isExactObject(data) && !cell)
    throw Invalid.field(`data.${column.name}`, 'is required: it says which row is meant', 'required');
  const id = cell?.fault === undefined && cell ? await writer.idByKey(column.id, cell.value) : undefined;
  if (id === undefined) {
    const [row] = readRows(writer.table, [data], () => 'data');
    const ids = rowIds(1);
    about({ ids, data: row ? [row] : [], path: () => 'data' });
    return { rows: await writer.insert(row ? [row] : [], ids), inserted: true };
  }
  const [patch = { set: {}, drop: [] }] = readChanges(writer.table, [{ data, path: 'data' }]);
  about({ ids: [id], data: [patch.set], path: () => 'data' });
  return { rows: await writer.update([{ id, patch }]), inserted: false };
}

function targetColumn({ columns }: Table, target: string | undefined): Column {
  const unique = columns.filter((column) => column.unique);
  const [only, second] = unique;
  if (target !== undefined) {
    const column = columnNamed(unique, target);
    if (!column)
      throw Invalid.field('conflictTarget', 'is not a unique column of this table', 'unknown_column');
    return column;
  }
  if (only && !second) return only;
  const message = only
    ? 'is required: the table has several unique columns'
    : 'is not possible: no column is unique';
  throw Invalid.field('conflictTarget', message, 'required');
}

/** New rows as they are stored. Throws `Invalid` with every fault of all of them. */
export function readRows(
  { columns }: Table,
  data: ExactValue[],
  path: (index: number) => string,
): ExactObject[] {
  const reader = new RowReader(columns);
  const rows = data.map((one, i) => reader.row(one, path(i)));
  reader.finish();
  return rows;
}

function readChanges({ columns }: Table, given: { data: ExactValue | undefined; path: string }[]): Patch[] {
  const reader = new RowReader(columns);
  const patches = given.map(({ data, path }) => reader.change(data, path));
  reader.finish();
  return patches;
}

function readUpdates(updates: ExactValue): { rowId: string; data: ExactValue }[] {
  if (!Array.isArray(updates)) throw Invalid.field('updates', 'must be a list', 'type');
  requireCount(updates.length, 'updates');
  const seen = new Set<string>();
  return updates.map((update, i) => {
    const { rowId, data = null, ...rest } = isExactObject(update) ? update : {};
    const [unknown] = Object.keys(rest);
    if (unknown !== undefined)
      throw Invalid.field(`updates.${i}.${unknown}`, 'is not a field of this request', 'unknown_field');
    if (typeof rowId !== 'string') throw Invalid.field(`updates.${i}.rowId`, 'must be text', 'type');
    if (seen.has(rowId)) throw Invalid.field(`updates.${i}.rowId`, 'is in the list twice', 'duplicate');
    seen.add(rowId);
    return { rowId, data };
  });
}

function requireCount(count: number, path: string): void {
  if (count === 0) throw Invalid.field(path, 'must have at least one item', 'length');
  if (count > namedMax)
    throw Invalid.field(path, `must have at most ${namedMax} items, not ${count}`, 'too_many');
}

function requireVersion({ version }: Row, expected: string | undefined): void {
  if (expected !== undefined && expected !== version)
    throw new Outdated('The row has changed since it was read; read it again.');
}
