import { setTimeout as pause } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { migrations } from './migrations/all.ts';
import { CannotStart } from '#libs/platform/settings/cannot-start';
import { keptAlive } from './connections.ts';
import { tenancyGround } from './policies.ts';
import { sqlState } from './violations.ts';

/** The advisory lock that every process of this product takes before it migrates. */
const advisoryLock = 4_715_203;

/** The lock timeout in milliseconds. A statement that waits for a table lock blocks all later ones, so it gives up soon and retries later. */
const lockMs = 3000;
const triesMax = 60;
const betweenTriesMs = 2000;

/** The SQLSTATE of a statement that did not get its lock in time. */
const lockNotAvailable = '55P03';

/**
 * Migrates a database to the newest schema, as its owner. Processes that start at the same time wait for each other. Each migration
 * is one transaction, unless it says otherwise. It is retried when it does not get the lock of a table in time. Resolves to the names of the applied
 * migrations. Throws `CannotStart` when the schema is newer than this program.
 */
export async function migrate(databaseUrl: string, list = migrations): Promise<string[]> {
  const extra = { max: 2, options: `-c lock_timeout=${lockMs}`, ...keptAlive };
  const source = new DataSource({ type: 'postgres', url: databaseUrl, migrations: list, extra });
  await source.initialize();
  const lock = source.createQueryRunner();
  try {
    // Waits without a time limit for another process that migrates.
    await lock.query('set lock_timeout = 0');
    await lock.query('select pg_advisory_lock($1)', [advisoryLock]);
    const before = new Set(await appliedTo(source));
    refuseNewer(
      [...before],
      list.map(({ name }) => name),
    );
    await lock.query(tenancyGround);
    await unlessBusy(() => source.runMigrations({ transaction: 'each' }));
    return (await appliedTo(source)).filter((name) => !before.has(name));
  } finally {
    await lock.query('select pg_advisory_unlock($1)', [advisoryLock]).catch(() => undefined);
    await lock.release();
    await source.destroy();
  }
}

/** The migrations of this program, in their order. */
export const knownMigrations: string[] = migrations.map(({ name }) => name);

/** Returns the applied migrations that a newer release has made. */
export function findNewer(applied: string[], known = knownMigrations): string[] {
  return applied.filter((name) => !known.includes(name));
}

/** Throws `CannotStart` when a newer release has migrated the data: this program would not know what it reads. */
export function refuseNewer(applied: string[], known = knownMigrations): void {
  const unknown = findNewer(applied, known);
  if (unknown.length > 0)
    throw new CannotStart(
      `The database is of a newer release than this program: it has ${unknown.join(', ')}. Start that release, or restore a backup of this one. Nothing was changed.`,
    );
}

/** Retries work that did not get its lock. Throws the last error after about five minutes. */
async function unlessBusy(work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return void (await work());
    } catch (error) {
      if (sqlState(error) !== lockNotAvailable || tries === triesMax) throw error;
      await pause(betweenTriesMs);
    }
  }
}

async function appliedTo(source: DataSource): Promise<string[]> {
  const [known]: { there: boolean }[] = await source.query(
    `select to_regclass('migrations') is not null as there`,
  );
  if (!known?.there) return [];
  const rows: { name: string }[] = await source.query('select name from migrations order by id');
  return rows.map(({ name }) => name);
}
