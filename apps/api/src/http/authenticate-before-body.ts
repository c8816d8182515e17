import { LRUCache } from 'lru-cache';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { RefusedAttempts } from '#libs/workspace/audit/refused-attempts';
import { RevokedKey } from '#libs/workspace/auth/callers';
import type { Caller } from '#libs/workspace/auth/caller';
import { actorContext } from '#libs/platform/database/actor-context';
import { Unauthenticated } from '#libs/platform/errors/errors';
import { type Limits, countRefusal, RateLimited } from '#libs/workspace/limits/limits';
import type { BucketKind } from '#libs/platform/settings/plans';
import { rowsBytesMax } from './rows-body.ts';
import { actingIn } from './actor-context.ts';
import { innerCaller, type RequestCallers } from './request-callers.ts';
import type { OpenCalls } from './open-calls.ts';
import { formBytesMax } from './form-body.ts';
import { writeRateHeaders } from './rate-headers.ts';
import { getRouteFlags, type RouteFlags } from './route-config.ts';

/** The limit for the body on a path without key and form, in bytes. */
const publicBytesMax = 64 * 1024;
/** The limit for a message of an agent, in bytes. */
const mcpBytesMax = 1_000_000;
const rememberedMax = 10_000;

/**
 * Sets the body limits: small on public paths, large on paths that take files. Call this before the routes are
 * registered.
 */
export function narrowPublicRoutes(server: FastifyInstance): void {
  server.addHook('onRoute', (route: RouteOptions) => {
    const { needsKey, needsCodecToken, takesForms, takesRows, isMcp, isHook }: RouteFlags =
      route.config ?? {};
    if (isMcp) route.bodyLimit = mcpBytesMax;
    if (takesRows) route.bodyLimit = rowsBytesMax;
    if (!needsKey && !needsCodecToken) route.bodyLimit = takesForms || isHook ? formBytesMax : publicBytesMax;
  });
}

/**
 * Checks the key before the body is read, so that a stranger cannot have anything parsed. A call that is refused later
 * costs a token too. A caller whose bucket such calls have emptied is refused here until there is a token again.
 */
export function authenticateBeforeBody(
  server: FastifyInstance,
  callers: RequestCallers,
  limits: Limits,
  { openCalls, attempts }: { openCalls: OpenCalls; attempts: RefusedAttempts },
): void {
  const emptied = new LRUCache<string, RateLimited>({ max: rememberedMax });
  const admit = (caller: Caller, needsKey: BucketKind, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = emptied.get(`${caller.bucketOwner} ${needsKey}`);
    if (refusal) {
      countRefusal(refusal);
      throw refusal;
    }
    // A call of this process to itself belongs to a call that is already counted.
    if (!innerCaller.getStore()) openCalls.admit(caller.bucketOwner, reply.raw);
    // After a sign-out, no cache may return a person's data.
    if (caller.session) reply.header('Cache-Control', 'no-store');
    request.caller = caller;
  };
  // Uses no promise where nothing has to be awaited: a promise costs more than the hook.
  server.addHook('onRequest', (request, reply, next) => {
    const { needsKey } = getRouteFlags(request);
    if (!needsKey) return next();
    const refuse = (error: unknown): never => {
      const challenge = callers.challenge(request, reply);
      if (error instanceof RevokedKey) recordDeadKey(request, error, attempts);
      throw error instanceof Unauthenticated ? (challenge ?? error) : error;
    };
    const lookup = orElse(() => callers.findCaller(request), refuse);
    if (lookup instanceof Promise)
      return lookup.then((caller) => admit(caller, needsKey, request, reply), refuse);
    admit(lookup, needsKey, request, reply);
    next();
  });
  const charge = async (
    caller: Caller,
    needsKey: BucketKind,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const payer = request.admission?.payer ?? caller.payer;
    try {
      writeRateHeaders(reply, await limits.charge(payer, needsKey), needsKey);
    } catch (error) {
      if (!(error instanceof RateLimited)) return; // The existing answer says more than a fault of the limiter.
      emptied.set(`${payer.owner} ${needsKey}`, error, { ttl: error.retryAfterS * 1000 });
    }
  };
  server.addHook('onSend', (request, reply, _, next) => {
    const { needsKey } = getRouteFlags(request);
    const { caller } = request;
    return needsKey && caller && isRefusal(reply) ? charge(caller, needsKey, request, reply) : next();
  });
}

function orElse<T>(work: () => T, otherwise: (error: unknown) => never): T {
  try {
    return work();
  } catch (error) {
    return otherwise(error);
  }
}

/** Nobody waits for this: the duration of the answer must not reveal that the key once worked. */
function recordDeadKey(
  request: FastifyRequest,
  { keyId, workspaceIds, reason }: RevokedKey,
  attempts: RefusedAttempts,
): void {
  const who = { ...actingIn(request), actor: { kind: 'key', id: keyId }, keyId };
  const about = { code: reason, method: request.method, path: request.routeOptions.url ?? '' };
  const attempt = { action: 'api_key.refused', resourceType: 'api_key', resourceId: keyId, about } as const;
  for (const workspaceId of workspaceIds)
    void actorContext.run(who, () => attempts.recordAttempt(workspaceId, attempt));
}

/** True when the answer refuses a call that has not been charged. A charged call has the headers of its bucket. */
function isRefusal(reply: FastifyReply): boolean {
  return reply.statusCode >= 400 && reply.statusCode < 500 && !reply.hasHeader('X-RateLimit-Limit');
}
