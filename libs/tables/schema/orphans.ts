import { Injectable } from '@nestjs/common';
import {
  deleteInBatches,
  buildDeletion,
  isDue,
  TurnBounds,
  workOnEach,
} from '#libs/platform/database/bounded-deletion';
import { Database, send } from '#libs/platform/database/database';
import { lockNumbered } from './table.ts';

/** The maximum number of rows that one statement deletes. */
const batch = 10_000;
/** Rows from which one step removes a cell. A writer of the table waits for at most one step. */
const cellsBatch = 2000;
/** The maximum number of deleted tables, and of deleted columns, in one turn. The rest waits for the next turn. */
const leftoversMax = 100;

interface TableLeftover {
  table_no: string;
  workspace_id: string;
}

interface ColumnLeftover extends TableLeftover {
  column_id: string;
}

/** Removes the rows of deleted tables, and the cells, keys and indexes of deleted columns. */
@Injectable()
export class OrphanedRows {
  constructor(private readonly database: Database) {}

  /** Runs a turn, and returns the number of tables and columns that are removed completely. Several processes may call it at the same time. */
  async removeOrphanedRows(bounds = new TurnBounds(), rowsMax = batch): Promise<number> {
    const columns = await this.database.system<ColumnLeftover>(dueColumns, [leftoversMax]);
    const tables = await this.database.system<TableLeftover>(dueTables, [leftoversMax]);
    const cells = Math.min(rowsMax, cellsBatch);
    const goneColumns = await workOnEach<ColumnLeftover>(
      this.database,
      {
        kind: 'column of a table',
        items: columns,
        id: ({ table_no: no, column_id: column }) => `${no} ${column}`,
        work: (one, within) => this.removeColumn(one, within, cells),
      },
      bounds,
    );
    const goneTables = await workOnEach<TableLeftover>(
      this.database,
      {
        kind: 'table',
        items: tables,
        id: ({ table_no: no }) => no,
        work: (one, within) => this.removeTable(one, within, rowsMax),
      },
      bounds,
    );
    return goneColumns + goneTables;
  }

  private async removeColumn(left: ColumnLeftover, bounds: TurnBounds, rowsMax: number): Promise<boolean> {
    const { table_no: no, column_id: column, workspace_id: workspaceId } = left;
    for (const sql of removeColumn)
      if (!(await this.removeAll(workspaceId, sql, [no, column], { rowsMax, bounds }))) return false;
    const { complete } = await deleteInBatches(rowsMax, bounds, (rows) => this.cellsStep(left, rows));
    return complete;
  }

  /** Deletes in batches. Returns false when the bounds end before all rows are deleted. The last parameter of `sql` is the number of rows. */
  private async removeAll(
    workspaceId: string,
    sql: string,
    values: unknown[],
    { rowsMax, bounds }: { rowsMax: number; bounds: TurnBounds },
  ): Promise<boolean> {
    const { complete } = await deleteInBatches(rowsMax, bounds, async (rows) => {
      const [row] = await this.database.statement<{ n: number }>(workspaceId, sql, [...values, rows]);
      return row?.n ?? 0;
    });
    return complete;
  }

  /**
   * Removes the cells of the next rows, and returns the number of these rows. With fewer rows than asked, the column is removed completely.
   * The lock of the table stops writers, which could otherwise write back a cell that they read before.
   */
  private cellsStep(left: ColumnLeftover, rows: number): Promise<number> {
    const { table_no: no, column_id: column, workspace_id: workspaceId } = left;
    return this.database.within(workspaceId, async (tx) => {
      const table = await lockNumbered(tx, workspaceId, no);
      const [step] = table ? await send(tx, removeCells, [no, column, rows]) : [];
      const looked = Number(step?.['n'] ?? 0);
      if (looked < rows) await send(tx, dropColumnLeftover, [no, column]);
      return looked;
    });
  }

  private async removeTable(left: TableLeftover, bounds: TurnBounds, rowsMax: number): Promise<boolean> {
    const { table_no: no, workspace_id: workspaceId } = left;
    for (const sql of removeTable)
      if (!(await this.removeAll(workspaceId, sql, [no], { rowsMax, bounds }))) return false;
    await this.database.statement(workspaceId, 'delete from table_orphans where table_no = $1', [no]);
    return true;
  }
}

/** In random order, so that a hundred large columns do not delay the others. */
const dueColumns = /* sql */ `
select c.table_no, c.column_id, c.workspace_id from table_column_orphans c
where ${isDue('column of a table', `c.table_no || ' ' || c.column_id`)} order by random() limit $1`;

const dueTables = /* sql */ `
select t.table_no, t.workspace_id from table_orphans t where ${isDue('table', 't.table_no::text')} order by random() limit $1`;

const removeTable = [
  'table_keys',
  'table_index',
  'table_index_builds',
  'table_deletions',
  'table_column_orphans',
  'table_rows',
].map((table) => buildDeletion(table, 'table_no = $1', '$2'));

/** Unique values, index entries and index builds of a deleted column. Nothing reads them meanwhile, because no later column gets its id. */
const removeColumn = ['table_keys', 'table_index', 'table_index_builds'].map((table) =>
  buildDeletion(table, 'table_no = $1 and column_id = $2', '$3'),
);

const dropColumnLeftover = 'delete from table_column_orphans where table_no = $1 and column_id = $2';

/**
 * Removes the cells of a deleted column from the next rows. The rows keep their version, because no caller sees a difference.
 * $1 table's number, $2 column, $3 maximum number of rows
 *
 * `l`: the position up to which cells are removed, locked. `chosen`: the next rows. `removed` changes them. `moved` notes the new position.
 */
const removeCells = /* sql */ `
with l as (
  select position from table_column_orphans where table_no = $1 and column_id = $2 for update
), chosen as (
  select r.id, r.position from table_rows r, l where r.table_no = $1 and r.position > l.position order by r.position limit $3
), removed as (
  update table_rows r set data = r.data - $2 from chosen where r.table_no = $1 and r.id = chosen.id and r.data ? $2
), moved as (
  update table_column_orphans set position = (select max(position) from chosen)
  where table_no = $1 and column_id = $2 and exists (select from chosen)
)
select count(*)::int as n from chosen`;
