import type { ActivityEffect, Outcome } from '#libs/language/engine/effects';
import type { LoggedRun, LoggedStep } from '#libs/language/engine/logged-run';
import { findOnlyActivity, type RunEvent } from '#libs/language/engine/run-events';
import type { RunRecord } from '#temporal/activities';
import { toRecord, toRecorded } from '../advance/run-step.ts';
import { stopwatch } from '../advance/stopwatch.ts';
import type { CarriedRun } from '#temporal/messages';
import { readClockMs } from '#libs/platform/clock/database-clock';
import type { AcceptedExecution } from '../accept/accepted-execution.ts';

/** The most computing between two effects, in milliseconds. Temporal goes on with a run that needs more. */
const computeMsMax = 20;

/** What follows from an event, before any commit. */
export interface RunStep extends LoggedStep {
  /** The step as a record of the run. */
  record: RunRecord;
  /** The effect with which the process goes on. Null when the run has ended or Temporal goes on. */
  next: ActivityEffect | null;
  outcome: Outcome | null;
  /** Where Temporal goes on. */
  carried: CarriedRun | null;
}

/** A run that a process carries out by itself. */
export class DirectRun {
  constructor(
    readonly execution: AcceptedExecution,
    readonly logged: LoggedRun,
    readonly createdAt: Date | undefined,
  ) {}

  /** Applies events and runs the blocks behind them. `mayGoOn` says whether this process may carry out the next effect. */
  applyEvents(
    events: RunEvent[],
    mayGoOn: (next: ActivityEffect) => boolean,
    failed?: CarriedRun['failed'],
  ): RunStep {
    const { logged } = this;
    const { run } = logged;
    const step = logged.advance(events, readClockMs(), { isOver: stopwatch(computeMsMax), endedOnly: true });
    const outcome = run.outcome();
    const only = step.more || outcome ? null : findOnlyActivity(run, step.begun);
    const next = only && mayGoOn(only) ? only : null;
    if (outcome || next) return { ...step, record: this.toRecord(step), next, outcome, carried: null };
    const usedMs = Math.max(0, step.atMs - logged.startedAtMs);
    const carried: CarriedRun = {
      number: logged.number,
      usedMs,
      ...(run.waitingForPeople ? { isPaused: true } : {}),
      ...(failed ? { failed } : {}),
    };
    // What is open is in the block log from now on.
    const left = { ...step, visits: [...step.visits, ...logged.takeVisits()] };
    return { ...left, record: this.toRecord(left), next: null, outcome: null, carried };
  }

  /** The paths of the effects that are open. */
  get openPaths(): string[] {
    return this.logged.run.openEffects.map(({ visit }) => visit.path);
  }

  private toRecord(step: LoggedStep): RunRecord {
    return toRecord(toRecorded(this.execution), this.logged, step);
  }

  /** Hands the run over as it is, with its open effect. */
  leave(failed?: CarriedRun['failed']): RunStep {
    return this.applyEvents([], () => false, failed);
  }

  /** Hands the run over after its process was lost. Its call may have been sent. */
  leaveLost(): RunStep {
    return this.applyEvents([{ kind: 'lost' }], () => false);
  }
}
