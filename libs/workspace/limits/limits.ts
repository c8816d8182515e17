import { LRUCache } from 'lru-cache';
import { Injectable } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import { TooMany, Unpaid } from '#libs/platform/errors/errors';
import { refused } from '#libs/platform/telemetry/metrics/metrics';
import { Settings } from '#libs/platform/settings/settings';
import { getPlanLimits, type BucketKind } from '#libs/platform/settings/plans';
import { type OpenPlace, ConcurrencyLimit, ExecutionsFull } from './concurrency-limit.ts';
import { LimitNotices, type ReachedLimit } from './limit-notices.ts';
import { debitBucket } from './take-tokens.sql.ts';
import { TokenPrefetcher, type TokenRequest } from './token-prefetcher.ts';

/** The owner of the rate buckets, the plan, and the workspace that pays. */
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
  /** The cap of the calling member in this month and their cost so far; null without a cap. */
  memberCap: Spending | null;
}

/** A monthly limit on cost, and the cost so far. It is exceeded when the cost has reached the limit. */
export interface Spending {
  limit: number;
  currentPeriodCost: number;
  isExceeded: boolean;
}

/** No token was left. Has the state of the limits too, for the headers of the response. */
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

/** The usage limit of the workspace or the cap of the member is reached. Has the state of the limits too, for the headers of the response. */
export class BudgetExceeded extends Unpaid {
  constructor(
    message: string,
    readonly rule: 'plan_limit' | 'member_cap',
    readonly limitStatus: LimitStatus,
    readonly bucket: BucketKind,
  ) {
    super(message, rule);
  }
}

interface BucketRow {
  granted: number;
  buckets: Record<BucketKind, { remaining: number; resetAt: string; nextInS: number }>;
  cost: number;
  cap: { limit: number; cost: number } | null;
}

const bucketsMax = 10_000;

