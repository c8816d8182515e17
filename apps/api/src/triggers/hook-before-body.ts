import type { FastifyInstance } from 'fastify';
import { NotFound } from '#libs/platform/errors/errors';
import type { CalledTrigger, CalledTriggers } from '#libs/triggers/called-triggers';
import type { OpenCalls } from '../http/open-calls.ts';
import type { PublicRateLimiter } from '../http/public-rate-limiter.ts';
import { getRouteFlags } from '../http/route-config.ts';

/**
 * Refuses a hook or a form with an unknown token before its body is read, and meters only such calls of hooks: one sender calls for
 * many workspaces, and must not be refused because of strangers. A trigger has as many open calls as a caller with a key.
 */
export function findHookBeforeBody(
  server: FastifyInstance,
  triggers: CalledTriggers,
  { strangers, openCalls }: { strangers: PublicRateLimiter; openCalls: OpenCalls },
): void {
  const find = async (ip: string, token: string): Promise<CalledTrigger> => {
    strangers.requireRoom(ip, performance.now());
    try {
      return await triggers.findByToken(token);
    } catch (error) {
      if (error instanceof NotFound) strangers.countRequest(ip, performance.now());
      throw error;
    }
  };
  server.addHook('onRequest', async (request, reply) => {
    const { isHook, isForm } = getRouteFlags(request);
    if (!isHook && !isForm) return;
    const { token } = request.params as { token: string };
    const { id } = triggers.recall(token) ?? (await find(request.ip, token));
    openCalls.admit(id, reply.raw);
  });
}
