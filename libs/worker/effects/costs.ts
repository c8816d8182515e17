import { Injectable, Logger } from '@nestjs/common';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { UsageBooking, type TokensUsed } from '#libs/workspace/limits/usage-booking';
import type { RunKey } from '#temporal/activities';
import { presentTask } from './effect-task.ts';
import { retryWhileUnavailable } from '#libs/platform/database/violations';

/** A booking waits this long for a database that is away. */
const bookMsMax = 30_000;

/**
 * Books the cost of each answer of a model at once, because an answer that ends in a failure is paid for too. A cost that cannot be booked
 * goes to the process log, because no call is repeated for it.
 */
@Injectable()
export class Costs {
  private readonly log = new Logger(Costs.name);

  constructor(private readonly usage: UsageBooking) {}

  async noteModelCall(run: RunKey, visitPath: string, model: string, used: TokensUsed): Promise<void> {
    const spender = { ...run, visitPath, at: new Date(readClockMs()) };
    try {
      const book = () => this.usage.bookModelCall(spender, model, used);
      await retryWhileUnavailable(book, presentTask().signal, bookMsMax);
    } catch (error) {
      this.log.error(`A cost of ${run.executionId} is not booked: ${String(error)}`);
    }
  }
}
