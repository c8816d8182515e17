import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '#libs/platform/database/database';
import type { ExactObject } from '#libs/platform/json/exact-json';
import { Unavailable } from '#libs/platform/errors/errors';
import { type NewRows, parseNewRows, type RowOperation, type TableRows } from './row-operations.ts';
import { explainTaken, orValueTaken, type RowsToWrite } from './taken-values.ts';
import { InsertBatcher } from './insert-batcher.ts';
import { TableCache } from '../schema/table-cache.ts';
import { RowWriter, tableFull } from './row-writer.ts';
import { type StoredRow, toRow } from '../reads/row.ts';
import { rowIds } from '../reads/row-ids.ts';
import type { Table } from '../schema/table.ts';
import { TableWriteLock } from './table-write-lock.ts';
import * as sql from './writes.sql.ts';

/** The table that a change goes to. */
export interface TableRef {
  workspaceId: string;
  tableId: string;
}

/** The maximum number of tries when columns change between their reading and the insert. Then the call fails with `Unavailable`. */
const triesMax = 20;

/** Writes rows of tables. Each operation writes all of its changes or none. */
@Injectable()
export class RowChanges {
  private readonly inserts: InsertBatcher;
  private readonly tableCache: TableCache;

  constructor(
    private readonly database: Database,
    private readonly writeLock: TableWriteLock,
  ) {
    this.inserts = new InsertBatcher(database, writeLock);
    this.tableCache = new TableCache(database);
  }

  /** Runs an operation in a transaction of its own. Throws as `withLock` and `applyIn` do. */
  apply<T>(ref: TableRef, operation: RowOperation<T>): Promise<T> {
    return this.withLock(ref, () =>
      this.database.within(ref.workspaceId, (tx) => this.applyIn(tx, ref, operation)),
    );
  }

  /** Runs work that calls `applyIn`, within the limit of writers of the table. Throws `TableLocked`, and `Invalid` for a taken value. */
  async withLock<T>(ref: TableRef, work: () => Promise<T>): Promise<T> {
    try {
      return await this.writeLock.withLock(ref.tableId, work);
    } catch (error) {
      throw await explainTaken(this.database, ref, error);
    }
  }

  /**
   * Runs an operation in a transaction of the caller, with the table locked. `executionId` is stored in the written rows.
   * Throws `NotFound` when there is no such table, and `ValueTaken` when a value of a unique column is taken.
   */
  async applyIn<T>(
    tx: EntityManager,
    { workspaceId, tableId }: TableRef,
    operation: RowOperation<T>,
    executionId?: string,
  ): Promise<T> {
    const writer = await RowWriter.openTable(tx, workspaceId, tableId, executionId);
    try {
      return await operation(writer);
    } catch (error) {
      throw orValueTaken(error, writer.rowsToWrite);
    }
  }

  /**
   * Inserts rows at the end of the table by the fast path, and returns them. With `firstId`, a retry returns the rows of the first try.
   * The columns may come from a cache. The statement writes nothing when they have changed, and the insert is tried again.
   * The table is locked only during the statement. Throws `Invalid`, `NotFound`, `TableLocked`, and `Unavailable` after too many tries.
   */
  async insertRows(ref: TableRef, input: NewRows, firstId?: string): Promise<TableRows> {
    const { workspaceId, tableId } = ref;
    for (let tries = 0; tries < triesMax; tries++) {
      const { table, isCached } = await this.tableCache.table(workspaceId, tableId);
      const rows = this.toStoredRows(workspaceId, table, input, isCached);
      if (!rows) continue;
      const ids = rowIds(rows.length, firstId);
      const made = await this.insertOnce(ref, table, { ids, data: rows, paths: input.paths }, firstId);
      if (made.length > 0) return { columns: table.columns, rows: made };
      const now = await this.tableCache.readTable(workspaceId, tableId);
      if (now.schemaVersion === table.schemaVersion && now.rowCount + rows.length > now.maxRows)
        throw tableFull(now);
    }
    throw new Unavailable('The columns of the table change all the time; send the request again.');
  }

  /** The rows as they are stored. Returns null when cached columns refuse them: the columns may have changed, so they must be read again. */
  private toStoredRows(
    workspaceId: string,
    table: Table,
    input: NewRows,
    isCached: boolean,
  ): ExactObject[] | null {
    try {
      return parseNewRows(table, input);
    } catch (error) {
      if (!isCached) throw error;
      this.tableCache.forgetTable(workspaceId, table.id);
      return null;
    }
  }

  /** Inserts nothing and returns an empty list when the columns have changed since they were read, or when the table is full. */
  private async insertOnce(
    ref: TableRef,
    table: Table,
    rowsToWrite: RowsToWrite,
    firstId: string | undefined,
  ): Promise<StoredRow[]> {
    const { workspaceId } = ref;
    const { ids, data: rows } = rowsToWrite;
    const before =
      firstId === undefined ? [] : await this.database.statement(workspaceId, sql.rowsById, [table.no, ids]);
    if (before.length > 0) return before.map(toRow);
    try {
      return await this.inserts.batchInsert(workspaceId, table, { rows, ids });
    } catch (error) {
      throw await explainTaken(this.database, ref, orValueTaken(error, rowsToWrite));
    }
  }
}
