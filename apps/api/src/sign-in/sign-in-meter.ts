import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { HourlyQuota } from '#libs/workspace/audit/hourly-quota';
import { TooMany } from '#libs/platform/errors/errors';
import { toClient } from '../http/public-rate-limiter.ts';

/** The limits per hour: attempts of one client, and mails to one address. */
const attemptsMax = 120;
const mailsMax = 5;

/** Limits the attempts to sign in, and the mails to an address, in one process of the API. */
@Injectable()
export class SignInMeter {
  private readonly attempts = new HourlyQuota(attemptsMax);
  private readonly mails = new HourlyQuota(mailsMax);

  /** Throws `TooMany` when the client has tried too often in this hour. */
  countAttempt({ ip }: FastifyRequest): void {
    const fullForS = this.attempts.takeOne(toClient(ip));
    if (fullForS > 0)
      throw new TooMany(`One address may try to sign in at most ${attemptsMax} times in an hour.`, fullForS);
  }

  /** True when the address may get another mail in this hour. */
  allowsMail(email: string): boolean {
    return this.mails.takeOne(email.toLowerCase()) === 0;
  }
}
