import { LRUCache } from 'lru-cache';
import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { EntityManager } from 'typeorm';
import { kindOf } from '#libs/language/definition/blocks/registry';
import { costMax, Meter } from '#libs/language/definition/expressions/cost';
import { ExpressionError, render } from '#libs/language/definition/expressions/expressions';
import { missingSecret } from '#libs/language/definition/checks/named-things';
import { type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import type { ActivityEffect } from '#libs/language/engine/effects';
import { sqlState } from '#libs/platform/database/violations';
import {
  callOf,
  type Checkpoint,
  EffectCheckpoints,
  type End,
} from '#libs/runs/executions/record/effect-checkpoints';
import { Payloads } from '#libs/runs/executions/record/payloads';
import { Recorder } from '#libs/runs/executions/record/recorder';
import { AtMostOnceClaims } from '#libs/runs/executions/record/at-most-once-claims';
import { storable, Unstorable } from '#libs/runs/executions/record/storable';
import { Secrets } from '#libs/workspace/secrets/secrets';
import { blockSpan } from '#libs/runs/executions/record/block-spans';
import { isRecorded, traced } from '#libs/platform/telemetry/tracing/tracing';
import type { ActivityResult, RunKey } from '#temporal/activities';
import { blockFailure, checkedParams, Committed, type EffectHandler } from './effect-handler.ts';
import { insist } from './insist.ts';
import { isOutage, outage } from './put-off.ts';
import { withoutSecrets } from './redact.ts';

/** When effects of a run follow each other fast, the block log shows one of them in this time while it runs. */
const showEveryMs = 200;
/** Every effect that lasts this long is shown. */
const lastingMs = 50;
const runsRemembered = 10_000;

/** Three heartbeats fit into the time after which Temporal takes a worker for dead. */
const beatMs = 3000;

/** The attempt repeats a claim whose commit got no reply. The next attempt could not know who made the claim. */
const claimMsMax = 10_000;

/** The work around every effect: a line in the block log, heartbeats, and the values that it reads and stores. */
@Injectable()
export class EffectFrame {
  private readonly log = new Logger(EffectFrame.name);
  /** By Temporal run: the time of the last shown effect. */
  private readonly shownAtMs = new LRUCache<string, number>({ max: runsRemembered });

  constructor(
    private readonly payloads: Payloads,
    private readonly recorder: Recorder,
    private readonly secrets: Secrets,
    private readonly claims: AtMostOnceClaims,
    private readonly checkpointStore: EffectCheckpoints,
  ) {}

  /**
   * Renders the parameters with secrets, lets the handler carry out the block, removes secrets from its output and
   * packs it.
   */
  async runAlone(run: RunKey, effect: ActivityEffect, handler: EffectHandler): Promise<ActivityResult> {
    const { activityId } = Context.current().info;
    const store = (output: Json) => this.payloads.put(run, output);
    return { output: await this.runFramed(run, effect, handler, { call: activityId, store }) };
  }

  /**
   * Like `carry`, for one effect of a chain that begins at the path `first`. Commits its output, together with the end
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
      checkpoint = await this.checkpointStore.saveInChain(run, visitedEffect(effect), output, first, endOf);
      return checkpoint.packed;
    };
    return inSpan(run, effect, async () => {
      const packed = await this.runFramed(run, effect, handler, { call: effect.visit.path, first, store });
      return checkpoint ?? { packed, goesOn: await this.checkpointStore.mayGoOn(run) };
    });
  }

  /** Like `carry`, for one effect of a batch. Commits its output alone. */
  runInBatch(run: RunKey, effect: ActivityEffect, handler: EffectHandler, first: string): Promise<Json> {
    const { path } = effect.visit;
    const store = (output: Json) => this.checkpointStore.saveInBatch(run, path, output, first);
    return inSpan(run, effect, () => this.runFramed(run, effect, handler, { call: path, first, store }));
  }

  private async runFramed(
    run: RunKey,
    effect: ActivityEffect,
    handler: EffectHandler,
    { call, first, store }: Framing,
  ): Promise<Json> {
    const context = Context.current();
    const beat = setInterval(() => context.heartbeat(effect.visit.path), beatMs);
    const line = this.line(run, effect);
    let secrets: Record<string, string> = {};
    let mayHaveActed = false;
    try {
      const read = async () => {
        secrets = await this.secrets.readFor(run.workspaceId, effect.params);
        return this.render(run, effect, secrets);
      };
      const params = checkedParams(effect.type, await soon(read(), context.info.attempt));
      const { cancellationSignal: signal } = context;
      const sendOnce = async () => {
        await this.sendOnce(run, call, signal);
        mayHaveActed = true;
      };
      const cleaned = (output: Json) => withoutSecrets(storable(output), secrets);
      const commitOnce = async (write: (tx: EntityManager) => Promise<Json>) => {
        const written = async (tx: EntityManager) => cleaned(await write(tx));
        const once = () => this.checkpointStore.runOnce(run, visitedEffect(effect), written, first);
        return new Committed(await insist(once, signal, effect.timeoutMs));
      };
      const keepLogs = async (lines: string[]) => {
        const { visit, name, type } = effect;
        const shownLines = withoutSecrets(lines, secrets);
        await this.write(run, () => this.recorder.keepLogs(run, { ...visit, name, type }, shownLines));
      };
      const done = await handler.carryOut({ params, effect, run, signal, sendOnce, keepLogs, commitOnce });
      mayHaveActed = true;
      // The effect has been carried out. A database that is away must not lose that.
      const packed =
        done instanceof Committed
          ? done.packed
          : await insist(() => store(cleaned(done)), signal, effect.timeoutMs);
      line.ended(packed);
      return packed;
    } catch (error) {
      throw withoutSecrets(failureOf(error, mayHaveActed, context.info.attempt), secrets);
    } finally {
      clearInterval(beat);
      await line.shown();
    }
  }

  /**
   * Claims the call before it is sent. The number of attempts proves nothing, because it includes tasks that were lost
   * on their way to a worker. The claim names the Temporal run, so the run after a reset may send the call again.
   */
  private async sendOnce(run: RunKey, name: string, signal: AbortSignal): Promise<void> {
    const call = callOf(run, name);
    const sender = randomUUID();
    const claim = () => this.claims.claimCall(run, call, sender);
    if (await insist(claim, signal, claimMsMax)) return;
    const message =
      'A worker was lost while it made this call; it may or may not have arrived, so it is not made again.';
    throw blockFailure('OUTCOME_UNKNOWN', message, { retryable: false });
  }

  /** Renders the parameters that are templates. The others stay unchanged. */
  private async render(
    run: RunKey,
    { type, params, scope }: ActivityEffect,
    secrets: Record<string, string>,
  ): Promise<JsonObject> {
    const names = { ...objectOf(await this.payloads.resolve(run, scope)), secrets };
    const written = kindOf(type)?.templates;
    const templates = written
      ? Object.fromEntries(Object.entries(params).filter(([name]) => written.includes(name)))
      : params;
    const missing = missingSecret(templates, secrets);
    if (missing) throw blockFailure(missing.code, missing.message, { retryable: false });
    return { ...params, ...objectOf(render(templates, names, new Meter(costMax))) };
  }

  /**
   * Shows the effect in the block log while it runs and when it ends. The record writes the visit anyway, and each line
   * costs a transaction. So a short effect gets no line.
   */
  private line(run: RunKey, effect: ActivityEffect): Line {
    const { visit, name, type } = effect;
    const { workflowExecution, activityId } = Context.current().info;
    const { runId = run.executionId } = workflowExecution ?? {};
    const attempt = attemptOf(activityId);
    let shown: Promise<void> | undefined;
    const show = () => {
      shown = this.write(run, () => this.recorder.beginVisit(run, { ...visit, name, type }, attempt));
    };
    let timer: NodeJS.Timeout | undefined;
    if (Date.now() - (this.shownAtMs.get(runId) ?? 0) > showEveryMs) {
      this.shownAtMs.set(runId, Date.now());
      show();
    } else timer = setTimeout(show, lastingMs);
    return {
      ended: (output) =>
        void shown?.then(() => this.write(run, () => this.recorder.endVisit(run, visit.path, output))),
      shown: async () => {
        clearTimeout(timer);
        await shown;
      },
    };
  }

  /** Writes a line for readers of the block log. A database that is away must not fail the block. */
  private async write(run: RunKey, line: () => Promise<void>): Promise<void> {
    // After a reset, an attempt of the old Temporal run does not know what the rows should hold.
    const { runId } = Context.current().info.workflowExecution ?? {};
    if (run.temporal && run.temporal.runId !== runId) return;
    try {
      await line();
    } catch (error) {
      this.log.warn(`A block of ${run.executionId} is not in the log: ${String(error)}`);
    }
  }
}

/** The details by which one activity carries out an effect. */
interface Framing {
  /** The name of the call for its claim. */
  call: string;
  /** The path of the first effect of its chain or batch; absent in an activity of its own. */
  first?: string;
  /** Stores an output. Resolves to the packed output. */
  store: (output: Json) => Promise<Json>;
}

/** In an activity with several effects, each effect is a span. */
function inSpan<T>(
  { executionId }: RunKey,
  { type, visit }: ActivityEffect,
  work: () => Promise<T>,
): Promise<T> {
  return isRecorded() ? traced(`block ${type}`, blockSpan(executionId, visit.path), work) : work();
}

function visitedEffect({ visit, name, type }: ActivityEffect) {
  return { ...visit, name, type };
}

/** An effect's line in the block log. */
interface Line {
  ended(output: Json): void;
  /** Resolves when the line is written, or when there is none. */
  shown(): Promise<void>;
}

/** The number of the attempt as the block's author counts. An attempt after a lost worker has the same number. */
function attemptOf(activityId: string): number {
  return Number(/#(\d+)$/.exec(activityId)?.[1] ?? 1);
}

/**
 * The most time for reading parameters, so that it does not shorten the effect's own time: the activity gets five
 * seconds more.
 */
const readMsMax = 4000;

/** Rejects with an outage when the database takes too long. */
async function soon<T>(read: Promise<T>, attempt: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(outage(attempt)), readMsMax);
  });
  try {
    return await Promise.race([read, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The failure of an attempt. Details about the database, such as its address, go only to the log. */
function failureOf(error: unknown, mayHaveActed: boolean, attempt: number): unknown {
  if (isOutage(error))
    return mayHaveActed
      ? ApplicationFailure.retryable('The output could not be stored.', 'DATABASE_UNAVAILABLE')
      : outage(attempt);
  if (error instanceof ExpressionError) return blockFailure(error.code, error.message, { retryable: false });
  if (error instanceof Unstorable)
    return blockFailure('OUTPUT_TOO_DEEP', error.message, { retryable: false });
  if (sqlState(error)?.startsWith('22'))
    return blockFailure('OUTPUT_INVALID', 'The output cannot be stored.', { retryable: false });
  return error;
}
