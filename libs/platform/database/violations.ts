import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
  TransactionNotStartedError,
} from 'typeorm';
import { NameTaken, Unavailable } from '#libs/platform/errors/errors';
import { DatabaseOutage } from './connections.ts';

/** The name of the unique constraint that a statement violated; null for any other error. */
export function repeatedConstraint(error: unknown): string | null {
  const said = driverError(error);
  return said instanceof pg.DatabaseError && said.code === '23505' ? (said.constraint ?? null) : null;
}

/** Runs work that writes a name. Throws `NameTaken` when it violates the unique constraint on names. */
export async function guardName<T>(
  { constraint, thing, name }: { constraint: string; thing: string; name: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (repeatedConstraint(error) !== constraint) throw error;
    throw new NameTaken(thing, name);
  }
}

/** The SQLSTATE of a statement that was cancelled, usually by the statement time-out. */
export const queryCancelled = '57014';

/** The SQLSTATE of an error of Postgres; null for any other error. */
export function sqlState(error: unknown): string | null {
  const said = driverError(error);
  return said instanceof pg.DatabaseError ? (said.code ?? null) : null;
}

/** The workspace used all its connections for too long, or too many of its transactions wait. The database got no statement. */
export class ConnectionsTaken extends Unavailable {
  constructor() {
    super(
      'This workspace has reached its limit of statements at once; send the request again after the seconds in Retry-After.',
    );
  }
}

/** True when the database is unreachable or out of resources, so that every other statement fails too. */
export function isAway(error: unknown): boolean {
  const state = sqlState(error);
  return isUnavailable(error) && (state === null || /^(08|53|57P)/.test(state));
}

/** What TypeORM throws when a connection broke between two statements of a transaction. */
const brokenOff = [
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
  TransactionNotStartedError,
];

/**
 * True when the database is unreachable or cancelled the statement, so that a retry may succeed. Classes tell it, because a text may be of
 * others.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof ConnectionsTaken || driverError(error) instanceof DatabaseOutage) return true;
  if (brokenOff.some((kind) => error instanceof kind)) return true;
  return /^(08|53|57P|55P03|57014|25P03|40)/.test(sqlState(error) ?? '');
}

/** The error of the driver, which TypeORM wraps. */
const driverError = (error: unknown): unknown =>
  error instanceof QueryFailedError ? error.driverError : error;

/** The time between two tries, in milliseconds. */
const pauseMs = 200;

/**
 * Repeats work on rows while the database is away, for at most `forMs`. So the output of a finished effect is not lost
 * when it cannot be stored at once. The work must be safe to repeat.
 */
export async function retryWhileUnavailable<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  forMs: number,
): Promise<T> {
  const endsAt = performance.now() + forMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) || signal.aborted || performance.now() > endsAt) throw error;
    }
    await pause(pauseMs);
  }
}
