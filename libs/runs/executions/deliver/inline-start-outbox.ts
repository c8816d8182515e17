import { Injectable, Logger } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import { Settings } from '#libs/platform/settings/settings';
import { Deployments } from '#libs/runs/workflows/deployments';
import type { Acceptance } from '../accept/accept-execution.ts';
import {
  type InlineStartInput,
  inTraceOf,
  requestOf,
  startColumns,
  WorkflowStarter,
  type StartRow,
} from './workflow-starter.ts';

interface Row extends StartRow {
  start_input: InlineStartInput;
}

/** The rows of one claim, whose starts are all under way at the same time. */
const batch = 24;
/** Claims under way at the same time: while one waits for its slowest start, Temporal works on another. */
const lanes = 2;
/** How long a start may take before it counts as failed, in milliseconds. It is repeated, and a second one changes nothing. */
const startMs = 10_000;
/** How long one turn may go on, in milliseconds. */
const turnMs = 5000;

/**
 * Tells Temporal of executions that began, or ended, in the process that accepted them. Nobody who has an answer waits for that:
 * one that waits for people must get there before its first answer does, and one that has ended is only shown to operators.
 */
@Injectable()
export class InlineStartOutbox {
  private readonly log = new Logger(InlineStartOutbox.name);

  constructor(
    private readonly database: Database,
    private readonly deployments: Deployments,
    private readonly starter: WorkflowStarter,
    private readonly settings: Settings,
  ) {}

  /**
   * Gives Temporal an execution that was just accepted; what began where it was accepted waits its turn. A failure is only logged,
   * because a relay does it then.
   */
  async startExecution({ row, live, begun }: Acceptance): Promise<void> {
    if (begun) return;
    try {
      await this.starter.start(row, live.plan);
    } catch (error) {
      this.log.warn(`Temporal did not take ${row.id}; the relay will start it: ${String(error)}`);
    }
  }

  /** Asks a run to end, after Temporal has it. Rejects when Temporal cannot be reached within the bound, or when the run has ended. */
  async cancelExecution(workspaceId: string, executionId: string, withinMs?: number): Promise<void> {
    await this.ensureStarted(workspaceId, executionId, withinMs);
    await this.starter.cancel(executionId, withinMs);
  }

  /** Gives Temporal the execution if it does not have it. Rejects when Temporal cannot be reached within the bound. */
  async ensureStarted(workspaceId: string, executionId: string, withinMs = startMs): Promise<void> {
    const [row] = await this.database.statement<Row>(workspaceId, pending, [executionId]);
    if (!row) return;
    await this.handOver(row, withinMs);
    await this.database.forgetful(done, [[row.id]]);
  }

  /** What Temporal is still to be told, counted to ten thousand, and for how long: of executions that go on, or of ended ones. */
  async lag(ended: boolean): Promise<{ count: number; oldestS: number }> {
    const [row] = await this.database.system<{ count: number; oldestS: number }>(lag, [ended]);
    return row ?? { count: 0, oldestS: 0 };
  }

  /**
   * Runs one turn and returns how many ended executions will not be shown. Any number of processes may take turns at the
   * same time.
   */
  async turn(): Promise<number> {
    const endsAtMs = performance.now() + turnMs;
    const lane = async () => {
      while (performance.now() < endsAtMs && (await this.handOverNext()));
    };
    if (await this.handOverNext()) await Promise.all(Array.from({ length: lanes }, lane));
    return this.boundBacklog();
  }

  /** Hands over what one claim takes. True when there may be more, and Temporal took all of it. */
  private async handOverNext(): Promise<boolean> {
    const rows = await this.database.forgetful<Row>(claim, [batch]);
    const started = await Promise.all(rows.map((row) => this.started(row)));
    const ids = started.flatMap((id) => id ?? []);
    if (ids.length > 0) await this.database.forgetful(done, [ids]);
    return ids.length === batch;
  }

  private async handOver(row: Row, withinMs: number): Promise<void> {
    const { ended, carried, requestId } = row.start_input;
    const origin = { requestId, ...row.origin };
    await inTraceOf({ id: row.id, origin }, async () => {
      if (ended) return this.starter.startEnded(requestOf(row), ended, withinMs);
      const plan = await this.deployments.plan(row.workspace_id, row.plan_hash);
      await this.starter.startCarried(requestOf(row), plan, carried, withinMs);
    });
  }

  private async started(row: Row): Promise<string | null> {
    try {
      await this.handOver(row, startMs);
      return row.id;
    } catch (error) {
      this.log.warn(`${row.id} waits for Temporal: ${String(error)}`);
      return null;
    }
  }

  /** While more executions end than Temporal can be shown, the oldest of them are not shown. */
  private async boundBacklog(): Promise<number> {
    const { backlogMax } = this.settings.temporalSync;
    const [dropped] = await this.database.forgetful<{ count: number }>(dropOldest, [backlogMax]);
    const count = dropped?.count ?? 0;
    if (count > 0)
      this.log.warn(
        `${count} executions that have ended are not shown in Temporal: more than TEMPORAL_SYNC_BACKLOG_MAX (${backlogMax}) waited.`,
      );
    return count;
  }
}

const pending = /* sql */ `
select ${startColumns}, h.start_input from inline_start_outbox h join executions e on e.id = h.execution_id where h.execution_id = $1`;

/** The next attempt is set before the first: one that fails is not tried again at once. What can still go on comes first. */
const claim = /* sql */ `
update inline_start_outbox h set due_at = now() + interval '10 seconds'
from executions e
where e.id = h.execution_id and h.execution_id in (
  select execution_id from inline_start_outbox where due_at < now() order by ended, due_at limit $1 for update skip locked
)
returning ${startColumns}, h.start_input`;

const lag = /* sql */ `
select count(*)::int as count, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "oldestS"
from (select e.created_at from inline_start_outbox h join executions e on e.id = h.execution_id
  where h.ended = $1 order by h.due_at limit 10000) waiting`;

const done = 'delete from inline_start_outbox where execution_id = any($1)';

const dropOldest = /* sql */ `
with dropped as (
  delete from inline_start_outbox where execution_id in (
    select execution_id from inline_start_outbox where ended order by due_at desc offset $1 limit 5000
  ) returning 1
)
select count(*)::int as count from dropped`;
