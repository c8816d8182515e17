import { Injectable, Logger } from '@nestjs/common';
import type { ActivityEffect } from '#libs/language/engine/effects';
import { UsageBooking, type TokensUsed } from '#libs/workspace/limits/usage-booking';
import type { RunKey } from '#temporal/activities';
import { presentTask } from './effect-task.ts';
import { retryWhileUnavailable } from '#libs/platform/database/violations';

/** A booking waits this long for a database that is away. */
const bookMsMax = 30_000;

/**
 * Books the cost of effects at once. A cost that cannot be booked goes to the process log, because no call is repeated
 * for it.
 */
@Injectable()
export class Costs {
  private readonly log = new Logger(Costs.name);

  constructor(private readonly usage: UsageBooking) {}

  noteModelCall(run: RunKey, visitPath: string, model: string, used: TokensUsed): Promise<void> {
    return this.book(run, () => this.usage.bookModelCall({ ...run, visitPath }, model, used));
  }

  noteCall(run: RunKey, { type, visit }: ActivityEffect): Promise<void> {
    return this.book(run, () => this.usage.bookCall({ ...run, visitPath: visit.path }, type));
  }

  private async book({ executionId }: RunKey, work: () => Promise<void>): Promise<void> {
    try {
      await retryWhileUnavailable(work, presentTask().signal, bookMsMax);
    } catch (error) {
      this.log.error(`A cost of ${executionId} is not booked: ${String(error)}`);
    }
  }
}
