import type pg from 'pg';
import { soon } from '#libs/platform/settings/support/soon';

/** The condition on a session that waits for a lock. */
export const waitsForLock = `wait_event_type = 'Lock'`;

/** The sessions of this database alone, because the spec files of a run share a server. */
const sessions = `from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and`;

/** Returns the sessions of this database that fulfil the condition, when their transactions began. */
export async function findSessions(client: pg.Client, condition = waitsForLock): Promise<string[]> {
  // Asks anew, because a transaction sees the sessions of others as they were at its first look.
  await client.query('select pg_stat_clear_snapshot()');
  const { rows } = await client.query(`select xact_start::text as begun ${sessions} ${condition}`);
  return rows.map(({ begun }) => begun);
}

/** Waits until so many sessions of this database fulfil the condition. */
export async function untilSessions(client: pg.Client, condition = waitsForLock, count = 1): Promise<void> {
  await soon(async () => (await findSessions(client, condition)).length >= count);
}

/** Ends the sessions of this database that fulfil the condition. */
export async function terminateSessions(client: pg.Client, condition: string): Promise<void> {
  await client.query(`select pg_terminate_backend(pid) ${sessions} ${condition}`);
}
