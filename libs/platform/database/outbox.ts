import { Logger } from '@nestjs/common';
import type pg from 'pg';
import type { Database } from './database.ts';

/** A turn claims no further rows after this time, in milliseconds. */
const turnMs = 5000;

/** Rows that are committed and not delivered: their number, counted to ten thousand, and the age of the oldest. */
export interface OutboxLag {
  count: number;
  oldestS: number;
}

/**
 * Committed rows that another system must be told of, at least once. Any number of processes may take turns: row locks divide the
 * rows. Telling must be repeatable, because a process may stop between the delivery and the mark.
 */
export abstract class Outbox<Row extends pg.QueryResultRow & { id: string }> {
  protected readonly log = new Logger(this.constructor.name);

  /**
   * Claims the rows that are due, at most `$1`, by `for update skip locked`, and returns them. It moves their next attempt into the
   * future before the first attempt, so a row that fails is not tried again at once.
   */
  protected abstract readonly claim: string;
  /** Marks the rows with the ids `$1` as delivered. Absent where the receiver's own answer is the mark. */
  protected readonly mark?: string;
  /** Returns one `OutboxLag`. */
  protected abstract readonly lagOf: string;
  /** Rows of one claim. They are delivered side by side. */
  protected readonly batch: number = 8;
  /** Claims under way at the same time: while one waits for its slowest row, the receiver works on another. */
  protected readonly lanes: number = 1;

  protected constructor(protected readonly database: Database) {}

  /** Tells the other system of the row. Rejects when it does not have it after that; a later turn tells it again. */
  protected abstract deliver(row: Row): Promise<void>;

  /** Runs one turn. Resolves to how many rows were delivered. */
  async turn(): Promise<number> {
    const endsAtMs = performance.now() + turnMs;
    let delivered = 0;
    const lane = async () => {
      for (let found = this.batch; found === this.batch && performance.now() < endsAtMs;) {
        const rows = await this.database.systemUnflushed<Row>(this.claim, [this.batch]);
        const ids = await this.deliverAll(rows);
        delivered += ids.length;
        // The receiver is away when all of a claim failed, so a further claim would only fail too.
        found = ids.length === 0 ? 0 : rows.length;
      }
    };
    await Promise.all(Array.from({ length: this.lanes }, lane));
    return delivered;
  }

  /** Counts the rows that wait: those of this outbox, or those of another statement of a lag. */
  async lag(statement = this.lagOf): Promise<OutboxLag> {
    const [row] = await this.database.system<{ count: number; oldestS: number }>(statement);
    return row ?? { count: 0, oldestS: 0 };
  }

  private async deliverAll(rows: Row[]): Promise<string[]> {
    const told = await Promise.all(rows.map((row) => this.isDelivered(row)));
    const ids = rows.flatMap(({ id }, i) => (told[i] ? [id] : []));
    if (this.mark && ids.length > 0) await this.database.systemUnflushed(this.mark, [ids]);
    return ids;
  }

  private async isDelivered(row: Row): Promise<boolean> {
    try {
      await this.deliver(row);
      return true;
    } catch (error) {
      this.log.warn(`${row.id} waits to be delivered: ${String(error)}`);
      return false;
    }
  }
}

/** The statement of a lag. `waiting` selects when each row began to wait, as `since`, at most ten thousand of them. */
export const lagOver = (waiting: string) => /* sql */ `
select count(*)::int as count, coalesce(extract(epoch from now() - min(since)), 0)::float8 as "oldestS"
from (${waiting}) waiting`;
