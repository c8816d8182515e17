import type { FastifyInstance } from 'fastify';
import { acting } from '#libs/database/acting';
import { routeConfigOf } from './route-config.ts';

/**
 * Tells the audit log who acts in all that a request does. Executions change nothing that is audited: they go without, since
 * each of their transactions would carry it. Call this before the routes are registered.
 */
export function actForCallers(server: FastifyInstance): void {
  server.addHook('preHandler', (request, _, next) => {
    if (routeConfigOf(request).needsKey === 'sync') return next();
    const { caller, id, ip } = request;
    const actor = caller?.actor ?? { kind: 'anyone' };
    acting.run({ actor, keyId: caller?.keyId ?? null, requestId: id, address: ip }, next);
  });
}
