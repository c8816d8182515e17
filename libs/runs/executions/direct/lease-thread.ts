import { setTimeout as pause } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import pg from 'pg';
import { systemRole } from '#libs/platform/database/policies';
import { transactionPreamble } from '#libs/platform/database/transaction-preamble';

/** What the thread gets. */
export interface LeaseThreadData {
  databaseUrl: string;
  processId: string;
  /** The time between two renewals, in milliseconds. */
  everyMs: number;
  /** Without a turn of the main thread for so long, in milliseconds, the process counts as lost. */
  stuckMs: number;
  /** The number of turns of the main thread, in memory that both share. */
  turns: Int32Array;
  /** The number of renewals here since the process last counted as lost. */
  renewals: Int32Array;
}

/** A renewal that takes longer, in milliseconds, is given up together with its connection. */
const answerMsMax = 4000;

/** Renews the lease of the process from a thread, on a connection that serves nothing else. */
async function main({
  databaseUrl,
  processId,
  everyMs,
  stuckMs,
  turns,
  renewals,
}: LeaseThreadData): Promise<void> {
  const renewal = `begin; set local synchronous_commit = off; ${transactionPreamble(systemRole)};
    update processes set beat_at = now() where id = ${pg.escapeLiteral(processId)}; commit`;
  let client: pg.Client | null = null;
  let seen = -1;
  let turnAtMs = 0;
  for (;;) {
    const now = Atomics.load(turns, 0);
    if (now !== seen) turnAtMs = performance.now();
    seen = now;
    if (performance.now() - turnAtMs < stuckMs) {
      try {
        client ??= await connect(databaseUrl);
        await client.query(renewal);
        Atomics.add(renewals, 0, 1);
        Atomics.notify(renewals, 0);
      } catch {
        // The next renewal has a new connection.
        void client?.end().catch(() => undefined);
        client = null;
      }
    } else if (Atomics.exchange(renewals, 0, 0) > 0) Atomics.notify(renewals, 0);
    await pause(everyMs);
  }
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: answerMsMax,
    query_timeout: answerMsMax,
    keepAlive: true,
  });
  client.on('error', () => undefined); // The renewal under way, or the next one, fails.
  await client.connect();
  return client;
}

void main(workerData as LeaseThreadData);
