import { Injectable, Logger } from '@nestjs/common';
import { WorkflowNotFoundError } from '@temporalio/client';
import { outsideTypes } from '#libs/language/definition/blocks/registry';
import { Database } from '#libs/platform/database/database';
import type { Failure } from '#libs/language/engine/effects';
import type { ResumePoint } from '#libs/language/engine/resume-point';
import { Settings } from '#libs/platform/settings/settings';
import { TemporalClient } from '#libs/platform/temporal-client/temporal-client';
import { enqueueInlineStart } from '../accept/accept.sql.ts';
import { noPauses, Recorder } from '../record/recorder.ts';
import { toPausedStart } from './workflow-starter.ts';

interface Row {
  id: string;
  workspace_id: string;
  root_id: string | null;
  status: string;
  /** A child whose parent has ended. */
  orphan: boolean;
}

/** Temporal lists a closed run a little later. */
const overlapMs = 120_000;
/** A new process looks this far back. The sweep finds runs that closed earlier. */
const firstLookMs = 3_600_000;
const pageSize = 500;

/**
 * Most open rows may be paused. While Temporal has as many runs as there are open rows, each paused row is checked
 * once a day.
 */
const pausedQuietMs = 24 * 3_600_000;

/**
 * Compares open rows with Temporal and repairs those that disagree: a run that an operator terminated, that
 * Temporal timed out, or that Temporal has lost. It leaves the rows of runs that Temporal still has to the runs
 * themselves.
 */
@Injectable()
export class Reconciler {
  private readonly log = new Logger(Reconciler.name);
  private closedSinceMs = Date.now() - firstLookMs;

  constructor(
    private readonly database: Database,
    private readonly temporal: TemporalClient,
    private readonly recorder: Recorder,
    private readonly settings: Settings,
  ) {}

  /**
   * Repairs open rows of runs that were closed from outside. Also repairs rows without a change for `quietMs` whose
   * runs Temporal does not have. Returns the ids of the repaired rows.
   */
  async turn(quietMs: number): Promise<string[]> {
    const closed = await this.repairClosed().catch((error: unknown) => {
      this.log.warn(`Temporal did not list what has closed: ${String(error)}`);
      return [];
    });
    const quiet = await this.database.system<Row>(quietRows, [quietMs / 1000]);
    const pausedMs = (await this.lacksRuns()) ? quietMs : Math.max(quietMs, pausedQuietMs);
    const paused = await this.database.system<Row>(pausedRows, [pausedMs / 1000]);
    return [...closed, ...(await this.repair([...quiet, ...paused]))];
  }

  /** Repairs the rows of runs that closed, a page at a time. A completed run has recorded its end itself. */
  private async repairClosed(): Promise<string[]> {
    const begunMs = Date.now();
    const closed = this.temporal.client.workflow.list({
      query: `TaskQueue = '${this.settings.queue}' and CloseTime >= '${new Date(this.closedSinceMs).toISOString()}'
        and ExecutionStatus in ('Terminated', 'TimedOut', 'Failed', 'Canceled')`,
      pageSize,
    });
    const repaired: string[] = [];
    let page: string[] = [];
    const flush = async () => {
      repaired.push(...(await this.repair(await this.database.system<Row>(openRows, [page]))));
      page = [];
    };
    for await (const { workflowId } of closed) {
      page.push(workflowId);
      if (page.length === pageSize) await flush();
    }
    await flush();
    this.closedSinceMs = begunMs - overlapMs;
    return repaired;
  }

  /**
   * True when Temporal has fewer open runs than the rows. Then it has lost some, for example after its data was
   * restored from a copy.
   */
  private async lacksRuns(): Promise<boolean> {
    const query = `TaskQueue = '${this.settings.queue}' and ExecutionStatus = 'Running'`;
    // Temporal is counted before the rows: a run that begins in between can cause one sweep too many, and no more.
    const running = await this.temporal.client.workflow.count(query).catch(() => null);
    const [open] = await this.database.system<{ count: number }>(countOpen);
    return running !== null && Number(open?.count) > running.count;
  }

  private async repair(rows: Row[]): Promise<string[]> {
    const repaired: string[] = [];
    let isNoted = false;
    for (const row of rows) {
      const ended = await this.endedInTemporal(row);
      if (!ended) continue;
      if (ended.failure === lost && !isNoted) {
        isNoted = true;
        await this.database.system(noteLostRun);
      }
      const saved = ended.failure === lost ? await this.save(row) : null;
      if (saved !== null) {
        this.log.warn(`Temporal does not know ${row.id}: ${saved}.`);
        repaired.push(row.id);
        continue;
      }
      const { failure, runId } = ended;
      const now = Date.now();
      await this.recorder.recordRun({
        workspaceId: row.workspace_id,
        executionId: row.id,
        // The pauses of a child are counted at its root.
        ...(row.root_id ? { rootId: row.root_id } : {}),
        // A run that was reset and ended before its first record keeps the block log as it was.
        ...(runId ? { temporal: { runId, keptMs: now } } : {}),
        atMs: now,
        status: failure.code === 'CANCELLED' ? 'cancelled' : 'failed',
        outcome: { status: failure.code === 'CANCELLED' ? 'cancelled' : 'failed', output: null, failure },
        startedAtMs: now,
        endedAtMs: now,
        visits: [],
        ...noPauses,
      });
      this.log.warn(`${row.id} was ${row.status} but Temporal says otherwise: ${failure.message}`);
      repaired.push(row.id);
    }
    return repaired;
  }

