import pg from 'pg';

/** Bounds in milliseconds: on a query, on its wait for a lock, and on an idle transaction. */
const guards = {
  statement_timeout: '10000',
  lock_timeout: '5000',
  idle_in_transaction_session_timeout: '15000',
};

/**
 * Gives the transaction that is open a role, its guards and whatever else it needs, and ends with it: nothing is kept in
 * the session, so a pooler may give the next transaction to any connection. One message without parameters, which
 * Postgres answers sooner than a prepared `select set_config(...)`.
 */
export function transactionPreamble(role: string, settings: Record<string, string> = {}): string {
  return Object.entries({ role, ...guards, ...settings })
    .map(([name, value]) => `set local ${name} = ${pg.escapeLiteral(value)}`)
    .join('; ');
}
