import { NameTaken, Unavailable } from '#libs/platform/errors/errors';

/** The constraint that a failed statement broke by repeating a value, or null for any other failure. */
export function repeatedConstraint(error: unknown): string | null {
  return sqlState(error) === '23505' ? text(driverError(error), 'constraint') : null;
}

/** Runs what writes a name. Throws `NameTaken` when that breaks the constraint by which names of such a thing are given once. */
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

/** The state of a statement that the statement time-out ended. */
export const queryCancelled = '57014';

/** The five characters by which Postgres names a failure, or null when it was not Postgres that failed. */
export function sqlState(error: unknown): string | null {
  const code = text(driverError(error), 'code');
  // Each state has a digit; EPIPE, which is the system's, has none.
  return code && /^[0-9A-Z]{5}$/.test(code) && /[0-9]/.test(code) ? code : null;
}

/** The workspace has had all connections that it may for longer than a statement waits for one. Nothing was asked of the database. */
export class ConnectionsTaken extends Unavailable {
  constructor() {
    super(
      'This workspace has reached its limit of statements at once; send the request again after the seconds in Retry-After.',
    );
  }
}

/** True when the database cannot be reached, or has no room: whatever is asked of it then fails. */
export function isAway(error: unknown): boolean {
  const state = sqlState(error);
  return isUnavailable(error) && (state === null || /^(08|53|57P)/.test(state));
}

/** True when the database cannot be reached or gave up the statement: trying again may help. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof ConnectionsTaken) return true;
  const state = sqlState(error);
  if (state) return /^(08|53|57P|55P03|57014|25P03|40)/.test(state);
  // TypeORM says this of a connection that broke between two statements of a transaction.
  if (
    error instanceof Error &&
    /^(QueryRunner(Provider)?AlreadyReleased|TransactionNotStarted)Error$/.test(error.name)
  )
    return true;
  const code = text(driverError(error), 'code');
  if (code !== null) return /^E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|NOTFOUND|HOSTUNREACH)$/.test(code);
  // The driver gives no code for a connection that broke under a statement, nor for a pool of a process that is stopped.
  return /^Connection terminated|connection error and is not queryable|^timeout exceeded when trying to connect|^Cannot use a pool after/.test(
    text(driverError(error), 'message') ?? '',
  );
}

/** TypeORM wraps what the driver threw. */
function driverError(error: unknown): unknown {
  const wrapped =
    typeof error === 'object' && error !== null && 'driverError' in error ? error.driverError : undefined;
  return wrapped ?? error;
}

function text(value: unknown, key: string): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const found: unknown = Reflect.get(value, key);
  return typeof found === 'string' ? found : null;
}
