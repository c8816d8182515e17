import { Injectable, Logger } from '@nestjs/common';
import { WorkflowNotFoundError } from '@temporalio/client';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { Database, send } from '#libs/platform/database/database';
import type { Failure } from '#libs/language/engine/effects';
import { Settings } from '#libs/platform/settings/settings';
import { TemporalClient } from '#libs/platform/temporal-client/temporal-client';
import { enqueueInlineStart, isWithTemporal, openInTemporal } from '../accept/accept.sql.ts';
import { noPauses, Recorder } from '../record/recorder.ts';
import { RunAdvance } from '../advance/run-advance.ts';
import { RunLog } from '../advance/run-log.ts';
import { retriedRun } from '#temporal/activities';
import { toCarriedStart, toRetriedStart } from './workflow-starter.ts';

interface Row {
  id: string;
  workspace_id: string;
  root_id: string | null;
  status: string;
  /** A child whose parent has ended. */
  orphan: boolean;
  /** Its next Temporal run has not taken the rows yet. */
  retried: boolean;
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
  private readonly logger = new Logger(Reconciler.name);
  /** Unknown until the first look. */
  private closedSinceMs: number | undefined;

  constructor(
    private readonly database: Database,
    private readonly temporal: TemporalClient,
    private readonly recorder: Recorder,
    private readonly runs: RunAdvance,
    private readonly log: RunLog,
    private readonly settings: Settings,
  ) {}

  /**
   * Repairs open rows of runs that were closed from outside. Also repairs rows without a change for `quietMs` whose
   * runs Temporal does not have. Returns the ids of the repaired rows.
   */
  async turn(quietMs: number): Promise<string[]> {
    const closed = await this.repairClosed().catch((error: unknown) => {
      this.logger.warn(`Temporal did not list what has closed: ${String(error)}`);
      return [];
    });
    const quiet = await this.database.system<Row>(quietRows, [quietMs / 1000]);
    const pausedMs = (await this.lacksRuns()) ? quietMs : Math.max(quietMs, pausedQuietMs);
    const paused = await this.database.system<Row>(pausedRows, [pausedMs / 1000]);
    return [...closed, ...(await this.repair([...quiet, ...paused]))];
  }

