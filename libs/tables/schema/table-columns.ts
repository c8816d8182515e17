import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { allowStatements, Database, send } from '#libs/platform/database/database';
import { exactJson } from '#libs/platform/json/exact-json';
import { Invalid, NameTaken } from '#libs/platform/errors/errors';
import { buildDeletion } from '#libs/platform/database/bounded-deletion';
import { cutText } from '#libs/platform/text/whole-text';
import { beginIndex, deleteAll, dropIndex } from './column-indexes.ts';
import { convertColumn, fillColumn } from './column-cells.ts';
import {
  type Column,
  columnNamed,
  buildColumn,
  type ColumnInput,
  columnsMax,
  columnErrors,
} from './columns.ts';
import { LongWork } from '../writes/long-work.ts';
import type { TableRef } from '../writes/row-changes.ts';
import { type RowDetail, rowDetail } from '../writes/row-details.ts';
import { nextId, type NextIds } from './slots.ts';
import { lockTable, type Table, writeColumns } from './table.ts';
import { TableWriteLock } from '../writes/table-write-lock.ts';

/** The members of a column to change. A missing member stays as it is, and null removes a default. */
export type ColumnChange = Partial<Omit<ColumnInput, 'default'>> & { default?: ColumnInput['default'] };

/** The timeout of a statement over all rows of a table, in milliseconds. A million rows take about five seconds. */
const scanMsMax = 300_000;
/** The maximum number of rows that one error lists. */
const shownMax = 10;

/** Changes the columns of a table. Each change checks the stored rows first, and applies as a whole or not at all. */
@Injectable()
export class TableColumns {
  constructor(
    private readonly database: Database,
    private readonly writeLock: TableWriteLock,
    private readonly longWork: LongWork,
  ) {}

  /** Adds a column, and returns all columns. Writes a default into all rows. Throws `Invalid`, `NameTaken`, `NotFound`, `TableLocked`, `LongWorkTaken`. */
  addColumn(ref: TableRef, input: ColumnInput): Promise<Column[]> {
    return this.holding(ref, input.default !== undefined, async (tx, table) => {
      const { id, next } = nextId(table.next, input);
      const column = buildColumn(input, id);
      requireSound(table, column, 'column');
      if (table.columns.length >= columnsMax)
        throw Invalid.field(
          'column',
          `the table has ${columnsMax} columns, and may have no more`,
          'too_many',
        );
      if (column.required && column.default === undefined && table.rowCount > 0) {
        const message = `must be false, or there must be a default: the table has ${table.rowCount} rows`;
        throw Invalid.field('column.required', message, 'required');
      }
      if (column.default !== undefined) await fillColumn(tx, table, column.id, column.default);
      if (column.index) await beginIndex(tx, table, column.id, ref.workspaceId);
      return write(tx, table, [...table.columns, column], next);
    });
  }

  /**
   * Changes the name, type, rules, default and index of a column together, and returns all columns.
   * Throws `Invalid` with the first rows that do not fit the change. Also throws `NameTaken`, `NotFound`, `TableLocked` and `LongWorkTaken`.
   */
  changeColumn(ref: TableRef, name: string, change: ColumnChange): Promise<Column[]> {
    const { name: _name, default: _default, ...ofRows } = change;
    return this.holding(ref, Object.keys(ofRows).length > 0, async (tx, table) => {
      const former = requireColumn(table, name);
      const { default: input = former.default, indexed = former.index !== undefined, ...rest } = change;
      const column = buildColumn({ ...former, ...rest, default: input, indexed }, former.id);
      if (former.index && column.index && column.type === former.type && change.indexed === undefined)
        column.index = former.index;
      requireSound(table, column, 'updates');
      if (column.type !== former.type) await convertColumn(tx, table, column);
      if (column.required && !former.required) await requireFilled(tx, table, column);
      const rekeyed = column.unique && (!former.unique || column.type !== former.type);
      if (former.unique && (rekeyed || !column.unique))
        await deleteAll(tx, columnKeys, [table.no, column.id]);
      if (rekeyed) await this.makeUnique(tx, table, column);
      if (former.index && column.index !== former.index) await dropIndex(tx, table, column.id);
      if (column.index && column.index !== former.index)
        await beginIndex(tx, table, column.id, ref.workspaceId);
      return write(
        tx,
        table,
        table.columns.map((one) => (one.id === column.id ? column : one)),
      );
    });
  }

  /**
   * Removes a column, and returns the remaining columns. From now on no caller can read its cells. A worker later removes its cells, its
   * unique values and its index. Throws `Invalid` for the last column.
   */
  remove(ref: TableRef, name: string): Promise<Column[]> {
    return this.holding(ref, false, async (tx, table) => {
      const { id } = requireColumn(table, name);
      if (table.columns.length === 1)
        throw Invalid.field('columnName', 'is the last column; a table has at least one', 'last_column');
      await send(tx, leaveCells, [table.no, id, ref.workspaceId]);
      return write(
        tx,
        table,
        table.columns.filter((column) => column.id !== id),
      );
    });
  }