  /** Gives a lost run to an outbox again where that repeats nothing outside. Says how it goes on; null when it cannot. */
  private async save(row: Row): Promise<string | null> {
    if (await this.goesOn(row)) return 'it goes on from its recorded blocks';
    return (await this.beginsAgain(row)) ? 'it has done nothing outside, and begins again' : null;
  }

  /** Starts a run that waits for one answer from the state in its rows, as one that began inline. Its links stay. */
  private goesOn({ id, workspace_id: workspaceId }: Row): Promise<boolean> {
    return this.database.within(workspaceId, async (tx) => {
      const [found]: Resumable[] = await tx.query(findPaused, [id]);
      if (!found) return false;
      const { resumePoint, requestId, path, contextId } = found;
      const input = {
        ...toPausedStart(resumePoint, [{ path, contextId }]),
        ...(requestId ? { requestId } : {}),
      };
      await tx.query(enqueueInlineStart, [id, workspaceId, JSON.stringify(input)]);
      await tx.query(`update executions set temporal_run = null where id = $1`, [id]);
      await tx.query(`update paused_executions set applied_inline = null where execution_id = $1`, [id]);
      await tx.query(sendAgain, [id]);
      return true;
    });
  }

  /** Gives a run to the outbox again when nothing has left this system. Its pauses open again behind the same links. */
  private async beginsAgain({ id, workspace_id: workspaceId }: Row): Promise<boolean> {
    const rows = await this.database.statement(workspaceId, queueAnew, [id, outsideTypes]);
    return rows.length > 0;
  }

  /** The failure that ended the run from outside; null when Temporal still has the run or cannot be reached. */
  private async endedInTemporal(row: Row): Promise<{ failure: Failure; runId?: string } | null> {
    try {
      const { status, runId } = await this.temporal.client.workflow.getHandle(row.id).describe();
      if (status.name === 'RUNNING' || status.name === 'CONTINUED_AS_NEW') return null;
      return { failure: endOf(status.name), runId };
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) return null;
      // The outbox starts a queued row that Temporal does not know. A parent starts its child as long as it runs.
      if (row.status === 'queued') return row.orphan ? { failure: neverStarted } : null;
      return { failure: lost };
    }
  }
}

const lost: Failure = {
  code: 'ENGINE_LOST',
  message:
    'Temporal does not know this run any more, as after a restore of an older backup. It had called out and its rows do not say how far it was, so it did not begin again. Look at its blocks, and execute the workflow anew for what is missing.',
};

const neverStarted: Failure = {
  code: 'CANCELLED',
  message: 'The parent run ended before this run began.',
};

function endOf(status: string): Failure {
  if (status === 'CANCELLED') return { code: 'CANCELLED', message: 'The run was cancelled in Temporal.' };
  return { code: `ENGINE_${status}`, message: `The run was ${status.toLowerCase()} in Temporal.` };
}

const columns = /* sql */ `
id, workspace_id, root_id, status, exists (
  select from executions p where p.id = executions.parent_id and p.status in ('completed', 'failed', 'cancelled')
) as orphan`;

const countOpen = /* sql */ `
select (select count(*) from executions where status in ('running', 'paused'))::int - (select count(*) from direct_runs)::int as count`;

const openRows = /* sql */ `
select ${columns} from executions where id = any ($1) and status in ('queued', 'running', 'paused')`;

/**
 * Takes the rows by the time of their last check, oldest first. Temporal cannot have lost a run that it has not got
 * yet.
 */
const quiet = (status: string) => /* sql */ `
update executions set updated_at = now()
where id in (
  select id from executions
  where ${status} and updated_at < now() - make_interval(secs => $1)
    and not exists (select from inline_start_outbox h where h.execution_id = executions.id)
    and not exists (select from direct_runs d where d.execution_id = executions.id)
  order by updated_at limit 200 for update skip locked
)
returning ${columns}`;

const quietRows = quiet(`status in ('queued', 'running')`);
const pausedRows = quiet(`status = 'paused'`);

const noteLostRun = /* sql */ `
insert into repairs (lost_run_found_at) values (now())
on conflict (one) do update set lost_run_found_at = excluded.lost_run_found_at`;

interface Resumable {
  resumePoint: ResumePoint;
  requestId: string | null;
  path: string;
  contextId: string;
}

/** A run whose rows have the whole of its state, because it waits for one answer and for nothing else. */
const findPaused = /* sql */ `
select p.resume_point as "resumePoint", e.origin ->> 'requestId' as "requestId", t.path, t.context_id as "contextId"
from executions e
join paused_executions p on p.execution_id = e.id
join pause_points t on t.execution_id = e.id and t.resume_status in ('paused', 'queued', 'resuming')
where e.id = $1 and e.status = 'paused' and e.parent_id is null and e.cancel_requested_at is null
  and p.resume_point is not null
for update of e`;

/** The new run has what the API has applied inline, and needs each other answer. */
const sendAgain = /* sql */ `
update resume_entries set next_delivery_at = now(),
  acknowledged_at = case when status = 'pending' then null else coalesce(acknowledged_at, now()) end
where execution_id = $1 and status <> 'failed'`;

/** An execution that called out, began a child or took an answer cannot start again: only Temporal knew how far it was. */
const queueAnew = /* sql */ `
update executions e set status = 'queued', next_delivery_at = now(), delivery_attempts = 0
where id = $1 and status in ('running', 'paused') and parent_id is null
  and not exists (select from visits where execution_id = e.id and type = any($2))
  and not exists (select from call_claims where execution_id = e.id)
  and not exists (select from executions c where c.parent_id = e.id)
  and not exists (select from resume_entries where execution_id = e.id and status <> 'failed')
returning id`;