  /** Repairs the rows of runs that closed, a page at a time. A completed run has recorded its end itself. */
  private async repairClosed(): Promise<string[]> {
    const begunMs = readClockMs();
    const sinceMs = this.closedSinceMs ?? begunMs - firstLookMs;
    const closed = this.temporal.client.workflow.list({
      query: `TaskQueue = '${this.settings.queue}' and CloseTime >= '${new Date(sinceMs).toISOString()}'
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
    return running !== null && (open?.count ?? 0) > running.count;
  }

  private async repair(rows: Row[]): Promise<string[]> {
    const repaired: string[] = [];
    let isNoted = false;
    for (const row of rows) {
      const ended = await this.endedInTemporal(row);
      if (!ended) continue;
      if (row.retried) {
        if (await this.startRetried(row)) repaired.push(row.id);
        continue;
      }
      if (ended.failure === lost && !isNoted) {
        isNoted = true;
        await this.database.system(noteLostRun);
      }
      if (ended.failure === lost && (await this.save(row))) {
        this.logger.warn(`Temporal does not know ${row.id}: it goes on from its events.`);
        repaired.push(row.id);
        continue;
      }
      const { failure, runId } = ended;
      const now = readClockMs();
      await this.recorder.recordRun({
        workspaceId: row.workspace_id,
        executionId: row.id,
        // The pauses of a child are counted at its root.
        ...(row.root_id ? { rootId: row.root_id } : {}),
        // A run that was reset and ended before its first record keeps the block log as it was.
        ...(runId ? { temporal: { runId, number: noRewind } } : {}),
        atMs: now,
        status: failure.code === 'CANCELLED' ? 'cancelled' : 'failed',
        outcome: { status: failure.code === 'CANCELLED' ? 'cancelled' : 'failed', output: null, failure },
        startedAtMs: now,
        endedAtMs: now,
        visits: [],
        calls: [],
        ...noPauses,
      });
      this.logger.warn(`${row.id} was ${row.status} but Temporal says otherwise: ${failure.message}`);
      repaired.push(row.id);
    }
    return repaired;
  }

  /**
   * Lets Temporal go on with a lost run from its rows. Its children follow it. Calls under way may have been sent. Returns false when the rows
   * do not say how far the run was.
   */
  private save({ id, workspace_id: workspaceId, orphan }: Row): Promise<boolean> {
    return this.database.within(workspaceId, async (tx) => {
      const moved = orphan ? null : await this.runs.advanceWithin(tx, id, [{ kind: 'lost' }]);
      if (!moved || moved.logged.number < 2) return false;
      const { row, logged } = moved;
      // Its children go on with it, and their calls may have been sent too.
      for (const child of await send(tx, openDescendants, [id]))
        await this.runs.advanceWithin(tx, String(child['id']), [{ kind: 'lost' }]);
      await send(tx, disownRuns, [id]);
      if (row.parent_id !== null) return true;
      const input = toCarriedStart({ number: logged.number, usedMs: 0 }, row.origin);
      await send(tx, enqueueInlineStart, [id, workspaceId, JSON.stringify(input)]);
      return true;
    });
  }

  /**
   * Lets Temporal start the next run of a retried execution, whose former run has closed. Returns false when that start waits already, or
   * when a parent makes it.
   */
  private startRetried({ id, workspace_id: workspaceId }: Row): Promise<boolean> {
    return this.database.within(workspaceId, async (tx) => {
      const locked = await this.log.lockRun(tx, id);
      if (!locked) return false;
      const start = JSON.stringify(toRetriedStart(locked.number, locked.row.origin));
      const added = await send(tx, addRetriedStart, [id, start]);
      if (added.length > 0) this.logger.warn(`Temporal has no run of the retried ${id}: it is started.`);
      return added.length > 0;
    });
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

/** No log has this event, so the rows stay as they are. */
const noRewind = 2_147_483_647;

const lost: Failure = {
  code: 'ENGINE_LOST',
  message:
    'Temporal does not know this run any more, and its rows do not say how far it was: an older release began it. Look at its blocks, and execute the workflow anew for what is missing.',
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
) as orphan, temporal_run is not distinct from '${retriedRun}' as retried`;

/** $1 execution, $2 an `InlineStartInput` */
const addRetriedStart = /* sql */ `
insert into inline_start_outbox (execution_id, workspace_id, ended, start_input, due_at)
select id, workspace_id, false, $2::json, now() from executions
where id = $1 and temporal_run = '${retriedRun}' and parent_id is null and status in ('running', 'paused')
on conflict do nothing
returning execution_id`;

const countOpen = `select count(*)::int as count ${openInTemporal}`;

const openRows = /* sql */ `
select ${columns} from executions where id = any ($1) and status in ('queued', 'running', 'paused') and ${isWithTemporal}`;

/**
 * Takes the rows by the time of their last check, oldest first. Temporal cannot have lost a run that it has not got
 * yet.
 */
const quiet = (status: string) => /* sql */ `
update executions set updated_at = now()
where id in (
  select id from executions
  where ${status} and updated_at < now() - make_interval(secs => $1)
    and ${isWithTemporal}
  order by updated_at limit 200 for update skip locked
)
returning ${columns}`;

// What a hold keeps back is not in Temporal.
const quietRows = quiet(`status in ('queued', 'running') and next_delivery_at < 'infinity'`);
const pausedRows = quiet(`status = 'paused'`);

const noteLostRun = /* sql */ `
insert into repairs (lost_run_found_at) values (now())
on conflict (one) do update set lost_run_found_at = excluded.lost_run_found_at`;

/** $1 outermost execution */
const openDescendants = `select id from executions where root_id = $1 and status in ('running', 'paused') order by depth, id`;

/** Lets any Temporal run take the rows of an execution and of its children. $1 execution */
const disownRuns = 'update executions set temporal_run = null where id = $1 or root_id = $1';
