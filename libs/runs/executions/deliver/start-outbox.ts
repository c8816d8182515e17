import { Injectable, Logger } from '@nestjs/common';
import { WorkflowNotFoundError } from '@temporalio/client';
import { Database } from '#libs/platform/database/database';
import { Deployments } from '#libs/runs/workflows/deployments';
import { InlineStartOutbox } from './inline-start-outbox.ts';
import { inTraceOf, requestOf, startColumns, WorkflowStarter, type StartRow } from './workflow-starter.ts';

/** The most rows of one turn: a backlog drains without one turn that lasts long. */
const batch = 50;
/** Of one turn so many are sent side by side: one that Temporal is slow to take does not hold up the others. */
const lanes = 8;

interface Row extends StartRow {
  status: string;
  parent_id: string | null;
  cancelled: boolean;
}

/**
 * Sends to Temporal what was committed and did not reach it: starts and cancels. Any number of relays may run: row
 * locks divide the work, and a repeated start changes nothing, because the execution's id is the workflow id.
 */
@Injectable()
export class StartOutbox {
  private readonly log = new Logger(StartOutbox.name);

  constructor(
    private readonly database: Database,
    private readonly deployments: Deployments,
    private readonly starter: WorkflowStarter,
    private readonly handovers: InlineStartOutbox,
  ) {}

  /** Runs one turn and returns how many rows were sent. */
  async turn(): Promise<number> {
    const rows = await this.database.forgetful<Row>(claimRows, [batch]);
    let done = 0;
    for (let from = 0; from < rows.length; from += lanes) {
      const sent = await Promise.all(rows.slice(from, from + lanes).map((row) => this.deliver(row)));
      done += sent.filter(Boolean).length;
    }
    return done;
  }

  /** Resolves to whether Temporal has it. Each call to Temporal has a deadline of its own. */
  private async deliver(row: Row): Promise<boolean> {
    try {
      // A child is started by its parent alone.
      if (row.status === 'queued' && row.parent_id === null) await this.start(row);
      if (row.cancelled) await this.cancel(row);
      return true;
    } catch (error) {
      this.log.warn(`${row.id} waits for Temporal: ${String(error)}`);
      return false;
    }
  }

  /** What Temporal does not have yet: how much, counted to ten thousand, and for how long. */
  async lag(): Promise<{ count: number; oldestS: number }> {
    const [row] = await this.database.system<{ count: number; oldestS: number }>(lag);
    return row ?? { count: 0, oldestS: 0 };
  }

  private async start(row: Row): Promise<void> {
    const plan = await this.deployments.plan(row.workspace_id, row.plan_hash);
    await inTraceOf(row, () => this.starter.start(requestOf(row), plan));
  }

  private async cancel({ id, workspace_id: workspaceId }: Row): Promise<void> {
    try {
      await this.handovers.cancelExecution(workspaceId, id);
    } catch (error) {
      // A closed run takes no cancel: the reconciler repairs its row.
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }
}

/** What is due for the relay, by its index. */
const isDue = /* sql */ `
status in ('queued', 'running', 'paused') and (status = 'queued' or cancel_requested_at is not null)
and ((status = 'queued' and parent_id is null) or cancel_requested_at is not null)`;

const lag = /* sql */ `
select count(*)::int as count, coalesce(extract(epoch from now() - min(since)), 0)::float8 as "oldestS"
from (select coalesce(cancel_requested_at, created_at) as since from executions
  where ${isDue} order by relay_after limit 10000) due`;

/**
 * Sets each row's next attempt to a later time before it is tried, so that one that fails is not tried again at
 * once.
 */
const claimRows = /* sql */ `
update executions e set relay_after = now() + least(8, 2 ^ least(relayed, 3)) * interval '1 second', relayed = relayed + 1
from (
  select id from executions
  where ${isDue} and relay_after < now()
  order by relay_after limit $1 for update skip locked
) due
where e.id = due.id
returning ${startColumns}, e.status, e.parent_id, e.cancel_requested_at is not null as cancelled`;
