import { Logger } from '@nestjs/common';
import type { Database } from './database.ts';

/** A turn claims no further rows after this time, in milliseconds. */
const turnMs = 5000;

/** The rows that wait for delivery: their number, counted up to 10,000, and the age of the oldest in seconds. */
export interface OutboxLag {
  count: number;
  oldestS: number;
}

/**
 * A transactional outbox: delivers committed rows to another system, each at least once. Several processes may run turns at the
 * same time, because row locks give each row to one process. A delivery must be safe to repeat, because a process may stop
 * after the delivery and before the mark.
 */
export abstract class Outbox<Row extends object & { id: string }> {
  protected readonly log = new Logger(this.constructor.name);

  /**
   * SQL that claims at most `$1` due rows with `for update skip locked`, and returns them. It sets the time of their next attempt
   * in the future, so a row whose delivery fails is not retried at once.
   */
  protected abstract readonly claim: string;
  /** SQL that is true when the claim may find a row. It is asked several times a second. */
  abstract readonly due: string;
  /** SQL that marks the rows with the ids `$1` as delivered. Absent when the receiver itself changes the row, so that it is no longer due. */
  protected readonly mark?: string;
  /** SQL that returns one row, an `OutboxLag`. */
  protected abstract readonly lagOf: string;
  /** The number of rows in one claim. They are delivered at the same time. */
  protected readonly batch: number = 8;
  /** The number of claims at the same time. While one claim waits for its slowest row, the receiver works on the others. */
  protected readonly lanes: number = 1;

  protected constructor(protected readonly database: Database) {}

  /** Delivers one row to the other system. Rejects when the delivery failed; a later turn retries it. */
  protected abstract deliver(row: Row): Promise<void>;

  /** Claims and delivers due rows, until none are left or the turn is over. Resolves to the number of delivered rows. */
  async turn(): Promise<number> {
    const endsAtMs = performance.now() + turnMs;
    let delivered = 0;
    const lane = async () => {
      for (let found = this.batch; found === this.batch && performance.now() < endsAtMs;) {
        const rows = await this.database.systemUnflushed<Row>(this.claim, [this.batch]);
        const ids = await this.deliverAll(rows);
        delivered += ids.length;
        // When all rows of a claim fail, the receiver is probably unreachable, so this lane stops.
        found = ids.length === 0 ? 0 : rows.length;
      }
    };
    await Promise.all(Array.from({ length: this.lanes }, lane));
    return delivered;
  }

  /** Reads the lag of this outbox, or of another statement that returns an `OutboxLag`. */
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

/**
 * SQL that returns an `OutboxLag`. `waiting` is a query that selects, for at most 10,000 waiting rows, the time since when each waits,
 * as `since`.
 */
export const lagOver = (waiting: string) => /* sql */ `
select count(*)::int as count, coalesce(extract(epoch from now() - min(since)), 0)::float8 as "oldestS"
from (${waiting}) waiting`;
