import { Injectable, Logger } from '@nestjs/common';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { effectKindOf } from '#libs/language/definition/blocks/registry';
import type { ActivityEffect, SentValue } from '#libs/language/engine/effects';
import type { RunEvent } from '#libs/language/engine/run-events';
import type { Json } from '#libs/platform/json/json';
import { RunAdvance } from '#libs/runs/executions/advance/run-advance';
import type { Packed } from '#libs/runs/executions/record/pack';
import { lineMsMax, type LineResult, type RunKey } from '#temporal/activities';
import { EffectExecutor } from './effect-executor.ts';
import { type EffectHandler, toFailure } from './effect-handler.ts';

/** A line also ends after this many effects. */
const effectsMax = 64;
/** A line that lasts this long sends heartbeats. A heartbeat costs Temporal a commit. */
const lastingMs = 500;

type HandlerOf = (type: ActivityEffect['type']) => EffectHandler;
type CommittedOutput = { output: Json } & Awaited<ReturnType<RunAdvance['advanceLine']>>;

/**
 * Carries out effects that follow each other in one activity. Each output is committed, with all that follows from it, before the next effect
 * begins. After a lost worker the next attempt leaves what is committed, and repeats none of it.
 */
@Injectable()
export class EffectLineRunner {
  private readonly log = new Logger(EffectLineRunner.name);

  constructor(
    private readonly runs: RunAdvance,
    private readonly executor: EffectExecutor,
  ) {}

  async runLine(run: RunKey, first: ActivityEffect, handlerOf: HandlerOf): Promise<LineResult> {
    const begunAtMs = performance.now();
    const { attempt, currentAttemptScheduledTimestampMs: scheduledAtMs } = Context.current().info;
    // The run's clock is Temporal's, and this machine's clock may differ.
    const clock = () => Math.round(scheduledAtMs + performance.now() - begunAtMs);
    const settled = attempt > 1 ? await this.runs.readOutputs(run) : [];
    // The first effect was carried out by an attempt whose worker was lost.
    if (settled.length > 0) return { settled };
    let key = run;
    for (let effect = first; ;) {
      const { path } = effect.visit;
      if (performance.now() > begunAtMs + lastingMs) Context.current().heartbeat(path);
      let done: CommittedOutput;
      try {
        done = await this.carryOut(key, effect, clock, handlerOf(effect.type));
      } catch (error) {
        if (settled.length === 0 || !(error instanceof ApplicationFailure)) throw error;
        this.log.warn(`The attempt of ${path} has failed: ${error.type ?? 'FAILED'}`);
        return { settled, failed: { path, ...toFailure(error) } };
      }
      const { output, next, number, ended } = done;
      if (ended) return { settled: [], ended };
      settled.push({ path, output });
      if (key.temporal) key = { ...key, temporal: { ...key.temporal, number } };
      const isLong = settled.length >= effectsMax || performance.now() > begunAtMs + lineMsMax;
      if (isLong || !next || !fits(next, first)) return { settled };
      effect = next;
    }
  }

  private async carryOut(
    run: RunKey,
    effect: ActivityEffect,
    clock: () => number,
    handler: EffectHandler,
  ): Promise<CommittedOutput> {
    const { path } = effect.visit;
    let done: CommittedOutput | undefined;
    const commit = async ({ value, payloads }: Packed, sent: SentValue | undefined) => {
      const event: RunEvent = { kind: 'succeeded', path, output: value, ...(sent ? { sent } : {}) };
      done = { output: value, ...(await this.runs.advanceLine(run, event, { nowMs: clock(), payloads })) };
    };
    const { output, sent } = await this.executor.runInLine(run, effect, handler, {
      store: commit,
      // An activity with the name of a block is the span of that block.
      isSpan: Context.current().info.activityType === 'effectLine',
    });
    // The output of a write on this database was committed with the write.
    if (!done) await commit({ value: output, payloads: [] }, sent);
    if (!done) throw new Error(`the output of ${path} was not committed`);
    return done;
  }
}

/** True for an effect of the same queue that fits into the time of the activity. */
function fits(next: ActivityEffect, first: ActivityEffect): boolean {
  return (
    effectKindOf(next.type).queue === effectKindOf(first.type).queue && next.timeoutMs <= first.timeoutMs
  );
}
