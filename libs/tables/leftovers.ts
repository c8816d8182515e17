import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database/database';

/** Small enough that one statement stays far below the statement time-out. */
const batch = 10_000;
/** The most batches of one turn; the rest waits for the next turn. */
const batchesMax = 50;

/** Removes the rows of deleted tables. */
@Injectable()
export class Leftovers {
  constructor(private readonly database: Database) {}

  /** Runs one turn and returns how many rows were removed. Any number of processes may take turns at the same time. */
  async turn(size = batch): Promise<number> {
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
