import type { Database } from '#libs/platform/database/database';
import { gauge } from './metrics.ts';

/** Shows how busy the database connections of this process are. */
export function watchPools(database: Database): void {
  gauge('pool_connections', 'Connections to Postgres.', ['pool', 'state'], (shown) => {
    for (const { name: pool, inUse, idle } of database.pools) {
      shown.set({ pool, state: 'in_use' }, inUse);
      shown.set({ pool, state: 'idle' }, idle);
    }
  });
  gauge('pool_max', 'Connections that a pool may open.', ['pool'], (shown) => {
    for (const { name: pool, max } of database.pools) shown.set({ pool }, max);
  });
  gauge('pool_waiting', 'Calls that wait for a connection.', ['pool'], (shown) => {
    for (const { name: pool, waiting } of database.pools) shown.set({ pool }, waiting);
  });
}
