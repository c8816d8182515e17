import { Injectable } from '@nestjs/common';
import { findBlock, type PlanBlock } from '#libs/language/definition/plan';
import type { EntityManager } from 'typeorm';
import type { ActivityEffect, EvaluateEffect } from '#libs/language/engine/effects';
import { findOnlyActivity, type RunEvent } from '#libs/language/engine/run-events';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { afterCommit, Database, send, type Statement } from '#libs/platform/database/database';
import { NotFound } from '#libs/platform/errors/errors';
import { sqlState } from '#libs/platform/database/violations';
import type { Advanced, LineResult, RunChange, RunKey, RunRecord } from '#temporal/activities';
import type { Packed } from '../record/pack.ts';
import { storing } from '../record/payloads.ts';
import { Recorder } from '../record/recorder.ts';
import { Resets } from '../record/resets.ts';
import { type LockedExecution, type LockedRun, RunLog } from './run-log.ts';
import { eventsAfter, ownRows, showStatus, takenSince } from './run-log.sql.ts';
import { stopwatch } from './stopwatch.ts';
import { advanceToRest, type MovedRun, toAdvanced, toRecord, toStatus } from './run-step.ts';

/** A turn that computes longer returns, and the next one goes on. In milliseconds. */
const turnMsMax = 5000;

/** The most computing in one transaction, in milliseconds: other runs wait for this process. */
const computeMsMax = 50;

/** One locked run with what has followed. */
interface Moved extends MovedRun {
  row: LockedExecution;
}

/** The one door into a run: locks it, applies events, runs the blocks behind them, and writes all that follows in one transaction. */
@Injectable()
export class RunAdvance {
  constructor(
    private readonly database: Database,
    private readonly log: RunLog,
    private readonly recorder: Recorder,
    private readonly resets: Resets,
  ) {}

  /** Finds a block in the version that a run of this transaction is on. */
  async findBlock(tx: EntityManager, executionId: string, blockId: string): Promise<PlanBlock | undefined> {
    const locked = await this.log.lockRun(tx, executionId);
    return locked ? findBlock((await this.log.openRun(tx, locked.row)).plan.blocks, blockId) : undefined;
  }

  /**
   * Applies the events of a Temporal run, and those that follow from rendering blocks over stored values. Returns what the run needs
   * next. The same change twice is applied once.
   */
  async advance(
    run: RunKey,
    { events, nowMs, seq }: RunChange,
    evaluate: (effect: EvaluateEffect) => Promise<RunEvent>,
  ): Promise<Advanced> {
    const endsAtMs = performance.now() + turnMsMax;
    let known = run.temporal?.number ?? 0;
    const applyEvents = async (next: RunEvent[]): Promise<Moved> => {
      const moved = await this.commit(run, known, { events: next, nowMs });
      known = moved.logged.number;
      return moved;
    };
    return advanceToRest(events, { seq, applyEvents, evaluate, isOver: () => performance.now() >= endsAtMs });
  }

  /**
   * Commits the output of an effect that alone was open, with its stored values. Returns the effect that follows it alone; null when there is
   * none, or when the run must end. `ended` is present when the run has ended.
   */
  async advanceLine(
    run: RunKey,
    event: RunEvent,
    { nowMs, payloads }: { nowMs: number; payloads: Packed['payloads'] },
  ): Promise<{ next: ActivityEffect | null; number: number; ended: Advanced | null }> {
    const moved = await this.commit(
      run,
      run.temporal?.number ?? 0,
      { events: [event], nowMs },
      storing(run, payloads),
    );
    const { logged, step, row } = moved;
    // An attempt that was thought to be lost has committed this output first, and goes on itself.
    const isLate = step.logged.length === 0;
    const next =
      isLate || step.more || row.is_cancelled ? null : findOnlyActivity(logged.run, logged.run.openEffects);
    return { next, number: logged.number, ended: logged.run.done ? toAdvanced(null, moved, 0) : null };
  }

