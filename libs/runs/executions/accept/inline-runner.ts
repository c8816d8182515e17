import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Plan } from '#libs/language/definition/plan';
import type { ActivityEffect } from '#libs/language/engine/effects';
import { LoggedRun, type LoggedStep } from '#libs/language/engine/logged-run';
import { findOnlyActivity } from '#libs/language/engine/run-events';
import { buildFacts } from '#libs/language/engine/state';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { Settings } from '#libs/platform/settings/settings';
import { stopwatch } from '../advance/stopwatch.ts';
import type { AcceptedExecution } from './accepted-execution.ts';

/** A run that used nothing from outside. It has ended, or only people can continue it, or one effect comes next. */
export interface InlineRun {
  logged: LoggedRun;
  step: LoggedStep;
  /** The effect that comes next, when nothing else can happen. */
  effect: ActivityEffect | null;
}

/**
 * A plan that overruns this often in a row goes to Temporal for a while. A single overrun may come from a busy
 * machine.
 */
const overrunsMax = 3;
const slowForMs = 60_000;
const slowPlansMax = 10_000;

/**
 * Runs the first blocks in the process that accepts an execution, so that one commit has both. A slow plan goes to Temporal, because
 * other callers wait in this process.
 */
@Injectable()
export class InlineRunner {
  /** By plan hash: the overruns in a row. */
  private readonly overruns = new LRUCache<string, number>({ max: slowPlansMax, ttl: slowForMs });

  constructor(private readonly settings: Settings) {}

  /** Runs the first blocks of an execution. Null when Temporal must run it from its start. Writes nothing. */
  runFromStart(plan: Plan, execution: AcceptedExecution): InlineRun | null {
    return this.unlessSlow(execution.planHash, () => {
      const nowMs = Math.max(readClockMs(), execution.acceptedAtMs);
      const opening = { inputs: execution.inputs, run: buildFacts(execution, nowMs), nowMs };
      const logged = LoggedRun.open(plan, opening);
      const isOver = stopwatch(this.settings.inlineMaxMs);
      const step = logged.advance([{ kind: 'started' }], nowMs, { isOver, endedOnly: true });
      if (step.more) return 'overrun';
      const { run } = logged;
      const effect = findOnlyActivity(run, step.begun);
      if (run.done || effect) return { logged, step, effect };
      const isAtPause = run.waitingForPeople && run.openEffects.every(({ kind }) => kind === 'pause');
      if (!isAtPause) return null;
      // A pause is in the block log while it is open.
      return { logged, step: { ...step, visits: [...step.visits, ...logged.takeVisits()] }, effect: null };
    });
  }

  private unlessSlow(planHash: string, attempt: () => InlineRun | 'overrun' | null): InlineRun | null {
    if (this.settings.inlineMaxMs === 0 || this.isSlow(planHash)) return null;
    try {
      const result = attempt();
      if (result === 'overrun') this.noteOverrun(planHash);
      else this.overruns.delete(planHash);
      return result === 'overrun' ? null : result;
    } catch {
      // A fault of the engine ends the run in Temporal, because its log names the block.
      return null;
    }
  }

  private isSlow(planHash: string): boolean {
    return (this.overruns.get(planHash) ?? 0) >= overrunsMax;
  }

  private noteOverrun(planHash: string): void {
    this.overruns.set(planHash, (this.overruns.get(planHash) ?? 0) + 1);
  }
}
