import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '#libs/platform/database/database';
import type { ExactObject } from '#libs/platform/json/exact-json';
import { Unavailable } from '#libs/platform/errors/errors';
import { type NewRows, parseNewRows, type RowOperation, type TableRows } from './row-operations.ts';
import { explainTaken, orValueTaken, type WrittenRows } from './taken-values.ts';
import { InsertBatcher } from './insert-batcher.ts';
import { TableCache } from '../schema/table-cache.ts';
import { RowWriter, tableFull } from './row-writer.ts';
import { type Row, rowOf } from '../reads/row.ts';
import { rowIds } from '../reads/row-ids.ts';
import type { Table } from '../schema/table.ts';
import { TableWriteLock } from './table-write-lock.ts';
import * as sql from './writes.sql.ts';

/** The table that a change goes to. */
export interface TableRef {
  workspaceId: string;
  tableId: string;
}

/** The most tries when columns change between reading them and writing rows. Then the caller is sent away. */
const triesMax = 20;

/** Writes rows of tables: each operation whole or not at all. */
@Injectable()
export class RowChanges {
  private readonly inserts: InsertBatcher;
  private readonly recent: TableCache;

  constructor(
    private readonly database: Database,
    private readonly writeLock: TableWriteLock,
  ) {
    this.inserts = new InsertBatcher(database, writeLock);
    this.recent = new TableCache(database);
  }

  /** Does one operation in a transaction of its own. */
  apply<T>(place: TableRef, operation: RowOperation<T>): Promise<T> {
    return this.withLock(place, () =>
      this.database.within(place.workspaceId, (tx) => this.applyIn(tx, place, operation)),
    );
  }

  /** Does work that calls `applyIn`, when it is its turn to write the table. Throws `TableLocked`, and `Invalid` for a taken value. */
  async withLock<T>(place: TableRef, work: () => Promise<T>): Promise<T> {
    try {
      return await this.writeLock.withLock(place.tableId, work);
    } catch (error) {
      throw await explainTaken(this.database, place, error);
    }
  }

  /** Does one operation in a transaction of the caller. Rows that it writes name the execution, if there is one. Throws `NotFound` when there is no such table. */
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
      throw orValueTaken(error, writer.written);
    }
  }

  /**
   * Inserts rows at the end of the table, by the fast path. `firstId` makes a repetition find what its first try has written. The columns
   * may be those of a moment ago: the statement writes nothing when they have changed. The table is held for the statement alone.
   */
  async insertRows(place: TableRef, given: NewRows, firstId?: string): Promise<TableRows> {
    const { workspaceId, tableId } = place;
    for (let tries = 0; tries < triesMax; tries++) {
      const { table, isRecent } = await this.recent.table(workspaceId, tableId);
      const rows = this.rowsOf(workspaceId, table, given, isRecent);
      if (!rows) continue;
      const ids = rowIds(rows.length, firstId);
      const made = await this.insertOnce(place, table, { ids, data: rows, paths: given.paths }, firstId);
      if (made.length > 0) return { columns: table.columns, rows: made };
      const now = await this.recent.readTable(workspaceId, tableId);
      if (now.schemaVersion === table.schemaVersion && now.rowCount + rows.length > now.maxRows)
        throw tableFull(now);
    }
    throw new Unavailable('The columns of the table change all the time; send the request again.');
  }

  /** The rows as the columns read them; null when the columns must be read anew, because they may have changed meanwhile. */
  private rowsOf(workspaceId: string, table: Table, given: NewRows, isRecent: boolean): ExactObject[] | null {
    try {
      return parseNewRows(table, given);
    } catch (error) {
      if (!isRecent) throw error;
      this.recent.forgetTable(workspaceId, table.id);
      return null;
    }
  }

  /** Nothing is inserted when the columns have changed since they were read, or when the table is full. */
  private async insertOnce(
    place: TableRef,
    table: Table,
    written: WrittenRows,
    firstId: string | undefined,
  ): Promise<Row[]> {
    const { workspaceId } = place;
    const { ids, data: rows } = written;
    const before =
      firstId === undefined ? [] : await this.database.statement(workspaceId, sql.rowsById, [table.no, ids]);
    if (before.length > 0) return before.map(rowOf);
    try {
      return await this.inserts.batchInsert(workspaceId, table, { rows, ids });
    } catch (error) {
      throw await explainTaken(this.database, place, orValueTaken(error, written));
    }
  }
}
