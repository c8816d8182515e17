import {
  localhostAllowedHostnames,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import type { FastifyInstance } from 'fastify';
import { Denied } from '#libs/platform/errors/errors';
import { getHeader } from '../http/caller.guard.ts';
import { getRouteFlags } from '../http/route-config.ts';

/**
 * Refuses requests to the agents' endpoints that a page of another site made a browser send, before anything else is
 * checked. Such a request has a host name of the attacker that points here, or an origin that is not ours. Call this
 * before the routes are registered.
 */
export function refuseUnknownHosts(server: FastifyInstance, publicUrl: string, hosts: string[]): void {
  const knownHosts = [...localhostAllowedHostnames(), new URL(publicUrl).hostname, ...hosts];
  server.addHook('onRequest', (request, _, next) => {
    if (getRouteFlags(request).isMcp)
      requireKnown(getHeader(request, 'host'), getHeader(request, 'origin'), knownHosts);
    next();
  });
}

/** Throws for an unknown host or origin. A request without an origin does not come from a page. */
export function requireKnown(
  host: string | undefined,
  origin: string | undefined,
  knownHosts: string[],
): void {
  if (!validateHostHeader(host, knownHosts).ok)
    throw new Denied(
      'The Host of the request is not a name of this installation; MCP_HOSTS can add names.',
      'UNKNOWN_HOST',
    );
  if (origin !== undefined && !validateOriginHeader(origin, knownHosts).ok)
    throw new Denied(
      'The request comes from a page of another site; MCP_HOSTS can allow sites.',
      'UNKNOWN_ORIGIN',
    );
}
