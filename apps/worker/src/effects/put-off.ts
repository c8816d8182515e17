import { randomInt } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { isUnavailable } from '#libs/platform/database/violations';
import { Fault } from '#libs/platform/errors/errors';

const againMs = { first: 500, most: 10_000 };

/**
 * Nothing was done: Temporal hands the task out again later, and after `attemptsMax` attempts the workflow asks anew, because Temporal gives an
 * activity up after twenty, of which most are for lost workers. `attempt` is Temporal's count, from 1: later ones are put off for
 * longer. Of tasks that were turned away together, each comes back at another time.
 */
export function putOff(
  type: 'WORKSPACE_BUSY' | 'DATABASE_AWAY',
  attempt: number,
  { message, attemptsMax }: { message: string; attemptsMax: number },
): ApplicationFailure {
  const longest = Math.min(againMs.most, againMs.first * 2 ** Math.min(attempt, 6));
  return ApplicationFailure.create({
    message,
    type,
    nonRetryable: attempt >= attemptsMax,
    nextRetryDelay: randomInt(againMs.first, longest),
  });
}

/** Few enough that a workflow which waits for a day asks some two thousand times. */
const outageAttemptsMax = 10;

/** The attempt met no database, or a table that somebody holds, before anything was sent. */
export function outage(attempt: number): ApplicationFailure {
  const message = 'The database could not be reached, or a table was held for too long. Nothing was sent.';
  return putOff('DATABASE_AWAY', attempt, { message, attemptsMax: outageAttemptsMax });
}

/** True for failures of what an attempt asks of the database, which say nothing of the effect. */
export function isOutage(error: unknown): boolean {
  return isUnavailable(error) || (error instanceof Fault && error.kind === 'unavailable');
}
