import pg from 'pg';
import type { Statement } from './statements.ts';

/** The longest time of a statement, in milliseconds. */
export const statementMsMax = 10_000;

/**
 * Time limits in milliseconds: for a statement, for its wait for a lock, and for an idle transaction. A statement may wait twice for one
 * row, first for its turn and then for the transaction that holds it, so both waits fit into its own limit.
 */
const guards = {
  statement_timeout: String(statementMsMax),
  lock_timeout: '4000',
  idle_in_transaction_session_timeout: '15000',
};

/**
 * The preamble of a transaction: SQL that sets its role, its time limits and other settings with `set local`. The settings end with
 * the transaction, so a connection pooler may run the next transaction on any connection. The preamble is one message without
 * parameters, because Postgres answers it sooner than a prepared `select set_config(...)`.
 */
export function transactionPreamble(role: string, settings: Record<string, string> = {}): string {
  return Object.entries({ role, ...guards, ...settings })
    .map(([name, value]) => `set local ${name} = ${pg.escapeLiteral(value)}`)
    .join('; ');
}

/**
 * The same preamble as a statement, for a batch that ends in one sync. `set local` would warn there, because no `begin` was sent. Only
 * the given settings are values, so that there are few texts to prepare.
 */
export function preambleStatement(role: string, settings: Record<string, string> = {}): Statement {
  const fixed = Object.entries({ role, ...guards }).map(
    ([name, value]) => `set_config('${name}', ${pg.escapeLiteral(value)}, true)`,
  );
  const given = Object.keys(settings).map((name, n) => `set_config('${name}', $${n + 1}, true)`);
  return [`select ${[...fixed, ...given].join(', ')}`, Object.values(settings)];
}
