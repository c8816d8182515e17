import { ApplicationFailure } from '@temporalio/common';
import type { EntityManager } from 'typeorm';
import { isObject, isRef, type Json, type JsonObject } from '#libs/platform/json/json';
import {
  effectParamsShape,
  type EffectParams,
  type EffectType,
} from '#libs/language/definition/blocks/registry';
import { checkRendered } from '#libs/language/definition/shapes/shape';
import type { ActivityEffect, Failure } from '#libs/language/engine/effects';
import type { AttemptDetails, RunKey } from '#temporal/activities';

/** The input of a block's handler: its rendered and checked parameters, and a signal that ends with the run. */
export interface Work<T extends EffectType = EffectType> {
  params: EffectParams<T>;
  effect: ActivityEffect;
  run: RunKey;
  signal: AbortSignal;
  /**
   * Commits that a call which must not be repeated leaves now. Rejects with `OUTCOME_UNKNOWN` when an attempt before this has said so:
   * nobody knows what became of it. A retry that the block asked for is a call of its own.
   */
  sendOnce(): Promise<void>;
  /** Keeps what the block wrote to its console, for its line in the block log. It is lost when the database is away. */
  keepLogs(lines: string[]): Promise<void>;
  /**
   * Writes to this database once for all attempts of the visit: in one transaction with its output and its line in the block log.
   * Resolves to the output of the attempt that did.
   */
  commitOnce(write: (tx: EntityManager) => Promise<Json>): Promise<Committed>;
}

/** An output that is stored already. */
export class Committed {
  constructor(readonly packed: Json) {}
}

/** A failure of the block, as the engine and the log will show it. */
export function blockFailure(
  code: string,
  message: string,
  about: { retryable: boolean; retryAfterMs?: number; details?: Json },
): ApplicationFailure {
  return ApplicationFailure.create({ type: code, message, nonRetryable: true, details: [about] });
}

/** The failure of an attempt, for an activity that carries out other effects too. */
export function failedAs({ type, message, details }: ApplicationFailure): {
  failure: Failure;
  about: AttemptDetails;
} {
  const first: unknown = details?.[0];
  const about: AttemptDetails = typeof first === 'object' && first !== null ? first : {};
  const shown = about.details === undefined ? {} : { details: about.details };
  return { failure: { code: type ?? 'FAILED', message, ...shown }, about };
}

/** The rendered parameters, checked by the one shape of the block's type. The first fault is a failure `INVALID_VALUE`. */
export function checkedParams<T extends EffectType>(type: T, params: JsonObject): EffectParams<T> {
  checkRendered(effectParamsShape(type), params, '', (path, _code, message) => {
    throw unusable(`${path}: ${message}`);
  });
  // The shape has just checked that it is.
  return params as EffectParams<T>;
}

/** The failure of a block whose parameters came out with a value that it cannot use. */
export function unusable(message: string): ApplicationFailure {
  return blockFailure('INVALID_VALUE', message, { retryable: false });
}

/** Carries out the effect of one type of block. */
export interface EffectHandler<T extends EffectType = EffectType> {
  /** Resolves to the block's output. Rejects with what `blockFailure` makes; anything else is a bug of ours. */
  carryOut(work: Work<T>): Promise<Json | Committed>;
}

/** An object that a block may read: never one that bears the marker of a stored value. */
export function isPlainObject(value: Json | undefined): value is JsonObject {
  return isObject(value) && !isRef(value);
}
