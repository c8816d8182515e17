import { Injectable } from '@nestjs/common';
import { KeyedSemaphore } from '#libs/platform/semaphore/keyed-semaphore';
import { waitingForLock } from '#libs/platform/database/database';
import { sqlState } from '#libs/platform/database/violations';
import { Unavailable } from '#libs/platform/errors/errors';

/** Writers of one table at the database: one has the table, the next waits for it there. More would only hold connections. */
const atOnce = 2;
/** Others wait here for as long as a statement waits for a lock. */
const waitMs = 5000;
/** Writers of one table that may wait in this process. */
export const waitingMax = 1000;

/** Somebody else has the table for longer than a writer waits, or too many wait. Nothing was written. */
export class TableLocked extends Unavailable {
  constructor() {
    super(
      'Another write has the table, such as an import or a change of its columns; send the request again after the seconds in Retry-After.',
      5,
    );
  }
}

/**
 * Whose turn it is to write a table. The database lets one writer of a table go on after the other, so those of this process that cannot
 * be next wait without a connection: whoever holds one table for long keeps nobody from the other tables.
 */
@Injectable()
export class TableWriteLock {
  private readonly tables = new KeyedSemaphore({
    most: atOnce,
    waitMs,
    waitingMax,
    refuse: () => new TableLocked(),
  });

  /** Does the work when its turn has come. Throws `TableLocked` when that takes longer than five seconds, here or at the lock. */
  withLock<T>(tableId: string, work: () => Promise<T>): Promise<T> {
    return this.tables.run(tableId, () => unlessLocked(() => waitingForLock(work)));
  }
}

/** Says what it means that a statement waited for the lock of a table in vain. */
export async function unlessLocked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (sqlState(error) === '55P03') throw new TableLocked();
    throw error;
  }
}
