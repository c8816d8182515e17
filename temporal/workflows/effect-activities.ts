import {
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  sleep,
  TimeoutFailure,
} from '@temporalio/workflow';
import { effectKindOf } from '#libs/language/definition/blocks/registry';
import type { Json } from '#libs/platform/json/json';
import {
  type ActivityEffect,
  type Effect,
  type EvaluateEffect,
  type Failure,
  mayRetry,
  type VisitEntry,
} from '#libs/language/engine/effects';
import {
  type AttemptDetails,
  type EffectActivities,
  type LocalActivities,
  type RunKey,
  type EffectChainActivity,
  type ChainResult,
  chainMsMax,
  type ChainStart,
} from '#temporal/activities';
import { cutText } from '#libs/platform/text/whole-text';

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

const visitsInList = 100;

function inLists(visits: VisitEntry[]): VisitEntry[][] {
  const lists = Math.ceil(visits.length / visitsInList);
  return Array.from({ length: lists }, (_, i) => visits.slice(i * visitsInList, (i + 1) * visitsInList));
}

/** The local activities. They run one after the other, in the order of the calls. */
export const local: LocalActivities = {
  loadPlan: (run, planHash) => alone(() => activities.loadPlan(run, planHash)),
  cancelAsked: (run) => alone(() => activities.cancelAsked(run)),
  evaluate: (run, effect) => alone(() => activities.evaluate(run, effect)),
  openChild: (run, effect, tries) => alone(() => activities.openChild(run, effect, tries)),
  checkpoints: (run, first) => alone(() => activities.checkpoints(run, first)),
  adopt: (run, childId) => alone(() => activities.adopt(run, childId)),
  acceptSignalled: (run, message) => alone(() => activities.acceptSignalled(run, message)),
  expirePause: (run, path, atMs) => alone(() => activities.expirePause(run, path, atMs)),
  enqueueNotifications: (run, path, occasion) =>
    alone(() => activities.enqueueNotifications(run, path, occasion)),
  record: (change) => alone(() => activities.record({ ...change, visits: [] }, ...inLists(change.visits))),
};

/** The result of one effect: its output and the time of the worker, or its failure after the last retry. */
export type EffectResult =
  | { output: Json; attempts: number; ms?: number | undefined; failure?: undefined }
  | { failure: Failure; attempts: number; output?: undefined };

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
  { attempt = 1, awaySinceMs }: Try = {},
): Promise<EffectResult> {
  return attemptOnce(run, effect, queue, attempt).then(
    ({ output, ms }): EffectResult => ({ output, attempts: attempt, ms }),
    (error: unknown): Promise<EffectResult> => {
      if (isCancellation(error)) throw error;
      return afterFailure(run, effect, queue, {
        attempt,
        failure: activityFailure(error),
        about: detailsOf(error),
        awaySinceMs,
      });
    },
  );
}

interface Try {
  attempt?: number;
  /** The time of the first attempt that met no database, in ms. */
  awaySinceMs?: number | undefined;
}

/** A run waits this long for a database that is away or a table that is held, and tries this often. */
const awayMsMax = 86_400_000;
const awayEveryMs = 10_000;

export interface FailedAttempt {
  attempt: number;
  failure: Failure;
  about: AttemptDetails;
  awaySinceMs?: number | undefined;
}

/** Tries the effect again if its author asked for retries. Gives the result of the last attempt. */
export async function afterFailure(
  run: RunKey,
  effect: ActivityEffect,
  queue: string,
  { attempt, failure, about, awaySinceMs = Date.now() }: FailedAttempt,
): Promise<EffectResult> {
  const { maxAttempts, initialDelayMs, backoff } = effect.retry;
  // No worker had a slot, so nothing was carried out. This does not count as an attempt.
  if (failure.code === 'WORKSPACE_BUSY') return runEffect(run, effect, queue, { attempt });
  // An attempt without a database does not count either, because it says nothing about the block.
  if (failure.code === 'DATABASE_AWAY') {
    if (Date.now() - awaySinceMs >= awayMsMax)
      return { failure: { ...failure, code: 'DATABASE_UNAVAILABLE' }, attempts: attempt };
    await sleep(awayEveryMs, { summary: `${effect.name}: waits for the database` });
    return runEffect(run, effect, queue, { attempt, awaySinceMs });
  }
  if (!mayRetry(effect, { attempt, failure, about })) return { failure, attempts: attempt };
  const delayMs = Math.max(initialDelayMs * backoff ** (attempt - 1), about.retryAfterMs ?? 0);
  await sleep(delayMs, { summary: `${effect.name}: attempt ${attempt + 1} of ${maxAttempts}` });
  return runEffect(run, effect, queue, { attempt: attempt + 1 });
}

/** The result of a chain. Its failure is that of the first effect without an output. */
export interface ChainOutcome {
  settled: ChainResult['settled'];
  failed?: Omit<FailedAttempt, 'attempt'>;
  recordedAtMs?: number;
}

/**
 * Fast path of `runEffect`: carries out effects that follow each other in one activity. The UI shows it by the names of the effects. After a
 * failure of the activity, the committed outputs are read from the rows. Rejects only when the run is cancelled.
 */
export async function runEffectChain(
  run: RunKey,
  effect: ActivityEffect,
  { names, queue, start }: { names: string[]; queue: string; start: ChainStart },
): Promise<ChainOutcome> {
  const { path } = effect.visit;
  try {
    return await proxyActivities<EffectChainActivity>({
      ...buildOptions(effect, queue, path),
      startToCloseTimeout: effect.timeoutMs + chainMsMax + graceMs,
      summary: shortened(names.join(' → ')),
    }).effectChain(run, start);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return {
      settled: await readCheckpoints(run, path),
      failed: { failure: activityFailure(error), about: detailsOf(error) },
    };
  }
}

/** The committed outputs of a chain, in order. */
export async function readCheckpoints(run: RunKey, first: string): Promise<ChainResult['settled']> {
  const outputs = await local.checkpoints(run, first);
  const atMs = Date.now();
  return Object.entries(outputs).map(([path, output]) => ({ path, output, atMs }));
}

/** Renders a pure block over stored values in a local activity. */
export async function evaluateOutside(run: RunKey, effect: EvaluateEffect): Promise<EffectResult> {
  try {
    return { output: await local.evaluate(run, effect), attempts: 1 };
  } catch (error) {
    if (isCancellation(error)) throw error;
    return { failure: activityFailure(error), attempts: 1 };
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

/** Temporal allows 400 bytes for a summary; a character has at most four. */
function shortened(text: string): string {
  return cutText(text, 99, '…');
}

const isCode = (type: string): boolean => /^[A-Z][A-Z0-9_]*$/.test(type);

/** True for effects that end without a person or a timer. */
export function isWork({ kind }: { kind: Effect['kind'] }): boolean {
  return kind === 'activity' || kind === 'evaluate' || kind === 'child';
}

/** An error that ends the run as failed in Temporal. After any other error Temporal would try the task for ever. */
export function engineFault(error: unknown): ApplicationFailure {
  const message = error instanceof Error ? error.message : String(error);
  return ApplicationFailure.nonRetryable(message, 'ENGINE_FAULT');
}
