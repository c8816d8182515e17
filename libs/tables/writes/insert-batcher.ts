import { nextTick } from '#libs/platform/database/batch-loader';
import type { Database } from '#libs/platform/database/database';
import { isUnavailable } from '#libs/platform/database/violations';
import { insertValues, type RowInsert } from './row-writer.ts';
import { type StoredRow, toRow } from '../reads/row.ts';
import type { Table } from '../schema/table.ts';
import { TableLocked, type TableWriteLock, unlessLocked, waitingMax } from './table-write-lock.ts';
import * as sql from './writes.sql.ts';

/** The maximum number of rows in one statement for several calls. */
const groupRowsMax = 500;
/** A call with more rows is not batched with other calls: its own rows already use a statement and a commit well. */
const smallRowsMax = 20;

/** The rows of one call. */
type Insert = Pick<RowInsert, 'rows' | 'ids'>;

interface WaitingInsert extends Insert {
  resolve(rows: StoredRow[]): void;
  reject(error: unknown): void;
}

/**
 * The fast path for `insertion` in `row-operations.ts`, which inserts rows in a transaction of its own. Commits to a table run one after
 * the other. So small inserts that arrive during a commit to the table wait for its end, and one statement then writes them together.
 * Both paths check the rows before they write, keep the order of the calls, and write all rows of a call or none.
 *
 * A small insert takes no turn of `TableWriteLock`: this process runs a single `drain` for each table and schema version. So the
 * small inserts of a table occupy a single connection for each schema version.
 */
export class InsertBatcher {
  private readonly queues = new Map<string, WaitingInsert[]>();

  constructor(
    private readonly database: Pick<Database, 'statement'>,
    private readonly writeLock: TableWriteLock,
  ) {}

  /**
   * Inserts the rows of a call, and returns them in their order. Returns an empty list, and writes nothing, when the columns have changed
   * since they were read, or when the table is full. Throws `TableLocked` when the lock is not free in time, and when too many calls wait.
   */
  batchInsert(workspaceId: string, table: Table, insert: Insert): Promise<StoredRow[]> {
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

  /** Writes all calls of the group with one statement. When this fails, writes each call with a statement of its own. */
  private async together(workspaceId: string, table: Table, group: WaitingInsert[]): Promise<void> {
    try {
      const all = {
        rows: group.flatMap(({ rows }) => rows),
        ids: group.flatMap(({ ids }) => ids),
        calls: group.flatMap(({ rows }, i) => rows.map(() => i + 1)),
      };
      const written = await this.writeBatch(workspaceId, table, all);
      if (written.length === 0 && group.length > 1) return await this.eachAlone(workspaceId, table, group);
      // The rows come back in the order of their positions, which is the order of the calls.
      for (const { ids, resolve } of group) resolve(written.splice(0, ids.length));
    } catch (error) {
      // A single call may have a taken value, or a value that no row can hold. The other calls of the group must not fail with it.
      if (group.length > 1 && !isUnavailable(error) && !(error instanceof TableLocked))
        return this.eachAlone(workspaceId, table, group);
      for (const { reject } of group) reject(error);
    }
  }

  private async eachAlone(workspaceId: string, table: Table, group: WaitingInsert[]): Promise<void> {
    for (const [i, one] of group.entries()) {
      try {
        one.resolve(await this.writeBatch(workspaceId, table, one));
      } catch (error) {
        one.reject(error);
        if (!isUnavailable(error) && !(error instanceof TableLocked)) continue;
        // The other calls would wait just as long, and fail with the same error.
        for (const { reject } of group.slice(i + 1)) reject(error);
        return;
      }
    }
  }

  private async writeBatch(workspaceId: string, table: Table, insert: RowInsert): Promise<StoredRow[]> {
    const values = insertValues(table, insert);
    const made = await unlessLocked(() => this.database.statement(workspaceId, sql.insertRows, values));
    return made.map(toRow);
  }
}

function takeGroup(queue: WaitingInsert[]): WaitingInsert[] {
  let rows = 0;
  const end = queue.findIndex((one) => (rows += one.rows.length) > groupRowsMax);
  return queue.splice(0, end === -1 ? queue.length : Math.max(1, end));
}
