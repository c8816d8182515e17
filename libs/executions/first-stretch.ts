import { Injectable } from '@nestjs/common';
import type { Plan } from '#libs/definition/plan';
import type { JsonObject } from '#libs/definition/values';
import { BlockLines } from '#libs/engine/block-lines';
import type { Outcome, PauseEffect, VisitEntry } from '#libs/engine/effects';
import { Run } from '#libs/engine/run';
import { factsOf } from '#libs/engine/state';
import { Settings } from '#libs/settings/settings';

/** What a run needs to begin. */
export interface Beginning {
  executionId: string;
  workspaceId: string;
  workflowId: string;
  version: number;
  planHash: string;
  mode: 'sync' | 'async';
  trigger: string;
  inputs: JsonObject;
}

/** How far a run came without anything outside of it: to its end, or until only people can continue it. */
export interface FirstStretch {
  startedAtMs: number;
  /** Null when the run waits for people. */
  outcome: Outcome | null;
  visits: VisitEntry[];
  pauses: PauseEffect[];
  blocks: BlockLines;
  /** The run as it stands, to go on from. */
  run: Run;
}

/** A plan that took too long so often, one time after the other, goes to Temporal for a while: once may be a busy machine. */
const overrunsMax = 3;
const slowForMs = 60_000;
const slowPlansMax = 10_000;

/**
 * Runs the first blocks of an execution in the process that accepts it. What needs anything but people goes to Temporal from
 * its start, and so does what takes long: other callers wait in this process.
 */
@Injectable()
export class FirstStretches {
  /** The plans that took too long, by hash: how often, and the last time. */
  private readonly slow = new Map<string, { overruns: number; atMs: number }>();

  constructor(private readonly settings: Settings) {}

  /** Null when Temporal must run the execution from its start. Nothing is written. */
  run(plan: Plan, beginning: Beginning): FirstStretch | null {
    if (this.settings.firstStretchMs === 0 || this.isSlow(beginning.planHash)) return null;
    try {
      return this.attempt(plan, beginning);
    } catch {
      // A fault of the engine ends the run in Temporal, where the log says which block met it.
      return null;
    }
  }

  private attempt(plan: Plan, beginning: Beginning): FirstStretch | null {
    const { firstStretchMs } = this.settings;
    const hasComputed = stopwatch();
    const startedAtMs = Date.now();
    const about = factsOf(beginning, startedAtMs);
    const run = Run.start(plan, { inputs: beginning.inputs, run: about, nowMs: startedAtMs });
    const pauses: PauseEffect[] = [];
    while (run.hasReady) {
      for (const effect of run.takeReady(Date.now(), 1)) {
        if (effect.kind !== 'pause') return null;
        pauses.push(effect);
      }
      if (!hasComputed(firstStretchMs)) continue;
      this.noteOverrun(beginning.planHash);
      return null;
    }
    this.slow.delete(beginning.planHash);
    const outcome = run.outcome();
    if (!outcome && !run.waitingForPeople) return null;
    const cancelled = new Set(run.takeCancelled().map(({ path }) => path));
    const visits = run.takeLog();
    const blocks = new BlockLines();
    for (const visit of visits) blocks.note(visit);
    return {
      startedAtMs,
      outcome,
      visits,
      pauses: pauses.filter(({ visit }) => !cancelled.has(visit.path)),
      blocks,
      run,
    };
  }

  private isSlow(planHash: string): boolean {
    const known = this.slow.get(planHash);
    if (!known || known.overruns < overrunsMax) return false;
    if (performance.now() - known.atMs < slowForMs) return true;
    this.slow.delete(planHash);
    return false;
  }

  private noteOverrun(planHash: string): void {
    const overruns = (this.slow.get(planHash)?.overruns ?? 0) + 1;
    if (this.slow.size >= slowPlansMax) this.slow.clear();
    this.slow.set(planHash, { overruns, atMs: performance.now() });
  }
}

/**
 * Tells whether this process has computed for so many milliseconds since now. On a busy machine it waits for a processor as well, and a
 * plan can do nothing about that. The time by the clock is asked first, since it costs a hundredth of what the other does.
 */
function stopwatch(): (forMs: number) => boolean {
  const [begun, cpuBegun] = [performance.now(), process.cpuUsage()];
  return (forMs) => {
    if (performance.now() - begun < forMs) return false;
    const { user, system } = process.cpuUsage(cpuBegun);
    return (user + system) / 1000 >= forMs;
  };
}
