import { randomInt } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { isUnavailable } from '#libs/platform/database/violations';
import { Fault } from '#libs/platform/errors/errors';

const againMs = { first: 500, most: 10_000 };

/**
 * The failure of an attempt that did nothing, so that Temporal repeats the task later. After `attemptsMax` attempts the
 * workflow orders a new activity, because Temporal gives up after twenty and most of those are for lost workers.
 * `attempt` is Temporal's count, from 1. The delay grows with it and is random, so that rejected tasks come back at
 * different times.
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

/** Keeps the number low: a workflow that waits for a day orders some two thousand activities. */
const outageAttemptsMax = 10;

/** The failure of an attempt that met no database, or a table that somebody held, before it sent anything. */
export function outage(attempt: number): ApplicationFailure {
  const message = 'The database could not be reached, or a table was held for too long. Nothing was sent.';
  return putOff('DATABASE_AWAY', attempt, { message, attemptsMax: outageAttemptsMax });
}

/** True for a failure of the database that says nothing about the effect. */
export function isOutage(error: unknown): boolean {
  return isUnavailable(error) || (error instanceof Fault && error.kind === 'unavailable');
}
