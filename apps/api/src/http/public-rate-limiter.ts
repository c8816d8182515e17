import { LRUCache } from 'lru-cache';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { TooMany } from '#libs/platform/errors/errors';
import { getRouteFlags } from './route-config.ts';

/** Above this number the client with the oldest call is forgotten. It begins with a full bucket again. */
const clientsMax = 10_000;

/** A token bucket for each client address, in the memory of this process, because a stranger must cost no query. */
export class PublicRateLimiter {
  private readonly buckets = new LRUCache<string, { tokens: number; atMs: number }>({ max: clientsMax });

  /** `perMinute` is the refill per minute and the size of the bucket. */
  constructor(private readonly perMinute: number) {}

  /** Takes one token. Throws `TooMany` with the seconds until the next token. */
  countRequest(ip: string, nowMs: number): void {
    const client = toClient(ip);
    const { tokens, atMs } = this.buckets.get(client) ?? { tokens: this.perMinute, atMs: nowMs };
    const filled = Math.min(this.perMinute, tokens + ((nowMs - atMs) * this.perMinute) / 60_000);
    const allowed = filled >= 1;
    this.buckets.set(client, { tokens: allowed ? filled - 1 : filled, atMs: nowMs });
    if (allowed) return;
    const waitS = Math.ceil(((1 - filled) * 60) / this.perMinute);
    throw new TooMany(
      'Too many calls without a key come from this address; try again after the seconds in Retry-After.',
      waitS,
    );
  }

  /** Throws as `countRequest` does when no token is left, and takes none. */
  requireRoom(ip: string, nowMs: number): void {
    const bucket = this.buckets.get(toClient(ip));
    if (bucket && bucket.tokens + ((nowMs - bucket.atMs) * this.perMinute) / 60_000 < 1)
      this.countRequest(ip, nowMs);
  }

  get size(): number {
    return this.buckets.size;
  }
}

/**
 * Meters every call without a key, before its body is read. Probes are not metered, because a flood must not restart a
 * process. Files of the console are not metered either: they cost no query, and one page takes thirty of them. A hook meters only
 * what its sender cannot prove, because one sender calls for many workspaces.
 */
export function limitPublicRoutes(server: FastifyInstance, meter: PublicRateLimiter): void {
  server.addHook('onRequest', (request, _, next) => {
    const { needsKey, isStaticFile, isHook } = getRouteFlags(request);
    if (!needsKey && !isStaticFile && !isHook && !isProbe(request))
      meter.countRequest(request.ip, performance.now());
    next();
  });
}

function isProbe({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.url?.startsWith('/health/') === true;
}

/** The client of an address. An IPv6 client is its /64 network, because its owner can use every address in it. */
export function toClient(ip: string): string {
  if (!ip.includes(':')) return ip;
  if (ip.includes('.')) return ip.slice(ip.lastIndexOf(':') + 1);
  const [before = '', after = ''] = ip.split('::');
  const [head, tail] = [before, after].map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, 8 - (head?.length ?? 0) - (tail?.length ?? 0))).fill('0');
  return [...(head ?? []), ...zeros, ...(tail ?? [])].slice(0, 4).join(':');
}
