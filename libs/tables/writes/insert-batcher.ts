import { nextTick } from '#libs/platform/database/batch-loader';
import type { Database } from '#libs/platform/database/database';
import { isUnavailable } from '#libs/platform/database/violations';
import { insertValues, type RowInsert } from './row-writer.ts';
import { type Row, rowOf } from '../reads/row.ts';
import type { Table } from '../schema/table.ts';
import { TableLocked, type TableWriteLock, unlessLocked, waitingMax } from './table-write-lock.ts';
import * as sql from './writes.sql.ts';

/** Rows that one statement of several calls writes at most. */
const groupRowsMax = 500;
/** A call with more rows than this gains nothing by company. */
const smallRowsMax = 20;

/** The rows of one call. */
type Insert = Pick<RowInsert, 'rows' | 'ids'>;

interface Waiting extends Insert {
  resolve(rows: Row[]): void;
  reject(error: unknown): void;
}

/**
 * Fast path of `insertion` in `row-operations.ts`, which inserts rows in a transaction of its own. A table takes one commit after the other, so
 * small inserts that arrive while one of the same table is under way wait for its end. One statement then writes them together. Both
 * paths check the rows before, keep the order of the calls, and write all rows of a call or none.
 */
export class InsertBatcher {
  private readonly queues = new Map<string, Waiting[]>();

  constructor(
    private readonly database: Pick<Database, 'statement'>,
    private readonly writeLock: TableWriteLock,
  ) {}

  /** Gives nothing, and has written nothing, when the columns have changed since they were read, or when the table is full. Throws `TableLocked`, also when too many wait. */
  batchInsert(workspaceId: string, table: Table, insert: Insert): Promise<Row[]> {
    if (insert.rows.length > smallRowsMax)
      return this.writeLock.withLock(table.id, () => this.writeBatch(workspaceId, table, insert));
    const key = `${table.id} ${table.schemaVersion}`;
    return new Promise((resolve, reject) => {
      const waiting = { ...insert, resolve, reject };
      const queue = this.queues.get(key);
      if (queue && queue.length >= waitingMax) throw new TableLocked();
      if (queue) return void queue.push(waiting);
      this.queues.set(key, [waiting]);
      void this.drain(key, workspaceId, table);
    });
  }

  private async drain(key: string, workspaceId: string, table: Table): Promise<void> {
    const queue = this.queues.get(key) ?? [];
    for (await nextTick(); queue.length > 0; await nextTick())
      await this.together(workspaceId, table, takeGroup(queue));
    this.queues.delete(key);
  }

  /** Writes all of the group, or each by itself when one of them cannot be written. */
  private async together(workspaceId: string, table: Table, group: Waiting[]): Promise<void> {
    try {
      const all = {
        rows: group.flatMap(({ rows }) => rows),
        ids: group.flatMap(({ ids }) => ids),
        calls: group.flatMap(({ rows }, i) => rows.map(() => i + 1)),
      };
      const written = await this.writeBatch(workspaceId, table, all);
      if (written.length === 0 && group.length > 1) return await this.eachAlone(workspaceId, table, group);
      // The rows come back in the order of their positions, which is the order in which they went.
      for (const { ids, resolve } of group) resolve(written.splice(0, ids.length));
    } catch (error) {
      // One caller may have sent a value that is taken or that no row can hold. The other callers must not fail by it.
      if (group.length > 1 && !isUnavailable(error) && !(error instanceof TableLocked))
        return this.eachAlone(workspaceId, table, group);
      for (const { reject } of group) reject(error);
    }
  }

  private async eachAlone(workspaceId: string, table: Table, group: Waiting[]): Promise<void> {
    for (const [i, one] of group.entries()) {
      try {
        one.resolve(await this.writeBatch(workspaceId, table, one));
      } catch (error) {
        one.reject(error);
        if (!isUnavailable(error) && !(error instanceof TableLocked)) continue;
        // Each of the others would wait as long for the same answer.
        for (const { reject } of group.slice(i + 1)) reject(error);
        return;
      }
    }
  }

  private async writeBatch(workspaceId: string, table: Table, insert: RowInsert): Promise<Row[]> {
    const values = insertValues(table, insert);
    const made = await unlessLocked(() => this.database.statement(workspaceId, sql.insertRows, values));
    return made.map(rowOf);
  }
}

function takeGroup(queue: Waiting[]): Waiting[] {
  let rows = 0;
  const end = queue.findIndex((one) => (rows += one.rows.length) > groupRowsMax);
  return queue.splice(0, end === -1 ? queue.length : Math.max(1, end));
}
