import { Injectable } from '@nestjs/common';
import type { Workflow, WorkflowStartOptions } from '@temporalio/client';
import { Database } from '../database/database.ts';
import { claimInTurn, isAnyDue, type WaitingRows } from '../database/fair-claim.ts';
import { lagOver, Outbox } from '../database/outbox.ts';
import { Settings } from '../settings/settings.ts';
import { startOnce, startSoon } from './start-once.ts';
import { TemporalClient } from './temporal-client.ts';

/** The start of a job's workflow, without what all jobs have in common. */
export type JobStart<W extends Workflow> = Omit<WorkflowStartOptions<W>, 'taskQueue' | 'priority'>;

/**
 * Starts workflows in Temporal for the rows of a table of jobs. The workflow id belongs to the job, so a second start changes nothing while
 * the workflow runs. The outbox delivers a job that waits too long again. Temporal then restarts a workflow that ended without a result.
 */
@Injectable()
export abstract class JobOutbox<
  Row extends { id: string; workspaceId: string },
  W extends Workflow,
> extends Outbox<Row> {
  protected abstract readonly workflow: string;

  constructor(
    database: Database,
    private readonly temporal: TemporalClient,
    private readonly settings: Settings,
  ) {
    super(database);
  }

  protected abstract buildStart(row: Row, queue: string): JobStart<W>;

  /** Starts the workflows at once. When Temporal is unavailable, the outbox starts them later. */
  async deliverNow(rows: readonly Row[]): Promise<void> {
    await startSoon(this.temporal, async () => {
      for (const row of rows) await this.deliver(row);
    });
  }

  protected async deliver(row: Row): Promise<void> {
    const { queue } = this.settings;
    const priority = { priorityKey: 4, fairnessKey: row.workspaceId };
    const start = { ...this.buildStart(row, queue), taskQueue: queue, priority };
    await startOnce<W>(this.temporal, this.workflow, start as WorkflowStartOptions<W>);
  }
}

const waitingJobs = (table: string, id: string): WaitingRows => ({
  table,
  id,
  at: 'next_delivery_at',
  waits: [`status in ('pending', 'processing')`],
});

/** Returns SQL that is true when a job of a table is due. */
export const isJobDue = (table: string): string => isAnyDue(waitingJobs(table, 'id'));

/** Returns SQL that claims due jobs of a table and returns their `columns`. */
export const claimJobs = (table: string, id: string, columns: string): string => /* sql */ `
update ${table} job set next_delivery_at = now() + case when job.status = 'pending' then interval '8 seconds' else interval '1 minute' end
from (${claimInTurn(waitingJobs(table, id))}
) due
where job.${id} = due.${id}
returning job.id, job.workspace_id as "workspaceId", ${columns}`;

/** Returns SQL that returns the lag of the jobs of a table. */
export const jobsLag = (table: string): string =>
  lagOver(
    `select created_at as since from ${table} where status = 'pending' order by next_delivery_at limit 10000`,
  );
