import { Injectable } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import { claimInTurn, isAnyDue } from '#libs/platform/database/fair-claim';
import { lagOver, Outbox, type OutboxLag } from '#libs/platform/database/outbox';
import { retriedRun } from '#temporal/activities';
import { doCallersWait } from '../direct/direct-runs.sql.ts';
import { ownerOf } from '../record/resets.sql.ts';
import { Settings } from '#libs/platform/settings/settings';
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
  temporal_run: string | null;
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
  readonly due = isAnyDue(waiting);
  protected readonly claim = claimRows;
  protected override readonly mark = removeRows;
  protected readonly lagOf = lagOf(false);
  protected override readonly batch = 24;
  protected override readonly lanes = 2;

  constructor(
    database: Database,
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
    const [row] = await this.database.statement<Row & { start_text: string }>(workspaceId, pending, [
      executionId,
    ]);
    if (!row) return;
    await this.startInTemporal(row, withinMs);
    await this.database.systemUnflushed(removeRow, [row.id, row.start_text]);
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
    const { ended, isRetried, requestId } = row.start_input;
    const origin = { requestId, ...row.origin };
    await runInTraceOf({ id: row.id, origin }, async () => {
      // A repeated start would only be refused by the rows.
      if (isRetried && row.temporal_run !== retriedRun) return;
      if (ended) return this.starter.startEnded(toAccepted(row), ended, withinMs);
      // Its turn in a line has come. From now on it is a queued execution like others, which `StartOutbox` starts if need be.
      if (!row.start_input.carried) await this.database.systemUnflushed(leaveLine, [row.id]);
      const isTaken = async () => {
        const [owned] = await this.database.systemUnflushed<{ temporal_run: string | null }>(ownerOf, [
          row.id,
        ]);
        return owned?.temporal_run !== retriedRun;
      };
      await this.starter.startCarried(toAccepted(row), row.start_input, { withinMs, isTaken });
    });
  }
}

const pending = /* sql */ `
select ${startColumns}, e.temporal_run, h.start_input, h.start_input::text as start_text
from inline_start_outbox h join executions e on e.id = h.execution_id where h.execution_id = $1`;

const waiting = {
  table: 'inline_start_outbox',
  id: 'execution_id',
  at: 'due_at',
  waits: ['not ended', 'ended'],
};

/**
 * Sets the next attempt before the first, so that a failed row is not tried again at once. Runs that can still go on
 * come first.
 */
const claimRows = /* sql */ `
update inline_start_outbox h set due_at = now() + interval '10 seconds'
from executions e
where e.id = h.execution_id and h.execution_id in (${claimInTurn({
  ...waiting,
  // Showing an ended execution costs as much as a short run, so it waits until no caller does.
  also: `(not ended or not ${doCallersWait})`,
})}
)
returning ${startColumns}, e.temporal_run, h.start_input`;

const lagOf = (ended: boolean) =>
  lagOver(`select e.created_at as since from inline_start_outbox h join executions e on e.id = h.execution_id
    where h.ended = ${ended} order by h.due_at limit 10000`);

/** Leaves a row that a retry has put in the place of a claimed one: it is due at once. */
const removeRows = 'delete from inline_start_outbox where execution_id = any($1) and due_at > now()';

/** Leaves a row that a retry or the end has put in the place of this start meanwhile. $1 execution, $2 the start as text */
const removeRow = 'delete from inline_start_outbox where execution_id = $1 and start_input::text = $2';

/** $1 execution */
const leaveLine = /* sql */ `
update executions set next_delivery_at = now() + interval '3 seconds' where id = $1 and status = 'queued' and next_delivery_at = 'infinity'`;

const dropOldest = /* sql */ `
with dropped as (
  delete from inline_start_outbox where execution_id in (
    select execution_id from inline_start_outbox where ended order by due_at desc offset $1 limit 5000
  ) returning 1
)
select count(*)::int as count from dropped`;
