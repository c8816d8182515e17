import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { Target } from '../target.ts';

/** Executions that stay open for so long, while none ends, are lost. */
const endsWithinMs = 120_000;

/** Reads or sets back rows as the owner of the database. */
export async function queryRows<T extends object>(
  { databaseUrl }: Target,
  sql: string,
  values: unknown[] = [],
): Promise<T[]> {
  if (!databaseUrl) throw new Error('This trial needs the databaseUrl of the installation.');
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<T>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** Waits until a statement counts nothing `n` that is open, or until the number stays the same for too long. */
export async function settle(target: Target, countOpen: string, values: unknown[]): Promise<void> {
  let last = { n: -1, atMs: 0 };
  for (;;) {
    const [{ n } = { n: 0 }] = await queryRows<{ n: number }>(target, countOpen, values);
    if (n === 0 || (n === last.n && performance.now() - last.atMs > endsWithinMs)) return;
    if (n !== last.n) last = { n, atMs: performance.now() };
    await pause(500);
  }
}

/** $1 workflows */
export const countOpen = `select count(*)::int as n from executions where workflow_id = any($1) and status in ('queued', 'running')`;