/** Rate buckets and usage limits. One statement gives the decision and the numbers of the response, so that they always agree. */
@Injectable()
export class Limits {
  private readonly buckets = new LRUCache<string, TokenPrefetcher<BucketRow>>({ max: bucketsMax });

  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
    private readonly openRuns: ConcurrencyLimit,
    private readonly notices: LimitNotices,
  ) {}

  /** Takes one token. Throws `RateLimited`, and counts the refusal in the metrics. */
  takeTokens(payer: Payer, kind: BucketKind): Promise<LimitStatus> {
    return noting(() => this.charge(payer, kind));
  }

  /** Takes one token without counting a refusal in the metrics, for a call that was refused already. Throws `RateLimited`. */
  async charge(payer: Payer, kind: BucketKind): Promise<LimitStatus> {
    const { row, allowed, later } = await this.getBucket(payer, kind).takeTokens();
    const limitStatus = this.toStatus(payer, row);
    limitStatus.buckets[kind].remaining += later;
    if (!allowed) throw new RateLimited(Math.max(1, Math.ceil(row.buckets[kind].nextInS)), limitStatus, kind);
    return limitStatus;
  }

  /**
   * Takes one token for an execution and reserves its place among the executions under way. The caller must call
   * `place.endAcceptance`. Throws `RateLimited`; `TooMany` when the plan allows no more executions at once; `BudgetExceeded` over the
   * usage limit. Executions under way count toward this limit with their full price.
   */
  admitExecution(
    payer: Payer,
    kind: 'sync' | 'async',
  ): Promise<{ limitStatus: LimitStatus; place: OpenPlace }> {
    return this.telling(payer, async () => {
      const limitStatus = await this.charge(payer, kind);
      const place = await this.openRuns.enter(payer.workspaceId, payer.owner, payer.plan);
      try {
        this.requirePaid(payer, kind, limitStatus, place);
        return { limitStatus, place };
      } catch (error) {
        place.endAcceptance(false);
        throw error;
      }
    });
  }

  /**
   * True when the workspace may have one more child run under way. Takes no token. Throws `BudgetExceeded` over the usage limit, or over
   * the cap of `owner`. `owner` is the user who started the outermost run, or the workspace.
   */
  admitChild(workspaceId: string, owner: string): Promise<boolean> {
    return this.telling({ owner, workspaceId }, async () => {
      const [row] = await this.database.statement<{ plan: string }>(workspaceId, planOf, [workspaceId]);
      const payer = { owner, plan: row?.plan ?? this.settings.defaultPlan, workspaceId };
      const [limitStatus, place] = await Promise.all([
        this.readLimits(payer),
        this.openRuns.readOpenRuns(workspaceId, owner, payer.plan),
      ]);
      this.requirePaid(payer, 'async', limitStatus, place);
      return place.hasRoom;
    });
  }

  /** Counts a refusal of a start in the metrics, and writes an event of it. */
  private telling<T>(payer: Pick<Payer, 'owner' | 'workspaceId'>, work: () => Promise<T>): Promise<T> {
    return noting(work).catch((error: unknown) => {
      const reached = toReached(payer, error);
      if (reached) this.notices.tellReached(payer.workspaceId, reached);
      throw error;
    });
  }

  /** Throws `BudgetExceeded` when the usage limit or the cap of the member is reached, and names the limit. */
  private requirePaid(
    { owner }: Payer,
    kind: BucketKind,
    limitStatus: LimitStatus,
    { before, ownBefore }: Pick<OpenPlace, 'before' | 'ownBefore'>,
  ): void {
    const { usage, memberCap } = limitStatus;
    const { pricePerExecution } = this.settings;
    if (usage.currentPeriodCost + before * pricePerExecution >= usage.limit)
      throw new BudgetExceeded(
        `The workspace has used up what its plan ${usage.plan} allows in a month, which is ${usage.limit}.`,
        'plan_limit',
        limitStatus,
        kind,
      );
    if (memberCap && memberCap.currentPeriodCost + ownBefore() * pricePerExecution >= memberCap.limit)
      throw new BudgetExceeded(
        `The member ${owner} has used up the monthly cap of ${memberCap.limit} in this workspace.`,
        'member_cap',
        limitStatus,
        kind,
      );
  }

  /** Reads the state of the limits. Takes no token. */
  async readLimits(payer: Payer): Promise<LimitStatus> {
    return this.toStatus(payer, await this.query(payer, null, { wanted: 0, ahead: 0, unused: 0 }));
  }

  private getBucket(payer: Payer, kind: BucketKind): TokenPrefetcher<BucketRow> {
    const key = `${payer.owner} ${payer.plan} ${payer.workspaceId} ${kind}`;
    const known = this.buckets.get(key);
    if (known) return known;
    // Each execution must read the current cost, so only the bucket `api` prefetches tokens.
    const bucket = new TokenPrefetcher((input) => this.query(payer, kind, input), { ahead: kind === 'api' });
    this.buckets.set(key, bucket);
    return bucket;
  }

  private async query(
    payer: Payer,
    kind: BucketKind | null,
    { wanted, ahead, unused }: TokenRequest,
  ): Promise<BucketRow> {
    const { perMinute } = getPlanLimits(payer.plan, this.settings);
    const { sync, async, api } = perMinute;
    const values = [payer.owner, kind, sync, async, api, payer.workspaceId, wanted, ahead, unused];
    const [row] = await this.database.systemUnflushed<BucketRow>(debitBucket, values);
    if (!row) throw new Error('The limiter returned no row.');
    return row;
  }

  private toStatus({ plan }: Payer, row: BucketRow): LimitStatus {
    const { perMinute, usageLimit } = getPlanLimits(plan, this.settings);
    const bucket = (name: BucketKind): Bucket => ({
      requestsPerMinute: perMinute[name],
      maxBurst: perMinute[name] * 2,
      remaining: row.buckets[name].remaining,
      resetAt: row.buckets[name].resetAt,
    });
    const usage = {
      currentPeriodCost: row.cost,
      limit: usageLimit,
      plan,
      isExceeded: row.cost >= usageLimit,
    };
    const memberCap = row.cap && {
      limit: row.cap.limit,
      currentPeriodCost: row.cap.cost,
      isExceeded: row.cap.cost >= row.cap.limit,
    };
    return {
      buckets: { sync: bucket('sync'), async: bucket('async'), api: bucket('api') },
      usage,
      memberCap,
    };
  }
}

/** Returns the limit that an error tells of; null when none was reached. */
function toReached(
  { owner, workspaceId }: Pick<Payer, 'owner' | 'workspaceId'>,
  error: unknown,
): ReachedLimit | null {
  const own = owner === workspaceId ? null : owner;
  const of = (limit: ReachedLimit['limit'], userId: string | null, bucket: BucketKind | null = null) => ({
    limit,
    userId,
    bucket,
    message: error instanceof Error ? error.message : '',
  });
  if (error instanceof RateLimited) return of('rate', own, error.bucket);
  if (error instanceof ExecutionsFull) return of(error.limit, null);
  if (!(error instanceof BudgetExceeded)) return null;
  return error.rule === 'member_cap' ? of('member_cap', own) : of('usage', null);
}

const planOf = 'select plan from workspaces where id = $1';

async function noting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    countRefusal(error);
    throw error;
  }
}

/** Counts a refusal in the metrics when a limit caused it. */
export function countRefusal(error: unknown): void {
  const isCap = error instanceof Unpaid && error.details?.[0]?.code === 'member_cap';
  if (error instanceof RateLimited) refused.inc({ reason: 'rate' });
  else if (error instanceof Unpaid) refused.inc({ reason: isCap ? 'member_cap' : 'usage' });
  else if (error instanceof TooMany) refused.inc({ reason: 'executions' });
}
