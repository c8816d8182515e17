import { Injectable } from '@nestjs/common';
import { sqlState } from '#libs/database/violations';
import { Unavailable } from '#libs/faults/faults';

/** Writers of one table at the database: one has the table, the next waits for it there. More would only hold connections. */
const atOnce = 2;
/** Others wait here for as long as a statement waits for a lock. */
const waitMs = 5000;
/** Writers of one table that may wait in this process. */
export const waitingMax = 1000;

/** Somebody else has the table for longer than a writer waits, or too many wait. Nothing was written. */
export class TableHeld extends Unavailable {
  constructor() {
    super(
      'Another write has the table, such as an import or a change of its columns; send the request again after the seconds in Retry-After.',
      5,
    );
  }
}

interface Turns {
  busy: number;
  waiting: Set<() => void>;
}

/**
 * Whose turn it is to write a table. The database lets one writer of a table go on after the other, so those of this process that cannot
 * be next wait without a connection: whoever holds one table for long keeps nobody from the other tables.
 */
@Injectable()
export class TableTurns {
  private readonly tables = new Map<string, Turns>();

  /** Does the work when its turn has come. Throws `TableHeld` when that takes longer than five seconds, here or at the lock. */
  async take<T>(tableId: string, work: () => Promise<T>): Promise<T> {
    const turns = this.tables.get(tableId) ?? { busy: 0, waiting: new Set() };
    this.tables.set(tableId, turns);
    if (turns.busy >= atOnce) await this.wait(turns);
    else turns.busy++;
    try {
      return await unlessHeld(work);
    } finally {
      const [next] = turns.waiting;
      if (next) next();
      else if (--turns.busy === 0) this.tables.delete(tableId);
    }
  }

  /** Resolves with the turn of one who is done. */
  private wait({ waiting }: Turns): Promise<void> {
    if (waiting.size >= waitingMax) throw new TableHeld();
    return new Promise((resolve, reject) => {
      const mine = () => {
        clearTimeout(timer);
        waiting.delete(mine);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(mine);
        reject(new TableHeld());
      }, waitMs);
      waiting.add(mine);
    });
  }
}

/** Says what it means that a statement waited for the lock of a table in vain. */
export async function unlessHeld<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (sqlState(error) === '55P03') throw new TableHeld();
    throw error;
  }
}
