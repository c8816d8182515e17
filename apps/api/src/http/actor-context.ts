import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ActorContext, actorContext } from '#libs/platform/database/actor-context';
import { getRouteFlags } from './route-config.ts';

/**
 * Tells the audit log who acts, for all changes of a request. Executions change nothing that is audited, so they go
 * without it: each of their transactions would carry it. Call this before the routes are registered.
 */
export function actForCallers(server: FastifyInstance): void {
  server.addHook('preHandler', (request, _, next) => {
    if (getRouteFlags(request).needsKey === 'sync') return next();
    actorContext.run(actingIn(request), next);
  });
}

/** The actor of this request: the holder of its key, or an anonymous caller. */
export function actingIn({ caller, id, ip }: FastifyRequest): ActorContext {
  const actor = caller?.actor ?? { kind: 'anyone' };
  return { actor, keyId: caller?.keyId ?? null, requestId: id, address: ip };
}
