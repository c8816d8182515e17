import { randomInt } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { isUnavailable } from '#libs/platform/database/violations';
import { ApiError } from '#libs/platform/errors/errors';

const firstDelayMs = 500;

/** After so many attempts the workflow orders a new activity, because Temporal gives up after forty. */
const attemptsMax = 18;

/**
 * Returns the failure of an attempt that did nothing, so that Temporal repeats the task later. An attempt costs no event of
 * the history, and a new activity costs eleven. `attempt` is Temporal's count, from 1. The delay grows with it up to
 * `delayMsMax` and is random, so that rejected tasks come back at different times.
 */
export function retryLater(
  type: 'WORKSPACE_BUSY' | 'DATABASE_AWAY',
  attempt: number,
  { message, delayMsMax }: { message: string; delayMsMax: number },
): ApplicationFailure {
  const longest = Math.min(delayMsMax, firstDelayMs * 2 ** Math.min(attempt, 10));
  return ApplicationFailure.create({
    message,
    type,
    nonRetryable: attempt >= attemptsMax,
    nextRetryDelay: randomInt(longest / 2, longest),
  });
}

/** Returns the failure of an attempt that met no database, or a table that somebody held, before it sent anything. */
export function databaseUnavailable(attempt: number): ApplicationFailure {
  const message = 'The database could not be reached, or a table was held for too long. Nothing was sent.';
  return retryLater('DATABASE_AWAY', attempt, { message, delayMsMax: 60_000 });
}

/** True for a failure of the database that says nothing about the effect. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return isUnavailable(error) || (error instanceof ApiError && error.kind === 'unavailable');
}
