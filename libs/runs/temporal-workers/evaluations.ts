import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ApplicationFailure } from '@temporalio/common';
import type { Json } from '#libs/platform/json/json';
import { compiledProgram } from '#libs/platform/threads/compiled-program';
import { FairThreads } from '#libs/platform/threads/fair-threads';
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

/**
 * Renders pure blocks over stored values, in threads: this process also answers callers and takes tasks. The workspaces that wait for a
 * thread take turns.
 */
@Injectable()
export class Evaluations implements OnModuleDestroy {
  private readonly threads = new FairThreads<Evaluation, Evaluated>(
    compiledProgram('evaluation.js', import.meta.url),
    {
      threadsMax: 3,
      perOwner: 2,
      waitMs,
      idleMs: 60_000,
      heapMegabytesMax: 1024,
      refuse: () => ApplicationFailure.retryable('The workspace uses all of its threads.', 'WORKSPACE_BUSY'),
    },
  );

  constructor(private readonly payloads: Payloads) {}

  /** Commits the large members of the rendered block, and returns it with references to them. */
  async evaluate(run: RunKey, { type, params, scope }: EvaluateEffect): Promise<Json> {
    const excess = findExcess(scope);
    if (excess) throw ApplicationFailure.nonRetryable(excess.message, excess.code);
    const bodies = await this.payloads.bodies(run, scope);
    const task = { effect: { type, params, scope }, bodies };
    const evaluated = await this.threads.runTask(run.workspaceId, task, { msMax });
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
    await this.threads.close();
  }
}
