import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '#libs/auth/caller';
import type { Callers } from '#libs/auth/callers';
import { headerOf } from './caller.guard.ts';
import { innerCaller } from './inner-caller.ts';
import { routeConfigOf } from './route-config.ts';

/**
 * Whoever makes a request, without a promise where nothing is to be looked up. Where a route takes bearer tokens, a key may be one. A
 * token of another kind becomes a caller here, and nowhere else.
 */
export function callerOfRequest(request: FastifyRequest, callers: Callers): Caller | Promise<Caller> {
  return innerCaller.getStore() ?? callers.find(headerOf(request, 'x-api-key') ?? bearerOf(request));
}

function bearerOf(request: FastifyRequest): string | undefined {
  if (!routeConfigOf(request).isMcp) return undefined;
  return /^Bearer ([^\s,]+)$/i.exec(headerOf(request, 'authorization') ?? '')?.[1];
}

/** Tells a client that was refused how it may say who it is. */
export function challengeCaller(request: FastifyRequest, reply: FastifyReply): void {
  if (routeConfigOf(request).isMcp) reply.header('WWW-Authenticate', 'Bearer realm="holdfast"');
}
