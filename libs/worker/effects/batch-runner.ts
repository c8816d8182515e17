import { Injectable } from '@nestjs/common';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityEffect } from '#libs/language/engine/effects';
import { EffectCheckpoints } from '#libs/runs/executions/record/effect-checkpoints';
import type { Batched, RunKey } from '#temporal/activities';
import { EffectExecutor } from './effect-executor.ts';
import { type EffectHandler, toFailure } from './effect-handler.ts';

/** The common data of the effects of one batch. Each effect takes a slot of its workspace. */
interface BatchContext {
  handlerOf(type: ActivityEffect['type']): EffectHandler;
  inSlot<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Fast path of `SingleEffectRunner`: carries out effects side by side in one activity. After a lost worker the next attempt repeats no effect with a
 * committed output.
 */
@Injectable()
export class BatchRunner {
  constructor(
    private readonly executor: EffectExecutor,
    private readonly checkpointStore: EffectCheckpoints,
  ) {}

  async runBatch(run: RunKey, effects: ActivityEffect[], context: BatchContext): Promise<Batched[]> {
    const first = effects[0]?.visit.path ?? '';
    const checkpoints =
      Context.current().info.attempt > 1 ? await this.checkpointStore.checkpoints(run, first) : {};
    // Waits for all effects, so that none of them runs beside the next attempt.
    const ends = await Promise.allSettled(
      effects.map((effect) => {
        const { path } = effect.visit;
        const output = Object.hasOwn(checkpoints, path) ? checkpoints[path] : undefined;
        return output === undefined ? this.runOne(run, effect, context, first) : Promise.resolve({ output });
      }),
    );
    return ends.map((end) => {
      if (end.status === 'rejected') throw end.reason;
      return end.value;
    });
  }

  private async runOne(
    run: RunKey,
    effect: ActivityEffect,
    { handlerOf, inSlot }: BatchContext,
    first: string,
  ): Promise<Batched> {
    const begunAtMs = performance.now();
    try {
      const handler = handlerOf(effect.type);
      const result = await inSlot(() => this.executor.runInBatch(run, effect, handler, first));
      return { ...result, ms: Math.round(performance.now() - begunAtMs) };
    } catch (error) {
      if (error instanceof ApplicationFailure) return toFailure(error);
      throw error;
    }
  }
}
