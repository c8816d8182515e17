import { Injectable } from '@nestjs/common';
import { Database, send } from '#libs/database/database';
import { lockNumbered } from './table.ts';

/** Small enough that one statement stays far below the statement time-out. */
const batch = 10_000;
/** The most batches of one turn; the rest waits for the next turn. */
const batchesMax = 50;

/** Rows of which one step removes a cell. Writers of the table wait for a step, and for no more. */
const cellsBatch = 2000;

interface ColumnLeftover {
  table_no: string;
  column_id: string;
  workspace_id: string;
}

/** Removes the rows of deleted tables, and the cells of deleted columns. */
@Injectable()
export class Leftovers {
  constructor(private readonly database: Database) {}

  /** Runs one turn and returns how many rows were removed. Any number of processes may take turns at the same time. */
  async turn(size = batch): Promise<number> {
    await this.columnsTurn(Math.min(size, cellsBatch));
    return this.tablesTurn(size);
  }

  private async columnsTurn(size: number): Promise<void> {
    const left = await this.database.system<ColumnLeftover>(
      'select table_no, column_id, workspace_id from table_column_leftovers order by deleted_at limit 100',
    );
    let steps = 0;
    for (const one of left) {
      for (let more = true; more && steps < batchesMax; steps++) more = await this.cellsStep(one, size);
      if (steps >= batchesMax) return;
    }
  }

  /** True when there may be more. The lock keeps writers away, who would write a cell back that they have read. */
  private cellsStep(left: ColumnLeftover, size: number): Promise<boolean> {
    const { table_no: no, column_id: column, workspace_id: workspaceId } = left;
    return this.database.within(workspaceId, async (tx) => {
      const table = await lockNumbered(tx, workspaceId, no);
      const [step] = table ? await send(tx, removeCells, [no, column, size]) : [];
      if (typeof step?.['last'] === 'string') return true;
      await send(tx, dropColumnLeftover, [no, column]);
      return false;
    });
  }

  private async tablesTurn(size: number): Promise<number> {
    const left = await this.database.system<{ table_no: string; workspace_id: string }>(
      'select table_no, workspace_id from table_leftovers order by deleted_at limit 100',
    );
    let removed = 0;
    let batches = 0;
    for (const { table_no: no, workspace_id: workspaceId } of left) {
      for (const table of [
        'table_keys',
        'table_index',
        'table_index_builds',
        'table_deletions',
        'table_column_leftovers',
        'table_rows',
      ]) {
        for (let rows = size; rows === size && batches < batchesMax; batches++) {
          rows = await this.remove(workspaceId, table, no, size);
          removed += rows;
        }
      }
      if (batches >= batchesMax) break;
      await this.database.statement(workspaceId, 'delete from table_leftovers where table_no = $1', [no]);
    }
    return removed;
  }

  private async remove(workspaceId: string, table: string, no: string, size: number): Promise<number> {
    const [row] = await this.database.statement<{ n: string }>(
      workspaceId,
      `with chosen as (select tableoid, ctid from ${table} where table_no = $1 limit $2),
         gone as (delete from ${table} t using chosen
           where t.table_no = $1 and t.ctid = chosen.ctid and t.tableoid = chosen.tableoid returning 1)
       select count(*) as n from gone`,
      [no, size],
    );
    return Number(row?.n ?? 0);
  }
}

const dropColumnLeftover = 'delete from table_column_leftovers where table_no = $1 and column_id = $2';

/** $1 table's number, $2 column, $3 rows at most. The rows keep their version: nobody sees a difference. */
const removeCells = /* sql */ `
with l as (
  select position from table_column_leftovers where table_no = $1 and column_id = $2 for update
), chosen as (
  select r.id, r.position from table_rows r, l where r.table_no = $1 and r.position > l.position order by r.position limit $3
), removed as (
  update table_rows r set data = r.data - $2 from chosen where r.table_no = $1 and r.id = chosen.id and r.data ? $2
), moved as (
  update table_column_leftovers set position = (select max(position) from chosen)
  where table_no = $1 and column_id = $2 and exists (select from chosen)
)
select max(position)::text as last from chosen`;