  private async makeUnique(tx: EntityManager, { no }: Table, { id, name }: Column): Promise<void> {
    const repeated = await send(tx, repeatedCells, [no, id, shownMax]);
    if (repeated.length > 0) {
      const details = repeated.flatMap(({ rows, ids, positions, cell }) => {
        const rule = { path: 'updates.unique', code: 'duplicate' };
        return buildMisfits(rule, ids, positions, `holds ${shortened(cell)}, as ${String(rows)} rows do`);
      });
      throw new Invalid(details, `Rows of ${name} hold the same values; nothing was changed.`);
    }
    await send(tx, addColumnKeys, [no, id]);
  }

  /** Runs the work with the table locked. Takes a place of `LongWork` before the lock, so that a waiting caller does not hold the lock. */
  private holding<T>(
    { workspaceId, tableId }: TableRef,
    readsRows: boolean,
    work: (tx: EntityManager, table: Table) => Promise<T>,
  ): Promise<T> {
    const change = () =>
      this.writeLock.withLock(tableId, () =>
        this.database.within(workspaceId, async (tx) => {
          const table = await lockTable(tx, workspaceId, tableId);
          if (readsRows) await allowStatements(tx, scanMsMax);
          return work(tx, table);
        }),
      );
    return readsRows ? this.longWork.runLongWork(workspaceId, change) : change();
  }
}

/** Adds columns without rules to a locked table. Leaves out those that the table has. */
export async function addPlainColumns(tx: EntityManager, table: Table, wishes: ColumnInput[]): Promise<void> {
  const columns = [...table.columns];
  let { next } = table;
  for (const input of wishes) {
    if (columnNamed(columns, input.name)) continue;
    const slot = nextId(next, input);
    next = slot.next;
    const column = buildColumn(input, slot.id);
    requireSound({ ...table, columns }, column, 'column');
    columns.push(column);
  }
  if (columns.length > table.columns.length) await write(tx, table, columns, next);
}

async function write(tx: EntityManager, table: Table, columns: Column[], next?: NextIds): Promise<Column[]> {
  await writeColumns(tx, table, columns, next);
  return columns;
}

function requireColumn({ columns }: Table, name: string): Column {
  const column = columnNamed(columns, name);
  if (!column) throw Invalid.field('columnName', 'is not a column of this table', 'unknown_column');
  return column;
}

function requireSound({ columns }: Table, column: Column, path: string): void {
  const same = columns.find(
    ({ id, name }) => id !== column.id && name.toLowerCase() === column.name.toLowerCase(),
  );
  if (same) throw new NameTaken('column', same.name);
  const details = columnErrors(column, path);
  if (details.length > 0) throw new Invalid(details);
}

async function requireFilled(tx: EntityManager, { no }: Table, { id, name }: Column): Promise<void> {
  const [found] = await send(tx, emptyCells, [no, id, shownMax]);
  const rows = Number(found?.['rows'] ?? 0);
  if (rows === 0) return;
  const rule = { path: 'updates.required', code: 'required' };
  const details = buildMisfits(rule, found?.['ids'], found?.['positions'], 'has no value');
  throw new Invalid(details, `${rows} rows have no value for ${name}; nothing was changed.`);
}

/** A fault for each of the rows. */
function buildMisfits(
  rule: { path: string; code: string },
  ids: unknown,
  positions: unknown,
  says: string,
): RowDetail[] {
  if (!Array.isArray(ids) || !Array.isArray(positions)) return [];
  return ids.map((id, i) => rowDetail(rule, { id: String(id), position: String(positions[i]) }, says));
}

function shortened(cell: unknown): string {
  const text = exactJson(cell);
  return cutText(text, 80, '…');
}

const columnKeys = buildDeletion('table_keys', 'table_no = $1 and column_id = $2', '$3');

const leaveCells = 'insert into table_column_orphans (table_no, column_id, workspace_id) values ($1, $2, $3)';

const addColumnKeys = /* sql */ `
insert into table_keys (table_no, row_id, column_id, key, workspace_id)
select r.table_no, r.id, $2, table_key(r.data -> $2), r.workspace_id from table_rows r where r.table_no = $1 and r.data ? $2`;

const repeatedCells = /* sql */ `
select count(*) as rows, (array_agg(r.id order by r.position))[1:5] as ids,
  (array_agg(r.position order by r.position))[1:5] as positions, min(r.data ->> $2) as cell
from table_rows r where r.table_no = $1 and r.data ? $2
group by table_key(r.data -> $2) having count(*) > 1 order by min(r.position) limit $3`;

const emptyCells = /* sql */ `
select (select count(*) from table_rows r where r.table_no = $1 and not r.data ? $2) as rows,
  array(select r.id from table_rows r where r.table_no = $1 and not r.data ? $2 order by r.position limit $3) as ids,
  array(select r.position from table_rows r where r.table_no = $1 and not r.data ? $2 order by r.position limit $3) as positions`;
