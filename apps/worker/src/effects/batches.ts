import { Injectable } from '@nestjs/common';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityEffect } from '#libs/language/engine/effects';
import { EffectCheckpoints } from '#libs/runs/executions/record/effect-checkpoints';
import type { Batched, RunKey } from '#temporal/activities';
import { Costs } from './costs.ts';
import { EffectFrame } from './effect-frame.ts';
import { type EffectHandler, failedAs } from './effect-handler.ts';

/** The means to carry out a batch: each effect in a slot of its workspace. */
interface Way {
  handlerOf(type: ActivityEffect['type']): EffectHandler;
  inSlot<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Carries out effects side by side in one activity. After a lost worker the next attempt repeats no effect with a
 * committed output.
 */
@Injectable()
export class Batches {
  constructor(
    private readonly frame: EffectFrame,
    private readonly committed: EffectCheckpoints,
    private readonly costs: Costs,
  ) {}

  async carry(run: RunKey, effects: ActivityEffect[], way: Way): Promise<Batched[]> {
    const first = effects[0]?.visit.path ?? '';
    const checkpoints =
      Context.current().info.attempt > 1 ? await this.committed.checkpoints(run, first) : {};
    // Waits for all effects, so that none of them runs beside the next attempt.
    const ends = await Promise.allSettled(
      effects.map((effect) => {
        const { path } = effect.visit;
        const output = Object.hasOwn(checkpoints, path) ? checkpoints[path] : undefined;
        return output === undefined ? this.one(run, effect, way, first) : Promise.resolve({ output });
      }),
    );
    return ends.map((end) => {
      if (end.status === 'rejected') throw end.reason;
      return end.value;
    });
  }

  private async one(
    run: RunKey,
    effect: ActivityEffect,
    { handlerOf, inSlot }: Way,
    first: string,
  ): Promise<Batched> {
    const begunAtMs = performance.now();
    try {
      const handler = handlerOf(effect.type);
      const output = await inSlot(() => this.frame.carryInBatch(run, effect, handler, first));
      await this.costs.noteCall(run, effect);
      return { output, ms: Math.round(performance.now() - begunAtMs) };
    } catch (error) {
      if (error instanceof ApplicationFailure) return failedAs(error);
      throw error;
    }
  }
}
