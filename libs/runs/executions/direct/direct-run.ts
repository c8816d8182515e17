import type { BlockLines } from '#libs/language/engine/block-lines';
import type { ActivityEffect, Outcome, VisitEntry } from '#libs/language/engine/effects';
import type { Run } from '#libs/language/engine/run';
import { applyEvent, findOnlyActivity, type RunEvent } from '#libs/language/engine/run-events';
import type { CarriedRun } from '#temporal/messages';
import type { AcceptedExecution } from '../accept/accepted-execution.ts';

/** The most computing between two effects, in milliseconds. Temporal goes on with a run that needs more. */
const computeMsMax = 20;

/** What follows from an event, before any commit. */
export interface RunStep {
  event: RunEvent | null;
  number: number;
  atMs: number;
  /** The visits that have ended. */
  visits: VisitEntry[];
  /** The effect with which the process goes on. Null when the run has ended or Temporal goes on. */
  next: ActivityEffect | null;
  outcome: Outcome | null;
  /** The state from which Temporal goes on. */
  carried: CarriedRun | null;
}

/** A run that a process carries out by itself. */
export class DirectRun {
  /** `events` is the number of events that the run has come through. */
  constructor(
    readonly execution: AcceptedExecution,
    readonly engine: Run,
    readonly blocks: BlockLines,
    readonly times: { startedAtMs: number; createdAt: Date | undefined },
    private events = 0,
  ) {}

  /** Applies an event and runs the blocks behind it. `mayGoOn` says whether this process may carry out the next effect. */
  applyEvent(event: RunEvent, mayGoOn: (next: ActivityEffect) => boolean): RunStep {
    const { engine } = this;
    const atMs = this.nowMs;
    applyEvent(engine, { event, atMs });
    const endsAtMs = performance.now() + computeMsMax;
    const ready = [];
    while (engine.hasReady && performance.now() < endsAtMs) ready.push(...engine.takeReady(atMs, 100));
    engine.takeCancelled();
    const visits = this.takeVisits();
    const about = { event, number: ++this.events, atMs, visits };
    const outcome = engine.outcome();
    if (outcome) return { ...about, next: null, outcome, carried: null };
    const next = findOnlyActivity(engine, ready);
    if (next && mayGoOn(next)) return { ...about, next, outcome: null, carried: null };
    engine.holdBack(ready);
    return { ...about, next: null, outcome: null, carried: this.buildCarried(atMs) };
  }

  /** Hands the run over as it is, with its open effect. */
  leave(failed?: CarriedRun['failed']): RunStep {
    const atMs = this.nowMs;
    const carried = { ...this.buildCarried(atMs), ...(failed ? { failed } : {}) };
    const visits = this.takeVisits();
    return { event: null, number: this.events, atMs, visits, next: null, outcome: null, carried };
  }

  private takeVisits(): VisitEntry[] {
    const visits = this.engine.takeEnded();
    for (const visit of visits) this.blocks.note(visit);
    return visits;
  }

  /** The log never goes backwards, also where the clocks of two machines differ. */
  private get nowMs(): number {
    return Math.max(Date.now(), this.engine.loggedMs);
  }

  private buildCarried(atMs: number): CarriedRun {
    return {
      state: this.engine.state,
      ledger: { open: {}, taken: [], uncompleted: [], everPaused: false },
      blocks: this.blocks.all,
      usedMs: Math.max(0, atMs - this.times.startedAtMs),
      startedAtMs: this.times.startedAtMs,
      shown: 'running',
      recordedAtMs: atMs,
    };
  }
}
