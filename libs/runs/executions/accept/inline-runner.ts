import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Plan } from '#libs/language/definition/plan';
import type { JsonObject } from '#libs/platform/json/json';
import { BlockLines, snapshotOf } from '#libs/language/engine/block-lines';
import type { Outcome, PauseEffect, VisitEntry } from '#libs/language/engine/effects';
import { type ResumePoint, resumePointOf } from '#libs/language/engine/resume-point';
import { Run } from '#libs/language/engine/run';
import { factsOf } from '#libs/language/engine/state';
import { Settings } from '#libs/platform/settings/settings';
import type { RunRecord } from '#temporal/activities';
import { noPauses } from '../record/recorder.ts';
import type { AcceptedExecution } from './accepted-execution.ts';

/** A run that came to its end, or to where only people can continue it, without anything outside of it. */
export interface InlineRun {
  startedAtMs: number;
  /** Null when the run waits for people. */
  outcome: Outcome | null;
  visits: VisitEntry[];
  pauses: PauseEffect[];
  blocks: BlockLines;
  /** The run as it stands, to go on from. */
  run: Run;
}

/** The record of an inline run. It equals the record that the run itself would have made at that moment. */
export function recordOfInlineRun(
  about: Pick<
    AcceptedExecution,
    'executionId' | 'workspaceId' | 'workflowId' | 'version' | 'planHash' | 'acceptedAtMs'
  >,
  { startedAtMs, outcome, visits, pauses, blocks, run }: InlineRun,
  atMs: number,
): RunRecord {
  const resumePoint = resumePointOf(run, { blocks: blocks.all, startedAtMs, recordedAtMs: atMs });
  return {
    workspaceId: about.workspaceId,
    executionId: about.executionId,
    status: outcome?.status ?? 'paused',
    ...(outcome ? { outcome, endedAtMs: atMs } : { snapshot: snapshotOf(about, blocks.all, run.vars) }),
    atMs,
    startedAtMs,
    acceptedAtMs: about.acceptedAtMs,
    visits,
    ...noPauses,
    opened: outcome ? [] : pauses,
    ...(resumePoint ? { resumePoint } : {}),
  };
}

/** A plan that took too long so often, one time after the other, goes to Temporal for a while: once may be a busy machine. */
const overrunsMax = 3;
const slowForMs = 60_000;
const slowPlansMax = 10_000;

/**
 * Fast path: runs blocks in the process that accepts an execution or an answer, instead of in Temporal. Both use the same `Run`. Blocks
 * that need anything but people go to Temporal, and so do plans that take long, because other callers wait in this process.
 */
@Injectable()
export class InlineRunner {
  /** Counts by the hash of a plan how often in a row it took too long. */
  private readonly overruns = new LRUCache<string, number>({ max: slowPlansMax, ttl: slowForMs });

  constructor(private readonly settings: Settings) {}

  /** The first blocks of an execution. Null when Temporal must run it from its start. Nothing is written. */
  runFromStart(plan: Plan, execution: AcceptedExecution): InlineRun | null {
    return this.unlessSlow(execution.planHash, () => {
      const startedAtMs = Date.now();
      const about = factsOf(execution, startedAtMs);
      const run = Run.start(plan, { inputs: execution.inputs, run: about, nowMs: startedAtMs });
      return this.runOn(run, { startedAtMs, blocks: new BlockLines() }, Date.now);
    });
  }

  /**
   * The blocks after the answer to a pause, all at the moment `atMs`: the run itself does the same later, with the same times. Null
   * when only the run can go on.
   */
  runAfterAnswer(
    plan: Plan,
    planHash: string,
    { state, blocks, startedAtMs }: ResumePoint,
    { path, answers, atMs }: { path: string; answers: JsonObject; atMs: number },
  ): InlineRun | null {
    return this.unlessSlow(planHash, () => {
      const run = Run.restore(plan, state);
      if (!run.resume(path, answers, atMs)) return null;
      return this.runOn(run, { startedAtMs, blocks: new BlockLines(blocks) }, () => atMs);
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
      // A fault of the engine ends the run in Temporal, where the log says which block met it.
      return null;
    }
  }

  private runOn(
    run: Run,
    { startedAtMs, blocks }: Pick<InlineRun, 'startedAtMs' | 'blocks'>,
    clock: () => number,
  ): InlineRun | 'overrun' | null {
    const { inlineMaxMs } = this.settings;
    const hasComputed = stopwatch();
    const pauses: PauseEffect[] = [];
    while (run.hasReady) {
      for (const effect of run.takeReady(clock(), 1)) {
        if (effect.kind !== 'pause') return null;
        pauses.push(effect);
      }
      if (hasComputed(inlineMaxMs)) return 'overrun';
    }
    const outcome = run.outcome();
    if (!outcome && !run.waitingForPeople) return null;
    const cancelled = new Set(run.takeCancelled().map(({ path }) => path));
    const visits = run.takeLog();
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
    return (this.overruns.get(planHash) ?? 0) >= overrunsMax;
  }

  private noteOverrun(planHash: string): void {
    this.overruns.set(planHash, (this.overruns.get(planHash) ?? 0) + 1);
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
