import { fileURLToPath } from 'node:url';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ApplicationFailure } from '@temporalio/common';
import { Piscina } from 'piscina';
import type { Json } from '#libs/platform/json/json';
import type { EvaluateEffect } from '#libs/language/engine/effects';
import { Payloads } from '#libs/runs/executions/record/payloads';
import type { RunKey } from '#temporal/activities';
import type { Evaluated, Evaluation } from './evaluation.ts';

/** An expression within its budget takes less than a second. The rest is for reading values and waiting for a thread. */
const msMax = 20_000;
const threadMegabytesMax = 512;

/** Renders pure blocks over stored values, in threads: this process also answers callers and takes tasks. */
@Injectable()
export class Evaluations implements OnModuleDestroy {
  private readonly threads: Piscina<Evaluation, Evaluated>;

  constructor(private readonly payloads: Payloads) {
    this.threads = new Piscina({
      filename: fileURLToPath(new URL('evaluation.js', import.meta.url)),
      minThreads: 0,
      maxThreads: 2,
      idleTimeout: 60_000,
      resourceLimits: { maxOldGenerationSizeMb: threadMegabytesMax },
    });
  }

  /** Commits the large members of the rendered block, and returns it with references to them. */
  async evaluate(run: RunKey, { type, params, scope }: EvaluateEffect): Promise<Json> {
    const bodies = await this.payloads.bodies(run, scope);
    const signal = AbortSignal.timeout(msMax);
    const evaluated = await this.threads.run({ effect: { type, params, scope }, bodies }, { signal });
    if ('code' in evaluated) throw ApplicationFailure.nonRetryable(evaluated.message, evaluated.code);
    await this.payloads.store(run, evaluated.payloads);
    return evaluated.value;
  }

  async onModuleDestroy(): Promise<void> {
    await this.threads.destroy();
  }
}
