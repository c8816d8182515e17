import {
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  sleep,
  TimeoutFailure,
} from '@temporalio/workflow';
import { effectKindOf } from '#libs/definition/blocks/registry';
import type { Json } from '#libs/definition/values';
import type { ActivityEffect, Effect, EvaluateEffect, Failure, VisitEntry } from '#libs/engine/effects';
import type { EffectActivities, LocalActivities, RunKey } from '#temporal/activities';

/**
 * Local activities are short and safe to repeat. They are retried until the database can be reached: a run must not
 * fail because it could not. One that has not succeeded within a day fails its run, so that nothing hangs for ever.
 */
const activities = proxyLocalActivities<LocalActivities>({
  startToCloseTimeout: '20s',
  scheduleToCloseTimeout: '1 day',
  retry: { initialInterval: '100ms', maximumInterval: '5s' },
});

/** The local activity under way; the sandbox gives every run a module of its own. */
const turn: { taken: Promise<unknown> | null } = { taken: null };

/**
 * Runs one local activity at a time, because a replay may deliver the ends of two in another order than the first
 * execution.
 */
async function alone<T>(work: () => Promise<T>): Promise<T> {
  while (turn.taken) await turn.taken.catch(() => undefined);
  const mine = work();
  turn.taken = mine;
  try {
    return await mine;
  } finally {
    turn.taken = null;
  }
}

const visitsInList = 100;

function inLists(visits: VisitEntry[]): VisitEntry[][] {
  const lists = Math.ceil(visits.length / visitsInList);
  return Array.from({ length: lists }, (_, i) => visits.slice(i * visitsInList, (i + 1) * visitsInList));
}

/** The local activities, one after the other in the order in which they are called. */
export const local: LocalActivities = {
  loadPlan: (run, planHash) => alone(() => activities.loadPlan(run, planHash)),
  cancelAsked: (run) => alone(() => activities.cancelAsked(run)),
  evaluate: (run, effect) => alone(() => activities.evaluate(run, effect)),
  openChild: (run, effect) => alone(() => activities.openChild(run, effect)),
  adopt: (run, childId) => alone(() => activities.adopt(run, childId)),
  acceptSignalled: (run, message) => alone(() => activities.acceptSignalled(run, message)),
  expirePause: (run, path, atMs) => alone(() => activities.expirePause(run, path, atMs)),
  tellPeople: (run, path, occasion) => alone(() => activities.tellPeople(run, path, occasion)),
  record: (change) => alone(() => activities.record({ ...change, visits: [] }, ...inLists(change.visits))),
};

/** The result of one effect: its output, or its failure after the last retry. */
export type EffectResult =
  | { output: Json; attempts: number; failure?: undefined }
  | { failure: Failure; attempts: number; output?: undefined };

/** The time in which the activity can report its own time-out before Temporal ends the attempt. */
const graceMs = 5000;

/** A dead worker is noticed within this time; workers send heartbeats three times as often. */
const heartbeatMs = 10_000;

/** An effect that has brought down so many workers, or hung in them, would bring down the next one too. */
const lostMax = 20;

/**
 * Carries out an effect block. The block's own retries are made here, one activity each, so that the history shows
 * them; Temporal's retries only replace attempts whose worker was lost, so the two never multiply. Rejects only
 * when the run is cancelled. It is no async function because Temporal records a stack for each promise, and this
 * code runs often.
 */
export function carryOut(
  run: RunKey,
  effect: ActivityEffect,
  queue: string,
  attempt = 1,
): Promise<EffectResult> {
  return attemptOnce(run, effect, queue, attempt).then(
    ({ output }): EffectResult => ({ output, attempts: attempt }),
    async (error: unknown): Promise<EffectResult> => {
      if (isCancellation(error)) throw error;
      const { maxAttempts, initialDelayMs, backoff } = effect.retry;
      const failure = failureOf(error);
      // No worker had a slot for it: it was not carried out, so this is no attempt.
      if (failure.code === 'WORKSPACE_BUSY') return carryOut(run, effect, queue, attempt);
      if (attempt >= maxAttempts || !retryable(effect, error, failure)) return { failure, attempts: attempt };
      const delayMs = Math.max(initialDelayMs * backoff ** (attempt - 1), retryAfterMs(error));
      await sleep(delayMs, { summary: `${effect.name}: attempt ${attempt + 1} of ${maxAttempts}` });
      return carryOut(run, effect, queue, attempt + 1);
    },
  );
}

/** Renders a pure block over stored values in a local activity. */
export async function evaluateOutside(run: RunKey, effect: EvaluateEffect): Promise<EffectResult> {
  try {
    return { output: await local.evaluate(run, effect), attempts: 1 };
  } catch (error) {
    if (isCancellation(error)) throw error;
    return { failure: failureOf(error), attempts: 1 };
  }
}

function attemptOnce(run: RunKey, effect: ActivityEffect, queue: string, attempt: number) {
  const effects = proxyActivities<EffectActivities>({
    taskQueue: `${queue}-${effectKindOf(effect.type).queue}`,
    activityId: attempt === 1 ? effect.visit.path : `${effect.visit.path}#${attempt}`,
    startToCloseTimeout: effect.timeoutMs + graceMs,
    heartbeatTimeout: heartbeatMs,
    cancellationType: 'TRY_CANCEL',
    retry: {
      initialInterval: '500ms',
      backoffCoefficient: 2,
      maximumInterval: '10s',
      maximumAttempts: lostMax,
    },
    summary: `${effect.name} · ${effect.type}`,
  });
  return effects[effect.type](run, effect);
}

/** The details of a failed attempt beside its code: whether a retry can succeed, and how long to wait before it. */
interface AttemptDetails {
  retryable?: boolean;
  retryAfterMs?: number;
  details?: Json;
}

function detailsOf(error: unknown): AttemptDetails {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (!(cause instanceof ApplicationFailure)) return {};
  const first: unknown = cause.details?.[0];
  return typeof first === 'object' && first !== null ? first : {};
}

function retryAfterMs(error: unknown): number {
  return detailsOf(error).retryAfterMs ?? 0;
}

function retryable({ retry }: ActivityEffect, error: unknown, { code }: Failure): boolean {
  if (retry.retryOn && retry.retryOn.length > 0) return retry.retryOn.includes(code);
  return detailsOf(error).retryable ?? true;
}

/** The failure of the block: the activity's code and sentence, never a stack. */
export function failureOf(error: unknown): Failure {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof ApplicationFailure) {
    const { details } = detailsOf(error);
    return {
      code: cause.type ?? 'FAILED',
      message: cause.message,
      ...(details === undefined ? {} : { details }),
    };
  }
  if (cause instanceof TimeoutFailure && cause.timeoutType === 'HEARTBEAT')
    return {
      code: 'WORKER_LOST',
      message:
        "Workers were lost again and again while they carried this block out; make what it works on smaller, or see the workers' logs.",
    };
  if (cause instanceof TimeoutFailure)
    return { code: 'TIMEOUT', message: 'The block did not answer in time.' };
  return { code: 'FAILED', message: cause instanceof Error ? cause.message : 'The block failed.' };
}

/** True for effects that end without a person or a timer. */
export function isWork({ kind }: { kind: Effect['kind'] }): boolean {
  return kind === 'activity' || kind === 'evaluate' || kind === 'child';
}

/** An error that ends the run as failed in Temporal: any other error would make Temporal try the task for ever. */
export function engineFault(error: unknown): ApplicationFailure {
  const message = error instanceof Error ? error.message : String(error);
  return ApplicationFailure.nonRetryable(message, 'ENGINE_FAULT');
}
