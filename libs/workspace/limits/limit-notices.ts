import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { Database } from '#libs/platform/database/database';
import type { BucketKind } from '#libs/platform/settings/plans';

/** A limit that has refused the start of an execution. */
export interface ReachedLimit {
  limit: 'rate' | 'executions' | 'paused_executions' | 'usage' | 'member_cap';
  /** The user whose limit it is; null for the workspace. */
  userId: string | null;
  /** The bucket of a rate. */
  bucket: BucketKind | null;
  message: string;
}

/** Refusals of one limit follow each other quickly, and one of them a minute is enough to find out that it was told. */
const knownMs = 60_000;
const knownMax = 10_000;

/** Writes the event `limit.reached`, once for each limit and period: an hour, or the month of a cap on cost. */
@Injectable()
export class LimitNotices {
  private readonly log = new Logger(LimitNotices.name);
  private readonly known = new LRUCache<string, true>({ max: knownMax, ttl: knownMs });

  constructor(private readonly database: Database) {}

  /** Writes the event beside the refusal, which does not wait for it. When it fails, the next refusal writes it. */
  tellReached(workspaceId: string, reached: ReachedLimit): void {
    const { limit, userId, bucket } = reached;
    const isMonthly = limit === 'usage' || limit === 'member_cap';
    const period = new Date(readClockMs())
      .toISOString()
      .slice(0, isMonthly ? 'yyyy-mm'.length : 'yyyy-mm-ddThh'.length);
    const id = `evt_${toDigest([workspaceId, limit, userId, bucket, period])}`;
    if (this.known.has(id)) return;
    this.known.set(id, true);
    const data = { ...reached, period };
    this.database
      .statement(workspaceId, recordReached, [workspaceId, JSON.stringify(data), id])
      .catch((error: unknown) => {
        this.known.delete(id);
        this.log.warn(`limit.reached of ${workspaceId} is written with the next refusal: ${String(error)}`);
      });
  }
}

/** Equal limits of one period have an equal id, and an event is written once under its id. */
const toDigest = (parts: (string | null)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);

/** $1 workspace, $2 data, $3 id of the event */
const recordReached = `select record_event($1, 'limit.reached', null, null, 0, null, $2::json, $3)`;
