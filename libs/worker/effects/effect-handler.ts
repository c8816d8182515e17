import { ApplicationFailure } from '@temporalio/common';
import type { EntityManager } from 'typeorm';
import { isObject, isRef, type Json, type JsonObject } from '#libs/platform/json/json';
import {
  effectParamsShape,
  type EffectParams,
  type EffectType,
} from '#libs/language/definition/blocks/registry';
import { checkRendered } from '#libs/language/definition/shapes/shape';
import type { ActivityEffect, Failure, SentValue } from '#libs/language/engine/effects';
import type { CallGate } from '#libs/platform/egress/egress';
import type { AttemptDetails, RunKey } from '#temporal/activities';
import { cutText, screenJson, screenText } from '#libs/platform/text/whole-text';
import type { Unread } from '../outputs/large-output.ts';

/** The input of a block's handler: its rendered and checked parameters, and a signal that ends with the run. */
export interface EffectContext<T extends EffectType = EffectType> {
  params: EffectParams<T>;
  effect: ActivityEffect;
  run: RunKey;
  signal: AbortSignal;
  writes: EffectWrites;
  /**
   * Goes on to the host of a redirect. Rejects with `EffectHeld` when a hold or the limit of the host does not let it. The effect waits for
   * its turn only when it may begin again.
   */
  enterHost: (url: URL, mayBeginAgain: boolean) => Promise<void>;
  gate: CallGate;
}

/** The writes by which a handler makes its effect safe to repeat. */
export interface EffectWrites {
  /**
   * Commits that a call which must not be repeated is sent now. Rejects with `OUTCOME_UNKNOWN` when an earlier attempt
   * has committed that: nobody knows the outcome of its call. A retry by the block's author is a new call.
   */
  sendOnce(): Promise<void>;
  /** Keeps the console lines of the block for the block log. They are lost when the database is away. */
  keepLogs(lines: string[]): Promise<void>;
  /**
   * Writes to this database once for all attempts of the visit, in one transaction with its output and its line in the
   * block log. Resolves to the output of the attempt that wrote.
   */
  commitOnce(write: (tx: EntityManager) => Promise<Json>): Promise<Committed>;
}

/** An output that is already stored. */
export class Committed {
  constructor(readonly packed: Json) {}
}

/** A longer message would be most of a history. */
const messageCharsMax = 10_000;

/** Returns a failure of the block, as the engine and the log will show it. Its texts may be of others, so they are screened. */
export function blockFailure(
  code: string,
  message: string,
  { details, ...about }: { retryable: boolean; retryAfterMs?: number; details?: Json },
): ApplicationFailure {
  return ApplicationFailure.create({
    type: code,
    message: cutText(screenText(message), messageCharsMax, '…'),
    nonRetryable: true,
    details: [details === undefined ? about : { ...about, details: screenJson(details) }],
  });
}

/** The failure with what its attempt had sent, beside its details. */
export function withSent(error: unknown, sent: SentValue | undefined): unknown {
  if (!(error instanceof ApplicationFailure) || !sent) return error;
  const { type, message, nonRetryable, nextRetryDelay, details } = error;
  const first: unknown = details?.[0];
  return ApplicationFailure.create({
    message,
    type: type ?? undefined,
    nonRetryable: nonRetryable ?? true,
    nextRetryDelay: nextRetryDelay ?? undefined,
    details: [{ ...Object(first), sent }],
  });
}

/** The failure of one effect, for an activity with several. */
export function toFailure({ type, message, details }: ApplicationFailure): {
  failure: Failure;
  about: AttemptDetails;
} {
  const first: unknown = details?.[0];
  const about: AttemptDetails = typeof first === 'object' && first !== null ? first : {};
  const shown = about.details === undefined ? {} : { details: about.details };
  return { failure: { code: type ?? 'FAILED', message, ...shown }, about };
}

/**
 * Checks the rendered parameters against the shape of the block's type. The first fault is thrown as a failure
 * `INVALID_VALUE`.
 */
export function checkParams<T extends EffectType>(type: T, params: JsonObject): EffectParams<T> {
  checkRendered(effectParamsShape(type), params, '', (path, _code, message) => {
    throw invalidValue(`${path}: ${message}`);
  });
  // The shape has just checked this.
  return params as EffectParams<T>;
}

/** The failure of a block whose rendered parameters have an unusable value. */
export function invalidValue(message: string): ApplicationFailure {
  return blockFailure('INVALID_VALUE', message, { retryable: false });
}

/** Carries out the effect of one type of block. */
export interface EffectHandler<T extends EffectType = EffectType> {
  /** Resolves to the block's output. Rejects with the error of `blockFailure`; any other error is a bug of ours. */
  execute(context: EffectContext<T>): Promise<Json | Committed | Unread>;
}

/** True for an object that a block may read. An object with the marker of a stored value is none. */
export function isPlainObject(value: Json | undefined): value is JsonObject {
  return isObject(value) && !isRef(value);
}
