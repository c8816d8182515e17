import { Injectable } from '@nestjs/common';
import {
  deleteInBatches,
  buildDeletion,
  forgetRows,
  isDue,
  TurnBounds,
  workOnEach,
} from '#libs/platform/database/bounded-deletion';
import { Database } from '#libs/platform/database/database';
import { queryCancelled, sqlState } from '#libs/platform/database/violations';
import { Settings } from '#libs/platform/settings/settings';

/** The number of executions in one statement. */
const batch = 200;
/** One turn deletes the parts of at most this many large executions; the rest waits for the next turn. */
const largeMax = 100;

interface Forgotten {
  id: string;
  workspace_id: string;
}

/**
 * Deletes executions some time after their end, with everything that belongs to them: payloads, block log, pauses,
 * answers. Payloads go with their execution and never sooner, because the run's state in Temporal may name a payload
 * that no row names. Usage stays, because it is booked.
 */
@Injectable()
export class Retention {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /**
   * Deletes until nothing is left or the turn is over. Returns the number of deleted executions. Several processes
   * may take turns at the same time.
   */
  async turn(bounds = new TurnBounds(), rowsMax = batch): Promise<number> {
    const { retentionMs } = this.settings;
    // What a person has deleted goes also where nothing else does.
    if (retentionMs === null) return this.largeOnes(bounds);
    const old = { ...oldExecutions, values: [retentionMs / 1000], rowsMax };
    // A marked execution never opens again, so it may be deleted in parts.
    const markForgotten = async (id: string) => {
      await this.database.system(forgetForGood, [id]);
    };
    const deleted = await forgetRows(this.database, old, bounds, markForgotten);
    return deleted + (await this.largeOnes(bounds));
  }

  private async largeOnes(bounds: TurnBounds): Promise<number> {
    const items = await this.database.system<Forgotten>(forgotten, [largeMax]);
    const work = (one: Forgotten, within: TurnBounds) => this.inParts(one, within);
    return workOnEach(this.database, { kind: 'execution', items, id: ({ id }) => id, work }, bounds);
  }

  /** Deletes an execution whose rows are too many for one statement. Returns false when there is more to do. */
  private async inParts({ id, workspace_id: workspaceId }: Forgotten, bounds: TurnBounds): Promise<boolean> {
    const within = (most: number, sql: string) =>
      deleteInBatches(most, bounds, async (rows) => {
        const [row] = await this.database.statement<{ n: number }>(workspaceId, sql, [id, rows]);
        return row?.n ?? 0;
      });
    const children = await within(batch, buildDeletion('executions', childrenOf, '$2')).catch(
      async (error) => {
        if (sqlState(error) !== queryCancelled) throw error;
        await this.database.statement(workspaceId, forgetOneChild, [id]);
        return { complete: false };
      },
    );
    if (!children.complete) return false;
    for (const { most, sql } of parts) if (!(await within(most, sql)).complete) return false;
    // An execution waits while a child of it is deleted in parts.
    const [deleted] = await this.database.statement(workspaceId, deleteAlone, [id]);
    return deleted !== undefined;
  }
}

/** The status is checked under the lock: a reset may have opened the execution in between. */
const oldExecutions = {
  kind: 'execution',
  table: 'executions',
  id: 't.id',
  where: `t.status in ('completed', 'failed', 'cancelled') and t.completed_at < now() - make_interval(secs => $1) and t.forgotten_at is null
    and not exists (select from executions r where r.id = t.root_id and r.completed_at is null)`,
  order: 't.completed_at',
} as const;

const forgetForGood = 'update executions set forgotten_at = now() where id = $1';

/** No order, so that a hundred large executions do not keep others waiting. */
const forgotten = /* sql */ `
select e.id, e.workspace_id from executions e where e.forgotten_at is not null and ${isDue('execution', 'e.id')}
order by random() limit $1`;

const childrenOf = 'parent_id = $1 and forgotten_at is null';

const forgetOneChild = /* sql */ `
update executions set forgotten_at = now() where id = (select id from executions where ${childrenOf} limit 1)`;

const deleteAlone = /* sql */ `
delete from executions where id = $1 and not exists (select from executions c where c.parent_id = $1) returning id`;

const partOf = (table: string, most: number, where = 'execution_id = $1') => ({
  most,
  sql: buildDeletion(table, where, '$2'),
});

/** The parts of an execution that may have many rows, or large ones. The rest goes with its row. */
const parts = [
  partOf('visits', 10_000),
  partOf('payloads', 10_000),
  partOf('file_pieces', 200, 'file_no in (select no from files where execution_id = $1)'),
  partOf('files', 100),
  partOf('effect_checkpoints', 10_000),
  partOf('call_claims', 10_000),
  partOf('run_events', 10_000),
  partOf('resume_entries', 1000),
  partOf('pause_points', 1000),
  {
    most: 10_000,
    sql: /* sql */ `
    with released as (
      update usage_entries set during_execution = null
      where ctid = any (array(select ctid from usage_entries where during_execution = $1 limit $2)) returning 1
    )
    select count(*)::int as n from released`,
  },
];
