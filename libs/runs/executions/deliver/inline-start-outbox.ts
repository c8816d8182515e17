import { Injectable } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import { claimInTurn } from '#libs/platform/database/fair-claim';
import { lagOver, Outbox, type OutboxLag } from '#libs/platform/database/outbox';
import { Settings } from '#libs/platform/settings/settings';
import { Deployments } from '#libs/runs/workflows/deployments';
import {
  type InlineStartInput,
  runInTraceOf,
  toAccepted,
  startColumns,
  WorkflowStarter,
  type StartRow,
} from './workflow-starter.ts';

interface Row extends StartRow {
  start_input: InlineStartInput;
}

/** A start that takes longer, in milliseconds, counts as failed. It is repeated, and a second start changes nothing. */
const startMs = 10_000;
/**
 * Fast path: tells Temporal of an execution that ran inline in the API, after its caller has the answer.
 * `StartOutbox` is the plain path. Two rules hold in both: the row is committed first, and Temporal gets the
 * execution before any answer to it. An ended execution is only shown to operators.
 */
@Injectable()
export class InlineStartOutbox extends Outbox<Row> {
  protected readonly claim = claimRows;
  protected override readonly mark = removeRows;
  protected readonly lagOf = lagOf(false);
  protected override readonly batch = 24;
  protected override readonly lanes = 2;

  constructor(
    database: Database,
    private readonly deployments: Deployments,
    private readonly starter: WorkflowStarter,
    private readonly settings: Settings,
  ) {
    super(database);
  }

  /**
   * Cancels a run, after Temporal has it. Rejects when Temporal cannot be reached within the bound, or when the run
   * has ended.
   */
  async cancelExecution(workspaceId: string, executionId: string, withinMs?: number): Promise<void> {
    await this.ensureStarted(workspaceId, executionId, withinMs);
    await this.starter.cancel(executionId, withinMs);
  }

  /** Gives Temporal the execution if it does not have it. Rejects when Temporal cannot be reached within the bound. */
  async ensureStarted(workspaceId: string, executionId: string, withinMs = startMs): Promise<void> {
    const [row] = await this.database.statement<Row>(workspaceId, pending, [executionId]);
    if (!row) return;
    await this.startInTemporal(row, withinMs);
    await this.database.systemUnflushed(removeRows, [[row.id]]);
  }

  /** Like `lag`, for ended executions. */
  endedLag(): Promise<OutboxLag> {
    return this.lag(lagOf(true));
  }

  /** Drops the oldest ended executions when Temporal cannot be shown as many as end. Resolves to their number. */
  async dropBacklog(): Promise<number> {
    const { backlogMax } = this.settings.temporalSync;
    const [dropped] = await this.database.systemUnflushed<{ count: number }>(dropOldest, [backlogMax]);
    const count = dropped?.count ?? 0;
    if (count > 0)
      this.log.warn(
        `${count} executions that have ended are not shown in Temporal: more than TEMPORAL_SYNC_BACKLOG_MAX (${backlogMax}) waited.`,
      );
    return count;
  }

  protected deliver(row: Row): Promise<void> {
    return this.startInTemporal(row, startMs);
  }

  private async startInTemporal(row: Row, withinMs: number): Promise<void> {
    const { ended, carried, requestId } = row.start_input;
    const origin = { requestId, ...row.origin };
    await runInTraceOf({ id: row.id, origin }, async () => {
      if (ended) return this.starter.startEnded(toAccepted(row), ended, withinMs);
      const plan = await this.deployments.plan(row.workspace_id, row.plan_hash);
      await this.starter.startCarried(toAccepted(row), plan, carried, withinMs);
    });
  }
}

const pending = /* sql */ `
select ${startColumns}, h.start_input from inline_start_outbox h join executions e on e.id = h.execution_id where h.execution_id = $1`;

/**
 * Sets the next attempt before the first, so that a failed row is not tried again at once. Runs that can still go on
 * come first.
 */
const claimRows = /* sql */ `
update inline_start_outbox h set due_at = now() + interval '10 seconds'
from executions e
where e.id = h.execution_id and h.execution_id in (${claimInTurn({
  table: 'inline_start_outbox',
  id: 'execution_id',
  at: 'due_at',
  waits: ['not ended', 'ended'],
  // Showing an ended execution costs as much as a short run, so it waits until no caller does.
  also: `(not ended or not exists (select from processes p where p.is_busy and p.beat_at > now() - interval '5 seconds'))`,
})}
)
returning ${startColumns}, h.start_input`;

const lagOf = (ended: boolean) =>
  lagOver(`select e.created_at as since from inline_start_outbox h join executions e on e.id = h.execution_id
    where h.ended = ${ended} order by h.due_at limit 10000`);

const removeRows = 'delete from inline_start_outbox where execution_id = any($1)';

const dropOldest = /* sql */ `
with dropped as (
  delete from inline_start_outbox where execution_id in (
    select execution_id from inline_start_outbox where ended order by due_at desc offset $1 limit 5000
  ) returning 1
)
select count(*)::int as count from dropped`;
