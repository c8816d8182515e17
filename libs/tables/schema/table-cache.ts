import { LRUCache } from 'lru-cache';
import type { Database } from '#libs/platform/database/database';
import { readTable, type Table } from './table.ts';

const cachedMs = 5000;
const tablesMax = 1000;

/**
 * A cache of tables without their rows, for at most five seconds. Only a write that checks the schema version may use it: such a write
 * changes nothing when the columns have changed.
 */
export class TableCache {
  private readonly tables = new LRUCache<string, Table>({ max: tablesMax, ttl: cachedMs });

  constructor(private readonly database: Database) {}

  /** The table, from the cache or from the database. `isCached` is true when it comes from the cache. Throws `NotFound`. */
  async table(workspaceId: string, id: string): Promise<{ table: Table; isCached: boolean }> {
    const table = this.tables.get(`${workspaceId} ${id}`);
    if (table) return { table, isCached: true };
    return { table: await this.readTable(workspaceId, id), isCached: false };
  }

  /** Reads the table from the database, and puts it into the cache. Throws `NotFound`. */
  async readTable(workspaceId: string, id: string): Promise<Table> {
    this.forgetTable(workspaceId, id);
    const table = await readTable(this.database, workspaceId, id);
    this.tables.set(`${workspaceId} ${id}`, table);
    return table;
  }

  forgetTable(workspaceId: string, id: string): void {
    this.tables.delete(`${workspaceId} ${id}`);
  }
}
