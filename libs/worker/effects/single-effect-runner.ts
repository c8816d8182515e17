import { Injectable } from '@nestjs/common';
import type { ActivityEffect } from '#libs/language/engine/effects';
import type { ActivityResult, RunKey } from '#temporal/activities';
import { EffectExecutor } from './effect-executor.ts';
import type { EffectHandler } from './effect-handler.ts';

/** The plain path of an effect: it has an activity of its own. Lines and batches are fast paths of it. */
@Injectable()
export class SingleEffectRunner {
  constructor(private readonly executor: EffectExecutor) {}

  async runEffect(run: RunKey, effect: ActivityEffect, handler: EffectHandler): Promise<ActivityResult> {
    const begunAtMs = performance.now();
    const result = await this.executor.runAlone(run, effect, handler);
    return { ...result, ms: Math.round(performance.now() - begunAtMs) };
  }
}
