import { Injectable, Logger } from '@nestjs/common';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { ExpressionError } from '#libs/definition/expressions';
import { isRef, type Json, type JsonObject } from '#libs/definition/values';
import type { ActivityEffect, Scope } from '#libs/engine/effects';
import { Payloads } from '#libs/executions/payloads';
import { Recorder } from '#libs/executions/recorder';
import { storable } from '#libs/executions/storable';
import type { EffectResult, RunKey } from '#temporal/activities';

/** Three beats within the time-out after which Temporal takes a worker for dead. */
const beatMs = 3000;

/** What a block gets to work with: its scope with stored values put back in, and a signal that ends with the run. */
export interface Work {
  scope: Scope;
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

  constructor(
    private readonly payloads: Payloads,
    private readonly recorder: Recorder,
  ) {}

  async carry(
    run: RunKey,
    effect: ActivityEffect,
    block: (work: Work) => Promise<Json>,
  ): Promise<EffectResult> {
    const context = Context.current();
    const beat = setInterval(() => context.heartbeat(), beatMs);
    const shown = this.show(run, effect);
    try {
      const resolved = await this.payloads.resolve(run, effect.scope);
      const scope = isObject(resolved) ? resolved : {};
      const signal = context.cancellationSignal;
      const output = storable(await block({ scope, effect, run, signal, attempt: context.info.attempt }));
      if (output === null) return { output: null };
      return { output: await this.payloads.put(run, output) };
    } catch (error) {
      if (error instanceof ExpressionError)
        throw blockFailure(error.code, error.message, { retryable: false });
      throw error;
    } finally {
      clearInterval(beat);
      await shown;
    }
  }

  /** The log line is for whoever looks on: a database that is away must not fail the block. */
  private async show(run: RunKey, { visit, name, type }: ActivityEffect): Promise<void> {
    try {
      await this.recorder.begin(run, { ...visit, name, type });
    } catch (error) {
      this.log.warn(`The start of ${run.executionId} ${visit.path} is not in the log: ${String(error)}`);
    }
  }
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRef(value);
}
