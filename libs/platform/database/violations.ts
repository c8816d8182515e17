import { NameTaken, Unavailable } from '#libs/platform/errors/errors';

/** The name of the unique constraint that a statement violated; null for any other error. */
export function repeatedConstraint(error: unknown): string | null {
  return sqlState(error) === '23505' ? text(driverError(error), 'constraint') : null;
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
  const code = text(driverError(error), 'code');
  // Each SQLSTATE has a digit. EPIPE is an error of the system and has none.
  return code && /^[0-9A-Z]{5}$/.test(code) && /[0-9]/.test(code) ? code : null;
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

/** True when the database is unreachable or cancelled the statement, so that a retry may succeed. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof ConnectionsTaken) return true;
  const state = sqlState(error);
  if (state) return /^(08|53|57P|55P03|57014|25P03|40)/.test(state);
  // TypeORM throws these when a connection broke between two statements of a transaction.
  if (
    error instanceof Error &&
    /^(QueryRunner(Provider)?AlreadyReleased|TransactionNotStarted)Error$/.test(error.name)
  )
    return true;
  const code = text(driverError(error), 'code');
  if (code !== null) return /^E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|NOTFOUND|HOSTUNREACH)$/.test(code);
  // The driver gives no code when a connection breaks during a statement, nor when the pool has ended.
  return /^Connection terminated|connection error and is not queryable|^timeout exceeded when trying to connect|^Cannot use a pool after/.test(
    text(driverError(error), 'message') ?? '',
  );
}

/** The error of the driver, which TypeORM wraps. */
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
