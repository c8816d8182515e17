import { Injectable, Module } from '@nestjs/common';
import { Database, DatabaseModule } from '#libs/database/database';
import { TooMany, Unpaid } from '#libs/faults/faults';
import { Settings } from '#libs/settings/settings';
import { limitsOf, type BucketKind } from './plans.ts';
import { Storage } from './storage.ts';
import { takeToken } from './take-token.sql.ts';
import { Usage } from './usage.ts';

/** The owner of the buckets, their plan, and the workspace that pays. */
export interface Payer {
  owner: string;
  plan: string;
  workspaceId: string;
}

export interface Bucket {
  requestsPerMinute: number;
  maxBurst: number;
  remaining: number;
  /** Time at which the bucket will be full again. */
  resetAt: string;
}

/** The state of the buckets and the payer's usage at one moment. */
export interface LimitStatus {
  buckets: Record<BucketKind, Bucket>;
  usage: { currentPeriodCost: number; limit: number; plan: string; isExceeded: boolean };
}

/** No token was left. Carries the limits too, for the headers of the response. */
export class RateLimited extends TooMany {
  constructor(
    retryAfterS: number,
    readonly limitStatus: LimitStatus,
    readonly bucket: BucketKind,
  ) {
    super(
      'The rate limit is exceeded; send the request again after the seconds in Retry-After.',
      retryAfterS,
    );
  }
}

interface Row {
  allowed: boolean;
  buckets: Record<BucketKind, { remaining: number; resetAt: string; nextInS: number }>;
  cost: number;
}

/** Rate buckets and usage. Decision and numbers come from one statement, so that they never contradict each other. */
@Injectable()
export class Limits {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /** Takes one token. Throws `RateLimited`, and `Unpaid` for an execution over the usage limit. */
  async take(payer: Payer, kind: BucketKind): Promise<LimitStatus> {
    const { row, limitStatus } = await this.query(payer, kind);
    if (!row.allowed)
      throw new RateLimited(Math.max(1, Math.ceil(row.buckets[kind].nextInS)), limitStatus, kind);
    if (kind !== 'api' && limitStatus.usage.isExceeded) throw new Unpaid();
    return limitStatus;
  }

  /** The same without taking a token. */
  async look(payer: Payer): Promise<LimitStatus> {
    return (await this.query(payer, null)).limitStatus;
  }

  private async query(
    payer: Payer,
    kind: BucketKind | null,
  ): Promise<{ row: Row; limitStatus: LimitStatus }> {
    const { perMinute, usageLimit } = limitsOf(payer.plan, this.settings.limits);
    const values = [payer.owner, kind, perMinute.sync, perMinute.async, perMinute.api, payer.workspaceId];
    const [row] = await this.database.forgetful<Row>(takeToken, values);
    if (!row) throw new Error('The limiter returned no row.');
    const bucket = (name: BucketKind): Bucket => ({
      requestsPerMinute: perMinute[name],
      maxBurst: perMinute[name] * 2,
      remaining: row.buckets[name].remaining,
      resetAt: row.buckets[name].resetAt,
    });
    const usage = {
      currentPeriodCost: row.cost,
      limit: usageLimit,
      plan: payer.plan,
      isExceeded: row.cost >= usageLimit,
    };
    return {
      row,
      limitStatus: { buckets: { sync: bucket('sync'), async: bucket('async'), api: bucket('api') }, usage },
    };
  }
}

@Module({ imports: [DatabaseModule], providers: [Limits, Storage, Usage], exports: [Limits, Storage, Usage] })
export class LimitsModule {}
