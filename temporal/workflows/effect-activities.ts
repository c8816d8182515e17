import {
  ActivityFailure,
  ApplicationFailure,
  condition,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  sleep,
  TimeoutFailure,
} from '@temporalio/workflow';
import { effectKindOf } from '#libs/language/definition/blocks/registry';
import type { Json } from '#libs/platform/json/json';
import { type ActivityEffect, type Failure, mayRetry, type SentValue } from '#libs/language/engine/effects';
import { cutText } from '#libs/platform/text/whole-text';
import {
  type AttemptDetails,
  type EffectActivities,
  type EffectLineActivities,
  lineMsMax,
  type LineResult,
  type LocalActivities,
  type RunKey,
} from '#temporal/activities';

/**
 * Local activities are short and safe to repeat. They are retried while the database is away: a run must not fail for
 * that. After a day without success the run fails, so that nothing hangs for ever.
 */
const activities = proxyLocalActivities<LocalActivities>({
  startToCloseTimeout: '20s',
  scheduleToCloseTimeout: '1 day',
  retry: { initialInterval: '100ms', maximumInterval: '5s' },
});

/** The local activity under way; the sandbox gives every run a module of its own. */
const turn: { current: Promise<unknown> | null } = { current: null };

/** Runs one local activity at a time, because a replay may deliver the ends of two in another order. */
async function alone<T>(work: () => Promise<T>): Promise<T> {
  while (turn.current) await turn.current.catch(() => undefined);
  const mine = work();
  turn.current = mine;
  try {
    return await mine;
  } finally {
    turn.current = null;
  }
}

/** The local activities. They run one after the other, in the order of the calls. */
export const local: LocalActivities = {
  advance: (run, change) => alone(() => activities.advance(run, change)),
  openChild: (run, effect, tries) => alone(() => activities.openChild(run, effect, tries)),
  checkpoints: (run, first) => alone(() => activities.checkpoints(run, first)),
  adopt: (run, childId) => alone(() => activities.adopt(run, childId)),
  acceptOperatorAnswer: (run, answer) => alone(() => activities.acceptOperatorAnswer(run, answer)),
  enqueueNotifications: (run, path, occasion) =>
    alone(() => activities.enqueueNotifications(run, path, occasion)),
};

/** How often this run was told to try again. The sandbox gives every run a module of its own. */
const room = { signals: 0 };

/** Notes that something which waits may be tried again. */
export function noteRoom(): void {
  room.signals += 1;
}

export const countRoomSignals = (): number => room.signals;

/** Waits for a signal after the first `seen`, so that a wait of any length costs no events. Returns their number then. */
export async function untilRoom(seen: number): Promise<number> {
  await condition(() => room.signals > seen);
  return room.signals;
}

/** The result of one effect: its output and the time of the worker, or its failure after the last retry. */
export type EffectResult =
  | {
      output: Json;
      attempts: number;
      ms?: number | undefined;
      sent?: SentValue | undefined;
      failure?: undefined;
    }
  | { failure: Failure; attempts: number; sent?: SentValue | undefined; output?: undefined };

/** An activity has this long to report its own time-out before Temporal ends the attempt. */
const graceMs = 5000;

/** A dead worker is noticed within this time. Workers send heartbeats three times as often. */
const heartbeatMs = 10_000;

/**
 * After this many attempts without a result the effect fails: it would probably bring down the next worker too. At least
 * half of them are lost workers, because an attempt that is postponed so often ends as `WORKSPACE_BUSY` or `DATABASE_AWAY`.
 */
const attemptsMax = 40;

/**
 * Carries out an effect block. The block's own retries happen here, one activity each, so that the history shows them.
 * Temporal's retries only replace attempts whose worker was lost, so the two never multiply. Rejects only when the run
 * is cancelled. The function is not async, because Temporal records a stack for each promise, and this code runs often.
 */
export function runEffect(
  run: RunKey,
  effect: ActivityEffect,
  queue: string,
  { attempt = 1, awaySinceMs, noteStill }: Try = {},
): Promise<EffectResult> {
  const seen = countRoomSignals();
  return attemptOnce(run, effect, queue, attempt).then(
    (result): EffectResult => ({ ...result, attempts: attempt }),
    (error: unknown): Promise<EffectResult> => {
      if (isCancellation(error)) throw error;
      return afterFailure(run, effect, queue, {
        attempt,
        failure: activityFailure(error),
        about: detailsOf(error),
        awaySinceMs,
        noteStill,
        seen,
      });
    },
  );
}

interface Try {
  attempt?: number;
  /** The time of the first attempt that met no database, in ms. */
  awaySinceMs?: number | undefined;
  /** Called when the effect begins to wait for the release of a hold, and when it goes on. */
  noteStill?: ((waits: boolean) => void) | undefined;
}

/** A run waits this long for a database that is away or a table that is held, and tries this often. */
const awayMsMax = 86_400_000;
const awayEveryMs = 10_000;

