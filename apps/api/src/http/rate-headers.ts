import type { FastifyReply } from 'fastify';
import type { LimitStatus } from '#libs/workspace/limits/limits';
import type { BucketKind } from '#libs/platform/settings/plans';

/** Writes the three rate limit headers. Reset is in epoch seconds, because published clients parse an integer. */
export function writeRateHeaders(reply: FastifyReply, { buckets }: LimitStatus, kind: BucketKind): void {
  const { maxBurst, remaining, resetAt } = buckets[kind];
  reply.header('X-RateLimit-Limit', maxBurst);
  reply.header('X-RateLimit-Remaining', remaining);
  reply.header('X-RateLimit-Reset', Math.ceil(Date.parse(resetAt) / 1000));
}
