import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { HourlyQuota } from '#libs/workspace/audit/hourly-quota';
import { TooMany } from '#libs/platform/errors/errors';
import { clientOf } from '../http/public-rate-limiter.ts';

/** Attempts of one client in an hour, and mails to one address. */
const attemptsMax = 120;
const mailsMax = 5;

/** Bounds how often somebody may try to sign in, and how many mails an address gets, in one process of the API. */
@Injectable()
export class SignInMeter {
  private readonly attempts = new HourlyQuota(attemptsMax);
  private readonly mails = new HourlyQuota(mailsMax);

  /** Throws `TooMany` when the client has tried too often in this hour. */
  countAttempt({ ip }: FastifyRequest): void {
    const fullForS = this.attempts.takeOne(clientOf(ip));
    if (fullForS > 0)
      throw new TooMany(`At most ${attemptsMax} sign-ins of one address are tried in an hour.`, fullForS);
  }

  /** Whether the address may get one more mail in this hour. */
  allowsMail(email: string): boolean {
    return this.mails.takeOne(email.toLowerCase()) === 0;
  }
}