export interface FailedAttempt extends Try {
  attempt: number;
  failure: Failure;
  about: AttemptDetails;
  /** The signals before the attempt; undefined when they are not known. */
  seen?: number | undefined;
}

/** Tries the effect again if its author asked for retries. Gives the result of the last attempt. */
export async function afterFailure(
  run: RunKey,
  effect: ActivityEffect,
  queue: string,
  { attempt, failure, about, awaySinceMs = Date.now(), noteStill, seen }: FailedAttempt,
): Promise<EffectResult> {
  const { maxAttempts, initialDelayMs, backoff } = effect.retry;
  // No worker had a slot, so nothing was carried out. This does not count as an attempt.
  if (failure.code === 'WORKSPACE_BUSY') return runEffect(run, effect, queue, { attempt, noteStill });
  // A hold has stopped it. The release may have been told already, unless the signals before the attempt are known.
  if (failure.code === 'HELD') {
    if (seen !== undefined) {
      noteStill?.(true);
      await untilRoom(seen);
      noteStill?.(false);
    }
    return runEffect(run, effect, queue, { attempt, noteStill });
  }
  // An attempt without a database does not count either, because it says nothing about the block.
  if (failure.code === 'DATABASE_AWAY') {
    if (Date.now() - awaySinceMs >= awayMsMax)
      return { failure: { ...failure, code: 'DATABASE_UNAVAILABLE' }, attempts: attempt, sent: about.sent };
    await sleep(awayEveryMs, { summary: `${effect.name}: waits for the database` });
    return runEffect(run, effect, queue, { attempt, awaySinceMs, noteStill });
  }
  if (!mayRetry(effect, { attempt, failure, about })) return { failure, attempts: attempt, sent: about.sent };
  const delayMs = Math.max(initialDelayMs * backoff ** (attempt - 1), about.retryAfterMs ?? 0);
  await sleep(delayMs, { summary: `${effect.name}: attempt ${attempt + 1} of ${maxAttempts}` });
  return runEffect(run, effect, queue, { attempt: attempt + 1, noteStill });
}

/**
 * Carries out effects that follow each other in one activity. The UI shows it by the names of the effects. Returns the failure of the first
 * effect. Rejects only when it is cancelled.
 */
export async function runEffectLine(
  run: RunKey,
  effect: ActivityEffect,
  { names, queue }: { names: string[]; queue: string },
): Promise<LineResult | Omit<FailedAttempt, 'attempt'>> {
  try {
    const activityType = names.length > 1 ? 'effectLine' : effect.type;
    return await proxyActivities<EffectLineActivities>({
      ...buildOptions(effect, queue, effect.visit.path),
      startToCloseTimeout: effect.timeoutMs + lineMsMax + graceMs,
      // Temporal allows 400 bytes for a summary; a character has at most four.
      summary: names.length > 1 ? cutText(names.join(' → '), 99, '…') : `${effect.name} · ${effect.type}`,
    })[activityType](run, effect, true);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return { failure: activityFailure(error), about: detailsOf(error) };
  }
}

function attemptOnce(run: RunKey, effect: ActivityEffect, queue: string, attempt: number) {
  const { path } = effect.visit;
  const effects = proxyActivities<EffectActivities>({
    ...buildOptions(effect, queue, attempt === 1 ? path : `${path}#${attempt}`),
    summary: `${effect.name} · ${effect.type}`,
  });
  return effects[effect.type](run, effect);
}

export function buildOptions(effect: ActivityEffect, queue: string, activityId: string) {
  return {
    taskQueue: `${queue}-${effectKindOf(effect.type).queue}`,
    activityId,
    startToCloseTimeout: effect.timeoutMs + graceMs,
    heartbeatTimeout: heartbeatMs,
    cancellationType: 'TRY_CANCEL' as const,
    retry: {
      initialInterval: '500ms' as const,
      backoffCoefficient: 2,
      maximumInterval: '10s' as const,
      maximumAttempts: attemptsMax,
    },
  };
}

function detailsOf(error: unknown): AttemptDetails {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (!(cause instanceof ApplicationFailure)) return {};
  const first: unknown = cause.details?.[0];
  return typeof first === 'object' && first !== null ? first : {};
}

/** The failure of the block: the activity's code and sentence, never a stack. */
export function activityFailure(error: unknown): Failure {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof ApplicationFailure) {
    const { details } = detailsOf(error);
    // An error that no block throws on purpose may contain internal names of this installation.
    if (!isCode(cause.type ?? 'FAILED'))
      return {
        code: 'ENGINE_FAULT',
        message: 'The block failed because of a fault of ours; see the log of the worker.',
      };
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
        "Several workers were lost while they carried out this block; give it less data, or see the workers' logs.",
    };
  if (cause instanceof TimeoutFailure)
    return { code: 'TIMEOUT', message: 'The block did not answer in time.' };
  return { code: 'FAILED', message: 'The block failed.' };
}

const isCode = (type: string): boolean => /^[A-Z][A-Z0-9_]*$/.test(type);
