import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Plan } from '#libs/language/definition/plan';
import type { JsonObject } from '#libs/platform/json/json';
import { BlockLines, buildSnapshot } from '#libs/language/engine/block-lines';
import type { ActivityEffect, Effect, Outcome, PauseEffect, VisitEntry } from '#libs/language/engine/effects';
import { type ResumePoint, buildResumePoint } from '#libs/language/engine/resume-point';
import { Run } from '#libs/language/engine/run';
import { findOnlyActivity } from '#libs/language/engine/run-events';
import { buildFacts } from '#libs/language/engine/state';
import { Settings } from '#libs/platform/settings/settings';
import type { RunRecord } from '#temporal/activities';
import { noPauses } from '../record/recorder.ts';
import type { AcceptedExecution } from './accepted-execution.ts';

/** A run that used nothing from outside. It has ended, or only people can continue it, or one effect comes next. */
export interface InlineRun {
  startedAtMs: number;
  /** Null when the run goes on. */
  outcome: Outcome | null;
  /** The effect that comes next, when nothing else can happen. */
  effect: ActivityEffect | null;
  visits: VisitEntry[];
  pauses: PauseEffect[];
  blocks: BlockLines;
  /** The state of the run, from which it can go on. */
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
  const resumePoint = buildResumePoint(run, { blocks: blocks.all, startedAtMs, recordedAtMs: atMs });
  return {
    workspaceId: about.workspaceId,
    executionId: about.executionId,
    status: outcome?.status ?? 'paused',
    ...(outcome ? { outcome, endedAtMs: atMs } : { snapshot: buildSnapshot(about, blocks.all, run.vars) }),
    atMs,
    startedAtMs,
    acceptedAtMs: about.acceptedAtMs,
    visits,
    ...noPauses,
    opened: outcome ? [] : pauses,
    ...(resumePoint ? { resumePoint } : {}),
  };
}

/**
 * A plan that overruns this often in a row goes to Temporal for a while. A single overrun may come from a busy
 * machine.
 */
const overrunsMax = 3;
const slowForMs = 60_000;
const slowPlansMax = 10_000;

/**
 * Fast path: runs blocks in the process that accepts an execution or an answer, instead of in Temporal. Both use the
 * same `Run`. A block that needs an effect goes to Temporal. So does a slow plan, because other callers wait in this
 * process.
 */
@Injectable()
export class InlineRunner {
  /** By plan hash: the overruns in a row. */
  private readonly overruns = new LRUCache<string, number>({ max: slowPlansMax, ttl: slowForMs });

  constructor(private readonly settings: Settings) {}

  /** Runs the first blocks of an execution. Null when Temporal must run it from its start. Writes nothing. */
  runFromStart(plan: Plan, execution: AcceptedExecution): InlineRun | null {
    return this.unlessSlow(execution.planHash, () => {
      const startedAtMs = Date.now();
      const about = buildFacts(execution, startedAtMs);
      const run = Run.start(plan, { inputs: execution.inputs, run: about, nowMs: startedAtMs });
      return this.runOn(run, { startedAtMs, blocks: new BlockLines() }, Date.now);
    });
  }

  /**
   * Runs the blocks after the answer to a pause, all at the moment `atMs`. The run itself does the same later, with
   * the same times. Null when only the run can go on.
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
      const inline = this.runOn(run, { startedAtMs, blocks: new BlockLines(blocks) }, () => atMs);
      return inline !== 'overrun' && inline?.effect ? null : inline;
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

  private runOn(
    run: Run,
    { startedAtMs, blocks }: Pick<InlineRun, 'startedAtMs' | 'blocks'>,
    clock: () => number,
  ): InlineRun | 'overrun' | null {
    const { inlineMaxMs } = this.settings;
    const hasComputed = stopwatch();
    const effects: Effect[] = [];
    while (run.hasReady) {
      effects.push(...run.takeReady(clock(), 1));
      if (effects.some(({ kind }) => kind !== 'pause' && kind !== 'activity')) return null;
      if (hasComputed(inlineMaxMs)) return 'overrun';
    }
    const outcome = run.outcome();
    const effect = findOnlyActivity(run, effects);
    if (!outcome && !effect && !run.waitingForPeople) return null;
    const cancelled = new Set(run.takeCancelled().map(({ path }) => path));
    // The visit of an effect is written when it has ended.
    const visits = effect ? run.takeEnded() : run.takeLog();
    for (const visit of visits) blocks.note(visit);
    const pauses = effects.filter((one) => one.kind === 'pause' && !cancelled.has(one.visit.path));
    return { startedAtMs, outcome, effect, visits, pauses: pauses as PauseEffect[], blocks, run };
  }

  private isSlow(planHash: string): boolean {
    return (this.overruns.get(planHash) ?? 0) >= overrunsMax;
  }

  private noteOverrun(planHash: string): void {
    this.overruns.set(planHash, (this.overruns.get(planHash) ?? 0) + 1);
  }
}

/**
 * Returns a function that tells whether this process has computed for `forMs` since now. On a busy machine a process
 * also waits for a processor, and no plan can change that. The clock is read first, because it is a hundred times
 * cheaper.
 */
function stopwatch(): (forMs: number) => boolean {
  const [begun, cpuBegun] = [performance.now(), process.cpuUsage()];
  return (forMs) => {
    if (performance.now() - begun < forMs) return false;
    const { user, system } = process.cpuUsage(cpuBegun);
    return (user + system) / 1000 >= forMs;
  };
}
