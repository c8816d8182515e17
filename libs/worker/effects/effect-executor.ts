import { Injectable } from '@nestjs/common';
import { ApplicationFailure } from '@temporalio/common';
import { ExpressionError } from '#libs/language/definition/expressions/expressions';
import type { Json } from '#libs/platform/json/json';
import type { ActivityEffect } from '#libs/language/engine/effects';
import { sqlState } from '#libs/platform/database/violations';
import type { Checkpoint, End } from '#libs/runs/executions/record/effect-checkpoints';
import { Unstorable } from '#libs/runs/executions/record/storable';
import type { EffectCommits } from '#libs/runs/executions/direct/effect-door';
import { blockSpan } from '#libs/runs/executions/record/block-spans';
import { isRecorded, traced } from '#libs/platform/telemetry/tracing/tracing';
import type { ActivityResult, RunKey } from '#temporal/activities';
import { toVisit } from './block-log-lines.ts';
import { EffectStores, EffectAttempt, type ExecutionOptions } from './effect-attempt.ts';
import { presentTask } from './effect-task.ts';
import { blockFailure, checkParams, type EffectHandler } from './effect-handler.ts';
import { isDatabaseUnavailable, databaseUnavailable } from './retry-later.ts';
import { WorkerEnds } from './worker-ends.ts';
import { busy, NoSlot } from './workspace-share.ts';

/** Three heartbeats fit into the time after which Temporal takes a worker for dead. */
const beatMs = 3000;

/** The work around every effect: heartbeats, a line in the block log, and the values that it reads and stores. */
@Injectable()
export class EffectExecutor {
  constructor(
    private readonly stores: EffectStores,
    private readonly workerEnds: WorkerEnds,
  ) {}

  /**
   * Renders the parameters with secrets, lets the handler carry out the block, removes secrets from its output and
   * packs it.
   */
  async runAlone(run: RunKey, effect: ActivityEffect, handler: EffectHandler): Promise<ActivityResult> {
    const store = (output: Json) => this.stores.payloads.put(run, output);
    return { output: await this.execute(run, effect, handler, { call: presentTask().id, store }) };
  }

  /**
   * Like `runAlone`, for one effect of a chain that begins at the path `first`. Commits its output, together with the end
   * of the run when `endOf` gives one. The next effect may begin only when the result says so.
   */
  async runInChain(
    run: RunKey,
    effect: ActivityEffect,
    handler: EffectHandler,
    first: string,
    endOf: (packed: Json) => End | null,
  ): Promise<Checkpoint> {
    let checkpoint: Checkpoint | undefined;
    const store = async (output: Json) => {
      checkpoint = await this.stores.checkpoints.saveInChain(run, toVisit(effect), output, first, endOf);
      return checkpoint.packed;
    };
    return inSpan(run, effect, async () => {
      const packed = await this.execute(run, effect, handler, { call: effect.visit.path, first, store });
      return checkpoint ?? { packed, goesOn: await this.stores.checkpoints.mayGoOn(run) };
    });
  }

  /** Like `runAlone`, for one effect of a batch. Commits its output alone. */
  runInBatch(run: RunKey, effect: ActivityEffect, handler: EffectHandler, first: string): Promise<Json> {
    const { path } = effect.visit;
    const store = (output: Json) => this.stores.checkpoints.saveInBatch(run, path, output, first);
    return inSpan(run, effect, () => this.execute(run, effect, handler, { call: path, first, store }));
  }

  /** Like `runAlone`, in a run that this process carries out by itself. `commits` stores what the effect gives. */
  async runDirectly(
    run: RunKey,
    effect: ActivityEffect,
    handler: EffectHandler,
    { storeOutput, commitWrite }: Omit<EffectCommits, 'signal'>,
  ): Promise<void> {
    const options = { call: effect.visit.path, store: storeOutput, commitWrite };
    await inSpan(run, effect, () => this.execute(run, effect, handler, options));
  }

  private async execute(
    run: RunKey,
    effect: ActivityEffect,
    handler: EffectHandler,
    options: ExecutionOptions,
  ): Promise<Json> {
    const task = presentTask();
    const beat = setInterval(() => task.beat(effect.visit.path), beatMs);
    const line = this.stores.lines.beginLine(run, effect);
    const attempt = new EffectAttempt(this.stores, run, effect, task, options);
    try {
      await this.workerEnds.requireHarmless(run, effect, task.attempt);
      const params = checkParams(effect.type, await readInTime(attempt.readParams(), task.attempt));
      const { signal } = attempt;
      const output = await handler.execute({ params, effect, run, signal, writes: attempt });
      const packed = await attempt.storeOutput(output);
      line.end(packed);
      return packed;
    } catch (error) {
      throw attempt.redact(attemptFailure(error, attempt.mayHaveActed, task.attempt));
    } finally {
      clearInterval(beat);
      await line.written();
      this.workerEnds.noteStep(run, effect);
    }
  }
}

/** In an activity with several effects, each effect is a span. */
function inSpan<T>(
  { executionId }: RunKey,
  { type, visit }: ActivityEffect,
  work: () => Promise<T>,
): Promise<T> {
  return isRecorded() ? traced(`block ${type}`, blockSpan(executionId, visit.path), work) : work();
}

/**
 * The most time for reading parameters, so that it does not shorten the effect's own time: the activity gets five
 * seconds more.
 */
const readMsMax = 4000;

/** Rejects with an outage when the database takes too long. */
async function readInTime<T>(read: Promise<T>, attempt: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(databaseUnavailable(attempt)), readMsMax);
  });
  try {
    return await Promise.race([read, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The failure of an attempt. Details about the database, such as its address, go only to the log. */
function attemptFailure(error: unknown, mayHaveActed: boolean, attempt: number): unknown {
  if (isDatabaseUnavailable(error))
    return mayHaveActed
      ? ApplicationFailure.retryable('The output could not be stored.', 'DATABASE_UNAVAILABLE')
      : databaseUnavailable(attempt);
  if (error instanceof NoSlot) return busy(attempt);
  if (error instanceof ExpressionError) return blockFailure(error.code, error.message, { retryable: false });
  if (error instanceof Unstorable)
    return blockFailure('OUTPUT_TOO_DEEP', error.message, { retryable: false });
  if (sqlState(error)?.startsWith('22'))
    return blockFailure('OUTPUT_INVALID', 'The output cannot be stored.', { retryable: false });
  return error;
}
