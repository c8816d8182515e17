import { Injectable, Logger } from '@nestjs/common';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { costMax, Meter } from '#libs/definition/cost';
import { ExpressionError, render } from '#libs/definition/expressions';
import { isObject as isAnyObject, isRef, type Json, type JsonObject } from '#libs/definition/values';
import type { ActivityEffect } from '#libs/engine/effects';
import { sqlState } from '#libs/database/violations';
import { Payloads } from '#libs/executions/payloads';
import { Recorder } from '#libs/executions/recorder';
import { storable, Unstorable } from '#libs/executions/storable';
import { Secrets } from '#libs/secrets/secrets';
import type { ActivityResult, RunKey } from '#temporal/activities';
import { withoutSecrets } from '../blocks/redact.ts';

/** Of effects of a run that follow each other fast, one in this time is shown while it is under way. */
const showEveryMs = 200;
/** Any that lasts this long is shown. */
const lastingMs = 50;
const runsRemembered = 10_000;

/** Three beats within the time-out after which Temporal takes a worker for dead. */
const beatMs = 3000;

/** What a block gets to work with: its rendered parameters, and a signal that ends with the run. */
export interface Work {
  params: JsonObject;
  effect: ActivityEffect;
  run: RunKey;
  signal: AbortSignal;
  /** 1 at first; higher when a worker was lost, never for a retry that the block asked for. */
  attempt: number;
}

/** A failure of the block, as the engine and the log will show it. */
export function blockFailure(
  code: string,
  message: string,
  about: { retryable: boolean; retryAfterMs?: number; details?: Json },
): ApplicationFailure {
  return ApplicationFailure.create({ type: code, message, nonRetryable: true, details: [about] });
}

/** What every effect needs around it: a line in the block log, heartbeats, stored values in and out. */
@Injectable()
export class EffectFrame {
  private readonly log = new Logger(EffectFrame.name);
  /** When something was shown last, by Temporal run. */
  private readonly shownAtMs = new Map<string, number>();

  constructor(
    private readonly payloads: Payloads,
    private readonly recorder: Recorder,
    private readonly secrets: Secrets,
  ) {}

  /** Renders the parameters, secrets included, has the block carried out, and keeps secrets and bulk out of the answer. */
  async carry(
    run: RunKey,
    effect: ActivityEffect,
    block: (work: Work) => Promise<Json>,
  ): Promise<ActivityResult> {
    const context = Context.current();
    const beat = setInterval(() => context.heartbeat(), beatMs);
    const line = this.line(run, effect);
    let secrets: Record<string, string> = {};
    try {
      secrets = await this.secrets.readFor(run.workspaceId, effect.params);
      const params = await this.render(run, effect, secrets);
      const { cancellationSignal: signal, info } = context;
      const output = storable(await block({ params, effect, run, signal, attempt: info.attempt }));
      const packed = await this.payloads.put(run, withoutSecrets(output, secrets));
      line.ended(packed);
      return { output: packed };
    } catch (error) {
      throw withoutSecrets(failureOf(error), secrets);
    } finally {
      clearInterval(beat);
      await line.shown();
    }
  }

  /** A function's code is never a template: braces in it are JavaScript's. */
  private async render(
    run: RunKey,
    effect: ActivityEffect,
    secrets: Record<string, string>,
  ): Promise<JsonObject> {
    const scope = await this.payloads.resolve(run, effect.scope);
    const { code, ...templates } = effect.params;
    const names = { ...(isPlainObject(scope) ? scope : {}), secrets };
    const rendered = render(templates, names, new Meter(costMax));
    return { ...(isPlainObject(rendered) ? rendered : {}), ...(code === undefined ? {} : { code }) };
  }

  /**
   * The effect in the block log, while it is under way and as soon as it has ended. The record writes it anyway, and a
   * line costs a transaction: none is spent on what ends before anybody looks.
   */
  private line(run: RunKey, effect: ActivityEffect): Line {
    const { visit, name, type } = effect;
    const { runId = run.executionId } = Context.current().info.workflowExecution ?? {};
    let shown: Promise<void> | undefined;
    const show = () => {
      shown = this.write(run, () => this.recorder.begin(run, { ...visit, name, type }));
    };
    let timer: NodeJS.Timeout | undefined;
    if (Date.now() - (this.shownAtMs.get(runId) ?? 0) > showEveryMs) {
      if (this.shownAtMs.size >= runsRemembered) this.shownAtMs.clear();
      this.shownAtMs.set(runId, Date.now());
      show();
    } else timer = setTimeout(show, lastingMs);
    return {
      ended: (output) =>
        void shown?.then(() => this.write(run, () => this.recorder.end(run, visit.path, output))),
      shown: async () => {
        clearTimeout(timer);
        await shown;
      },
    };
  }

  /** The log is for whoever looks on: a database that is away must not fail the block. */
  private async write(run: RunKey, line: () => Promise<void>): Promise<void> {
    // An attempt that a reset hands from one Temporal run to the next does not know what the rows should hold.
    const { runId } = Context.current().info.workflowExecution ?? {};
    if (run.temporal && run.temporal.runId !== runId) return;
    try {
      await line();
    } catch (error) {
      this.log.warn(`A block of ${run.executionId} is not in the log: ${String(error)}`);
    }
  }
}

/** An effect's line in the block log. */
interface Line {
  ended(output: Json): void;
  /** Resolves when the line is written, if one is. */
  shown(): Promise<void>;
}

function failureOf(error: unknown): unknown {
  if (error instanceof ExpressionError) return blockFailure(error.code, error.message, { retryable: false });
  if (error instanceof Unstorable)
    return blockFailure('OUTPUT_TOO_DEEP', error.message, { retryable: false });
  if (sqlState(error)?.startsWith('22'))
    return blockFailure('OUTPUT_INVALID', 'The output cannot be stored.', { retryable: false });
  return error;
}

/** An object that a block may read: never one that bears the marker of a stored value. */
export function isPlainObject(value: Json | undefined): value is JsonObject {
  return isAnyObject(value) && !isRef(value);
}
