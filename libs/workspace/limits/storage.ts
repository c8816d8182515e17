import { Injectable } from '@nestjs/common';
import { deleteInBatches, TurnBounds } from '#libs/platform/database/bounded-deletion';
import { Database } from '#libs/platform/database/database';

/** The most rows of `storage_changes` that one statement adds up. */
const batch = 5000;

/** The bytes that a workspace has stored: payloads, documents and rows of tables. Triggers write each change as a row of `storage_changes`. */
@Injectable()
export class Storage {
  constructor(private readonly database: Database) {}

  /** The stored bytes, with every committed change. */
  async usedBytes(workspaceId: string): Promise<number> {
    const [row] = await this.database.system<{ bytes: string }>(usedBytes, [workspaceId]);
    return Number(row?.bytes);
  }

  /** Adds the rows of `storage_changes` to the totals and deletes them. Several processes may run this at the same time. */
  async addUp(bounds = new TurnBounds(), linesMax = batch): Promise<void> {
    await deleteInBatches(linesMax, bounds, async (lines) => {
      const [row] = await this.database.system<{ lines: number }>(addUp, [lines]);
      return row?.lines ?? 0;
    });
  }
}

/** $1 workspace */
export const usedBytes = /* sql */ `
select coalesce((select sum(bytes) from storage_totals where workspace_id = $1), 0)
  + coalesce((select sum(bytes) from storage_changes where workspace_id = $1), 0) as bytes`;

/** Adds up and deletes in one statement, so that a reader counts each change exactly once. $1 limit */
const addUp = /* sql */ `
with gone as (
  delete from storage_changes where id in (select id from storage_changes order by id limit $1 for update skip locked)
  returning workspace_id, kind, bytes
), added as (
  insert into storage_totals as t (workspace_id, kind, bytes)
  select g.workspace_id, g.kind, sum(g.bytes) from gone g join workspaces w on w.id = g.workspace_id group by 1, 2 order by 1, 2
  on conflict (workspace_id, kind) do update set bytes = t.bytes + excluded.bytes
)
select count(*)::int as lines from gone`;
