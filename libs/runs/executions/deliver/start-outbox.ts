import { Injectable } from '@nestjs/common';
import { WorkflowNotFoundError } from '@temporalio/client';
import { Database } from '#libs/platform/database/database';
import { claimInTurn, isAnyDue } from '#libs/platform/database/fair-claim';
import { lagOver, Outbox } from '#libs/platform/database/outbox';
import type { AcceptedExecution } from '../accept/accepted-execution.ts';
import { InlineStartOutbox } from './inline-start-outbox.ts';
import {
  runInTraceOf,
  toAccepted,
  startColumns,
  WorkflowStarter,
  type StartRow,
} from './workflow-starter.ts';

interface Row extends StartRow {
  status: string;
  parent_id: string | null;
  cancelled: boolean;
}

/**
 * Tells Temporal of committed starts and cancels. The id of an execution is its workflow id, so a repeated start
 * changes nothing. Every start can take this plain path; the call that accepts an execution only tries the start at
 * once.
 */
@Injectable()
export class StartOutbox extends Outbox<Row> {
  readonly due = isAnyDue(waiting);
  protected readonly claim = claimRows;
  protected readonly lagOf = startsLag;

  constructor(
    database: Database,
    private readonly starter: WorkflowStarter,
    private readonly inlineStarts: InlineStartOutbox,
  ) {
    super(database);
  }

  /** Starts a newly accepted execution at once. When that fails, a later turn starts it. */
  async deliverNow(execution: AcceptedExecution): Promise<void> {
    await this.starter
      .start(execution)
      .catch((error: unknown) =>
        this.log.warn(`${execution.executionId} is not started yet: ${String(error)}`),
      );
  }

  protected async deliver(row: Row): Promise<void> {
    // Only its parent starts a child.
    if (row.status === 'queued' && row.parent_id === null) await this.start(row);
    if (row.cancelled) await this.cancel(row);
  }

  private async start(row: Row): Promise<void> {
    await runInTraceOf(row, () => this.starter.start(toAccepted(row)));
  }

  private async cancel({ id, workspace_id: workspaceId }: Row): Promise<void> {
    try {
      await this.inlineStarts.cancelExecution(workspaceId, id);
    } catch (error) {
      // A closed run takes no cancel: the reconciler repairs its row.
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }
}

/** The condition of due rows. An index covers it. */
const isDue = /* sql */ `
status in ('queued', 'running', 'paused') and (status = 'queued' or cancel_requested_at is not null)
and ((status = 'queued' and parent_id is null) or cancel_requested_at is not null)`;

const waiting = { table: 'executions', id: 'id', at: 'next_delivery_at', waits: [isDue] };

const startsLag = lagOver(`select coalesce(cancel_requested_at, created_at) as since from executions
  where ${isDue} and next_delivery_at < 'infinity' order by next_delivery_at limit 10000`);

/** Sets each row's next attempt to a later time before the attempt, so that a failed row is not tried again at once. */
const claimRows = /* sql */ `
update executions e set next_delivery_at = now() + least(8, 2 ^ least(delivery_attempts, 3)) * interval '1 second', delivery_attempts = delivery_attempts + 1
from (${claimInTurn(waiting)}
) due
where e.id = due.id
returning ${startColumns}, e.status, e.parent_id, e.cancel_requested_at is not null as cancelled`;
