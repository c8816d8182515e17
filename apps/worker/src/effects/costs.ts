import { Injectable, Logger } from '@nestjs/common';
import { Context } from '@temporalio/activity';
import type { ActivityEffect } from '#libs/language/engine/effects';
import { UsageBooking, type TokensUsed } from '#libs/workspace/limits/usage-booking';
import type { RunKey } from '#temporal/activities';
import { insist } from './insist.ts';

/** The time for which a booking waits for a database that is away, in milliseconds. */
const bookMsMax = 30_000;

/** Books what effects cost, as soon as it has been spent. What cannot be booked is in the log of the process: no call is made again for it. */
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
      await insist(work, Context.current().cancellationSignal, bookMsMax);
    } catch (error) {
      this.log.error(`A cost of ${executionId} is not booked: ${String(error)}`);
    }
  }
}
