import { Injectable } from '@nestjs/common';
import { KeyedSemaphore } from '#libs/platform/semaphore/keyed-semaphore';
import { waitingForLock } from '#libs/platform/database/database';
import { sqlState } from '#libs/platform/database/violations';
import { Unavailable } from '#libs/platform/errors/errors';

/**
 * Writers of one table that may use the database at the same time. The first holds the lock of the table, and the second waits for it.
 * More writers would only occupy connections.
 */
const atOnce = 2;
/** Other writers wait in this process for at most this time, in milliseconds. A statement waits for a lock as long. */
const waitMs = 4000;
/** The maximum number of writers of one table that wait in this process. */
export const waitingMax = 1000;

/** Another writer holds the lock of the table for longer than a writer waits, or too many writers wait. Nothing was written. */
export class TableLocked extends Unavailable {
  constructor() {
    super(
      'Another write has the table, such as an import or a change of its columns; send the request again after the seconds in Retry-After.',
      5,
    );
  }
}

/**
 * Limits the writers of each table in this process. The database lock of a table admits a single writer at a time. Only two writers of a
 * table use a connection; the others wait here without one. So a long write of one table leaves connections for the other tables.
 */
@Injectable()
export class TableWriteLock {
  private readonly tables = new KeyedSemaphore({
    most: atOnce,
    waitMs,
    waitingMax,
    refuse: () => new TableLocked(),
  });

  /**
   * Runs the work when the table has room for another writer. The work itself locks the table in the database.
   * Throws `TableLocked` after a wait of four seconds, in this process or for the database lock, and when too many writers wait.
   */
  withLock<T>(tableId: string, work: () => Promise<T>): Promise<T> {
    return this.tables.run(tableId, () => unlessLocked(() => waitingForLock(work)));
  }
}

/** Runs the work. Throws `TableLocked` instead of the Postgres error `55P03`, a lock that was not available in time. */
export async function unlessLocked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (sqlState(error) === '55P03') throw new TableLocked();
    throw error;
  }
}
