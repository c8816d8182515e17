import { LRUCache } from 'lru-cache';
import type { Database } from '#libs/platform/database/database';
import { readTable, type Table } from './table.ts';

const recentMs = 5000;
const tablesMax = 1000;

/**
 * Tables as they were a moment ago, for writes that name the version of the columns that they were made for: those write nothing when
 * it has changed.
 */
export class TableCache {
  private readonly tables = new LRUCache<string, Table>({ max: tablesMax, ttl: recentMs });

  constructor(private readonly database: Database) {}

  /** `isRecent` says that the table was not read now. Throws `NotFound`. */
  async table(workspaceId: string, id: string): Promise<{ table: Table; isRecent: boolean }> {
    const table = this.tables.get(`${workspaceId} ${id}`);
    if (table) return { table, isRecent: true };
    return { table: await this.readTable(workspaceId, id), isRecent: false };
  }

  /** The table as it is now. Throws `NotFound`. */
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