  /** The outputs that the rows have since the event that the key names. */
  async readOutputs({ workspaceId, executionId, temporal }: RunKey): Promise<LineResult['settled']> {
    const rows = await this.database.statement(workspaceId, eventsAfter, [
      executionId,
      temporal?.number ?? 0,
    ]);
    return rows.flatMap((row) => {
      const event = row['event'] as RunEvent;
      return event.kind === 'succeeded' ? [{ path: event.path, output: event.output }] : [];
    });
  }

  /** True when the effect at the path has ended since the event that the key names, or the process of the key has lost the run. */
  async isTaken({ workspaceId, executionId, temporal, process }: RunKey, path: string): Promise<boolean> {
    const values = [executionId, temporal?.number ?? 0, path, process ?? null];
    const rows = await this.database.statement(workspaceId, takenSince, values);
    return rows.length > 0;
  }

  /** Applies events within a transaction. Null when there is no such execution, or it has ended. Other work of the run goes on in Temporal. */
  async advanceWithin(
    tx: EntityManager,
    executionId: string,
    events: RunEvent[],
    given: { claimed?: RunRecord['claimed']; isOver?: () => boolean } = {},
  ): Promise<Moved | null> {
    const locked = await this.log.lockRun(tx, executionId);
    if (!locked || !isOpen(locked.row)) return null;
    return this.move(tx, locked, events, { nowMs: readClockMs(), ...given });
  }

  private async commit(
    run: RunKey,
    known: number,
    { events, nowMs }: Pick<RunChange, 'events' | 'nowMs'>,
    along: Statement[] = [],
  ): Promise<Moved> {
    const attempt = (given: RunEvent[]) =>
      this.resets.commitAsOwner(run, () =>
        this.database.within(run.workspaceId, async (tx) => {
          const locked = await this.log.lockRun(tx, run.executionId);
          if (!locked) throw new NotFound('execution');
          this.resets.requireOwner(run, locked.row.temporal_run);
          const opening: RunEvent[] =
            locked.number > 0 ? [] : [{ kind: locked.row.is_cancelled ? 'cancelled' : 'started' }];
          return this.move(tx, locked, isOpen(locked.row) ? [...opening, ...given] : [], {
            run,
            nowMs,
            known,
            along,
            isOver: stopwatch(computeMsMax),
          });
        }),
      );
    try {
      return await attempt(events);
    } catch (error) {
      // A value that follows from the events fits in no row.
      if (!sqlState(error)?.startsWith('22')) throw error;
      return attempt([{ kind: 'crashed', message: String(error) }]);
    }
  }

  private async move(
    tx: EntityManager,
    locked: LockedRun,
    events: RunEvent[],
    {
      run,
      nowMs,
      known = locked.number,
      claimed = [],
      isOver,
      along = [],
    }: {
      run?: RunKey;
      nowMs: number;
      known?: number;
      /** The answer that the step takes. */
      claimed?: RunRecord['claimed'];
      isOver?: () => boolean;
      along?: Statement[];
    },
  ): Promise<Moved> {
    const { row } = locked;
    const found = await this.log.readRun(tx, locked);
    const logged = found.run;
    const step = logged.advance(events, nowMs, { isOver });
    if (step.logged.length > 0) {
      const before = [...this.log.buildStatements(row, found, step), ...along];
      const change = {
        ...toRecord(row, logged, step),
        claimed,
        ...(run?.temporal ? { temporal: run.temporal } : {}),
      };
      await this.recorder.recordWithin(tx, change, {
        along: before,
        // A Temporal run works in the trace of its start.
        origin: run ? undefined : row.origin,
      });
    } else if (run?.temporal && isOpen(row)) {
      const status = toStatus(logged);
      if (row.temporal_run === null) await send(tx, ownRows, [row.id, run.temporal.runId]);
      // A reset, or an answer to a child, has shown it as running.
      if (row.status !== status && status !== 'queued') await send(tx, showStatus, [row.id, status]);
    }
    const owner = run?.temporal ? run.temporal.runId : row.temporal_run;
    afterCommit(tx, () => this.log.keepRun(row.id, { ...found, owner }));
    return { row, status: toStatus(logged), logged, step, wasBehind: known !== locked.number };
  }
}

const isOpen = ({ status }: LockedExecution): boolean => ['queued', 'running', 'paused'].includes(status);
