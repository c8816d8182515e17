import { Injectable, Logger } from '@nestjs/common';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { costMax, Meter } from '#libs/definition/cost';
import { ExpressionError, render } from '#libs/definition/expressions';
import { isObject, type Json, type JsonObject } from '#libs/definition/values';
import type { ActivityEffect } from '#libs/engine/effects';
import { sqlState } from '#libs/database/violations';
import { Payloads } from '#libs/executions/payloads';
import { Recorder } from '#libs/executions/recorder';
import { storable, Unstorable } from '#libs/executions/storable';
import { Secrets } from '#libs/secrets/secrets';
import type { EffectResult, RunKey } from '#temporal/activities';
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
  ): Promise<EffectResult> {
    const context = Context.current();
    const beat = setInterval(() => context.heartbeat(), beatMs);
    const shown = this.showing(run, effect);
    let secrets: Record<string, string> = {};
    try {
      secrets = await this.secrets.readFor(run.workspaceId, effect.params);
      const params = await this.render(run, effect, secrets);
      const { cancellationSignal: signal, info } = context;
      const output = storable(await block({ params, effect, run, signal, attempt: info.attempt }));
      return { output: await this.payloads.put(run, withoutSecrets(output, secrets)) };
    } catch (error) {
      throw withoutSecrets(failureOf(error), secrets);
    } finally {
      clearInterval(beat);
      await shown();
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
    const names = { ...(isObject(scope) ? scope : {}), secrets };
    const rendered = render(templates, names, new Meter(costMax));
    return { ...(isObject(rendered) ? rendered : {}), ...(code === undefined ? {} : { code }) };
  }

  /** Each line costs a transaction, and the record writes it anyway: none is spent on what ends before anybody looks. */
  private showing(run: RunKey, effect: ActivityEffect): () => Promise<void> {
    const runId = Context.current().info.workflowExecution?.runId ?? run.executionId;
    if (Date.now() - (this.shownAtMs.get(runId) ?? 0) > showEveryMs) {
      if (this.shownAtMs.size >= runsRemembered) this.shownAtMs.clear();
      this.shownAtMs.set(runId, Date.now());
      const shown = this.show(run, effect);
      return () => shown;
    }
    let shown: Promise<void> | undefined;
    const timer = setTimeout(() => {
      shown = this.show(run, effect);
    }, lastingMs);
    return async () => {
      clearTimeout(timer);
      await shown;
    };
  }

  /** The log line is for whoever looks on: a database that is away must not fail the block. */
  private async show(run: RunKey, { visit, name, type }: ActivityEffect): Promise<void> {
    // An attempt that a reset hands from one Temporal run to the next does not know what the rows should hold.
    const { runId } = Context.current().info.workflowExecution ?? {};
    if (run.temporal && run.temporal.runId !== runId) return;
    try {
      await this.recorder.begin(run, { ...visit, name, type });
    } catch (error) {
      this.log.warn(`The start of ${run.executionId} ${visit.path} is not in the log: ${String(error)}`);
    }
  }
}

function failureOf(error: unknown): unknown {
  if (error instanceof ExpressionError) return blockFailure(error.code, error.message, { retryable: false });
  if (error instanceof Unstorable)
    return blockFailure('OUTPUT_TOO_DEEP', error.message, { retryable: false });
  if (sqlState(error)?.startsWith('22'))
    return blockFailure('OUTPUT_INVALID', 'The output cannot be stored.', { retryable: false });
  return error;
}
