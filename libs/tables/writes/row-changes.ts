import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '#libs/platform/database/database';
import type { ExactObject } from '#libs/platform/json/exact-json';
import { Unavailable } from '#libs/platform/errors/errors';
import { type Change, type NewRows, readRows, type TableRows } from './changes.ts';
import { unlessTaken, type WriteTrace } from './clashes.ts';
import { InsertBatcher } from './insert-batcher.ts';
import { TableCache } from '../schema/table-cache.ts';
import { RowWriter, tableFull } from './row-writer.ts';
import { type Row, rowOf } from '../reads/row.ts';
import { rowIds } from '../reads/row-ids.ts';
import type { Table } from '../schema/table.ts';
import { TableWriteLock } from './table-write-lock.ts';
import { rowsById } from './writes.sql.ts';

/** The table that a change goes to. */
export interface TableRef {
  workspaceId: string;
  tableId: string;
}

/** Runs work in one transaction of the workspace, maybe with more of its own. */
export type Transaction<T, R> = (work: (tx: EntityManager) => Promise<T>) => Promise<R>;

/** The most tries when columns change between reading them and writing rows. Then the caller is sent away. */
const triesMax = 20;

/** Changes of rows, each whole or not at all. */
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

  /** Makes a change in a transaction of its own. */
  make<T>(place: TableRef, change: Change<T>): Promise<T> {
    return this.makeWithin(place, change, (work) => this.database.within(place.workspaceId, work));
  }

  /**
   * Makes a change in a transaction that does more than that. Rows that it writes name the execution, if there is one. Throws `NotFound`
   * when there is no such table.
   */
  async makeWithin<T, R>(
    place: TableRef,
    change: Change<T>,
    transaction: Transaction<T, R>,
    executionId?: string,
  ): Promise<R> {
    const { workspaceId, tableId } = place;
    let written: WriteTrace | undefined;
    return this.tracing(
      place,
      () => written,
      () =>
        this.writeLock.lockTable(tableId, () =>
          transaction(async (tx) =>
            change(
              await RowWriter.openTable(tx, workspaceId, tableId, executionId),
              (what) => (written = what),
            ),
          ),
        ),
    );
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
      const made = await this.tracing(
        place,
        () => ({ ids, data: rows, paths: given.paths }),
        () => this.insertOnce(workspaceId, table, rows, { ids, again: firstId !== undefined }),
      );
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
      return readRows(table, given);
    } catch (error) {
      if (!isRecent) throw error;
      this.recent.forgetTable(workspaceId, table.id);
      return null;
    }
  }

  private tracing<T>(
    place: TableRef,
    written: () => WriteTrace | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    return unlessTaken({ database: this.database, ...place }, written, work);
  }

  /** Nothing is inserted when the columns have changed since they were read, or when the table is full. */
  private async insertOnce(
    workspaceId: string,
    table: Table,
    rows: ExactObject[],
    { ids, again }: { ids: string[]; again: boolean },
  ): Promise<Row[]> {
    const found = again ? await this.database.statement(workspaceId, rowsById, [table.no, ids]) : [];
    if (found.length > 0) return found.map(rowOf);
    return this.inserts.batchInsert(workspaceId, table, { rows, ids });
  }
}
