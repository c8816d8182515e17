import { DataSource } from 'typeorm';
import { migrations } from './migrations/all.ts';
import { tenancyGround } from './policies.ts';

/** The number of the advisory lock that every process of this product takes before it migrates. */
const advisoryLock = 4_715_203;

/**
 * Brings a database to the newest schema, as its owner. Processes that start at the same time wait for each other;
 * each migration is a transaction of its own. Returns the names of those that were applied now.
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const source = new DataSource({ type: 'postgres', url: databaseUrl, migrations, extra: { max: 2 } });
  await source.initialize();
  const lock = source.createQueryRunner();
  try {
    await lock.query('select pg_advisory_lock($1)', [advisoryLock]);
    await lock.query(tenancyGround);
    const applied = await source.runMigrations({ transaction: 'each' });
    return applied.map(({ name }) => name);
  } finally {
    await lock.query('select pg_advisory_unlock($1)', [advisoryLock]).catch(() => undefined);
    await lock.release();
    await source.destroy();
  }
}
