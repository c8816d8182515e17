import { Injectable, Logger } from '@nestjs/common';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { effectKindOf } from '#libs/language/definition/blocks/registry';
import type { Json } from '#libs/platform/json/json';
import type { ActivityEffect, Effect } from '#libs/language/engine/effects';
import { Run } from '#libs/language/engine/run';
import {
  type Checkpoint,
  EffectCheckpoints,
  type End,
} from '#libs/runs/executions/record/effect-checkpoints';
import { noPauses } from '#libs/runs/executions/record/recorder';
import { Deployments } from '#libs/runs/workflows/deployments';
import {
  chainMsMax,
  type RunKey,
  type RunRecord,
  type ChainEnd,
  type ChainResult,
  type ChainStart,
} from '#temporal/activities';
import { Costs } from './costs.ts';
import { EffectExecutor } from './effect-executor.ts';
import { type EffectHandler, toFailure } from './effect-handler.ts';

/** A chain also ends after this many effects, or when its outputs have this many characters. */
const effectsMax = 64;
const outputCharsMax = 65_536;
/** A chain that lasts this long sends heartbeats. A heartbeat costs Temporal a commit. */
const lastingMs = 500;

type HandlerOf = (type: ActivityEffect['type']) => EffectHandler;

/** The consequences of an output, before any commit. */
interface Step {
  packed: Json;
  atMs: number;
  engine: Run;
  ready: Effect[];
}

/** The common data of the effects of one chain. */
interface ChainContext {
  checkpoints: Record<string, Json>;
  handlerOf: HandlerOf;
  first: string;
  begunAtMs: number;
}

/**
 * Fast path of `SingleEffectRunner`: carries out effects that follow each other in one activity, with the blocks between them. Each output is committed before the next
 * effect begins. After a lost worker the next attempt finds these outputs and repeats none of their effects.
 */
@Injectable()
export class EffectChainRunner {
  private readonly log = new Logger(EffectChainRunner.name);

  constructor(
    private readonly executor: EffectExecutor,
    private readonly deployments: Deployments,
    private readonly checkpointStore: EffectCheckpoints,
    private readonly costs: Costs,
  ) {}

  async runChain(
    run: RunKey,
    { planHash, state, end }: ChainStart,
    handlerOf: HandlerOf,
  ): Promise<ChainResult> {
    const { info } = Context.current();
    const begunAtMs = performance.now();
    // The run's clock is Temporal's, and this machine's clock may differ.
    const clock = () => Math.round(info.currentAttemptScheduledTimestampMs + performance.now() - begunAtMs);
    const plan = await this.deployments.plan(run.workspaceId, planHash);
    let engine = Run.restore(plan, state);
    const [opened] = engine.openEffects;
    if (opened?.kind !== 'activity')
      throw ApplicationFailure.nonRetryable('No effect is open.', 'ENGINE_FAULT');
    const first = opened.visit.path;
    const checkpoints = info.attempt > 1 ? await this.checkpointStore.checkpoints(run, first) : {};
    const context: ChainContext = { checkpoints, handlerOf, first, begunAtMs };
    const settled: ChainResult['settled'] = [];
    let chars = 0;
    for (let effect: ActivityEffect | null = opened; effect;) {
      const { path } = effect.visit;
      const steps = new Steps(engine, path, clock);
      const endOf = (packed: Json) => (end ? endAfter(run, end, steps.after(packed)) : null);
      const done = await this.runNext(run, effect, context, endOf).catch((error: unknown) => {
        if (settled.length === 0 || !(error instanceof ApplicationFailure)) throw error;
        this.log.warn(`The attempt of ${path} has failed: ${error.type ?? 'FAILED'}`);
        return { failed: { path, ...toFailure(error) } };
      });
      if (!done) break;
      if ('failed' in done) return { settled, failed: done.failed };
      const { packed, goesOn, ended } = done;
      const step = steps.after(packed);
      settled.push({ path, output: packed, atMs: step.atMs });
      if (ended) return { settled, recordedAtMs: ended.atMs };
      chars += JSON.stringify(packed).length;
      if (
        !goesOn ||
        settled.length >= effectsMax ||
        chars > outputCharsMax ||
        performance.now() > begunAtMs + chainMsMax
      )
        break;
      ({ engine } = step);
      effect = nextOf(engine, step.ready, opened);
    }
    return { settled };
  }

  /** Carries out one effect. Null when the effect must not begin. */
  private async runNext(
    run: RunKey,
    effect: ActivityEffect,
    { checkpoints, handlerOf, first, begunAtMs }: ChainContext,
    endOf: (packed: Json) => End | null,
  ): Promise<Checkpoint | null> {
    const { path } = effect.visit;
    const packed = Object.hasOwn(checkpoints, path) ? checkpoints[path] : undefined;
    if (packed !== undefined) return { packed, goesOn: true };
    // Since an earlier attempt the run may have ended, or may have been cancelled.
    if (Object.keys(checkpoints).length > 0 && !(await this.checkpointStore.mayGoOn(run))) return null;
    if (performance.now() > begunAtMs + lastingMs) Context.current().heartbeat(path);
    const done = await this.executor.runInChain(run, effect, handlerOf(effect.type), first, endOf);
    await this.costs.noteCall(run, effect);
    return done;
  }
}

/**
 * The step after an output of the effect at the path. The state before it is kept, because a repeated commit packs the
 * output again.
 */
class Steps {
  private last: Step | null = null;

  constructor(
    private readonly before: Run,
    private readonly path: string,
    private readonly clock: () => number,
  ) {}

  after(packed: Json): Step {
    if (this.last?.packed === packed) return this.last;
    const engine = this.before.copy();
    const atMs = this.clock();
    engine.succeed(this.path, packed, atMs, 1);
    this.last = { packed, atMs, engine, ready: engine.takeReady(atMs) };
    return this.last;
  }
}

/** The end of the run, when the step completes it. A failed run may have more to record, so the run does that itself. */
function endAfter(
  run: RunKey,
  { startedAtMs, acceptedAtMs, awaited }: ChainEnd,
  { engine }: Step,
): End | null {
  const outcome = engine.outcome();
  if (outcome?.status !== 'completed') return null;
  // The time must be after the last record: a reset compares both.
  const atMs = Math.max(engine.loggedMs, (run.temporal?.keptMs ?? 0) + 1);
  const change: RunRecord = {
    ...run,
    status: outcome.status,
    outcome,
    atMs,
    startedAtMs,
    ...(acceptedAtMs === undefined ? {} : { acceptedAtMs }),
    endedAtMs: atMs,
    visits: engine.takeLog(),
    ...noPauses,
  };
  return { change, awaited };
}

/**
 * The next effect of the chain. Null unless it alone is open, is on the same queue, and fits into the time of the
 * activity.
 */
function nextOf(engine: Run, ready: Effect[], opened: ActivityEffect): ActivityEffect | null {
  const [next] = ready;
  if (next?.kind !== 'activity' || engine.hasReady || engine.openEffects.length > 1) return null;
  const onQueue = effectKindOf(next.type).queue === effectKindOf(opened.type).queue;
  return onQueue && next.timeoutMs <= opened.timeoutMs ? next : null;
}
