import { fileURLToPath } from 'node:url';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ApplicationFailure } from '@temporalio/common';
import { Piscina } from 'piscina';
import type { Json } from '#libs/platform/json/json';
import { KeyedSemaphore } from '#libs/platform/semaphore/keyed-semaphore';
import type { EvaluateEffect } from '#libs/language/engine/effects';
import type { RunEvent } from '#libs/language/engine/run-events';
import { findExcess } from '#libs/runs/executions/record/pack';
import { Payloads } from '#libs/runs/executions/record/payloads';
import type { RunKey } from '#temporal/activities';
import type { Evaluated, Evaluation } from './evaluation.ts';

/**
 * An expression within its budget takes less than a second. The time begins with the work. The wait for a thread has one of its own; both
 * fit into the twenty seconds of a local activity, which Temporal then repeats.
 */
const [msMax, waitMs] = [10_000, 8000];
/** The threads, and those of them that one workspace may use. */
const [threadsMax, perWorkspace] = [3, 2];
const threadMegabytesMax = 1024;

/**
 * Renders pure blocks over stored values, in threads: this process also answers callers and takes tasks. The workspaces that wait for a
 * thread take turns.
 */
@Injectable()
export class Evaluations implements OnModuleDestroy {
  private readonly threads: Piscina<Evaluation, Evaluated>;
  private readonly places = new KeyedSemaphore({
    most: perWorkspace,
    all: threadsMax,
    waitMs,
    refuse: () => ApplicationFailure.retryable('The workspace uses all of its threads.', 'WORKSPACE_BUSY'),
  });

  constructor(private readonly payloads: Payloads) {
    this.threads = new Piscina({
      filename: fileURLToPath(new URL('evaluation.js', import.meta.url)),
      minThreads: 0,
      maxThreads: threadsMax,
      idleTimeout: 60_000,
      resourceLimits: { maxOldGenerationSizeMb: threadMegabytesMax },
    });
  }

  /** Commits the large members of the rendered block, and returns it with references to them. */
  async evaluate(run: RunKey, { type, params, scope }: EvaluateEffect): Promise<Json> {
    const excess = findExcess(scope);
    if (excess) throw ApplicationFailure.nonRetryable(excess.message, excess.code);
    const bodies = await this.payloads.bodies(run, scope);
    const evaluated = await this.places.run(run.workspaceId, () =>
      this.threads.run({ effect: { type, params, scope }, bodies }, { signal: AbortSignal.timeout(msMax) }),
    );
    if ('code' in evaluated) throw ApplicationFailure.nonRetryable(evaluated.message, evaluated.code);
    await this.payloads.store(run, evaluated.payloads);
    return evaluated.value;
  }

  /** Like `evaluate`, with the result as an event of the run. Rejects when a later attempt may succeed. */
  async toEvent(run: RunKey, effect: EvaluateEffect): Promise<RunEvent> {
    const { path } = effect.visit;
    try {
      return { kind: 'evaluated', path, value: await this.evaluate(run, effect) };
    } catch (error) {
      if (!(error instanceof ApplicationFailure) || error.nonRetryable !== true) throw error;
      return { kind: 'failed', path, failure: { code: error.type ?? 'FAILED', message: error.message } };
    }
  }

  async onModuleDestroy(): Promise<void> {
    await this.threads.destroy();
  }
}
