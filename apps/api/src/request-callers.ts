import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '#libs/workspace/auth/caller';
import { Callers } from '#libs/workspace/auth/callers';
import { kindOfKey } from '#libs/workspace/auth/keys.format';
import { Unauthenticated } from '#libs/platform/errors/errors';
import { idPattern } from '#libs/platform/ids/ids';
import { Settings } from '#libs/platform/settings/settings';
import { SessionCallers } from './sign-in/session-callers.ts';
import { AccessTokens } from './oauth/access-tokens.ts';
import { buildChallenge } from './oauth/resources.ts';
import { getHeader } from './http/caller.guard.ts';
import { innerCaller, RequestCallers } from './http/request-callers.ts';
import { getRouteFlags } from './http/route-config.ts';

/** Finds the holder of a key, the person of a session, or the person who granted an access token. */
@Injectable()
export class CallersByProof extends RequestCallers {
  constructor(
    private readonly callers: Callers,
    private readonly tokens: AccessTokens,
    private readonly sessions: SessionCallers,
    private readonly settings: Settings,
  ) {
    super();
  }

  /**
   * A route with bearer tokens also accepts a key as one. An access token counts only for the MCP server that it names.
   */
  findCaller(request: FastifyRequest): Caller | Promise<Caller> {
    const inner = innerCaller.getStore();
    if (inner) return inner;
    const key = getHeader(request, 'x-api-key') || undefined;
    const bearer = key === undefined ? readBearer(request) : undefined;
    const serverId = getServerId(request);
    if (bearer !== undefined && serverId !== undefined && !kindOfKey(bearer))
      return this.tokens.findCaller(bearer, serverId);
    if (key === undefined && bearer === undefined) {
      const secret = this.sessions.readSecret(request);
      if (secret !== undefined) return this.sessions.findSession(request, secret);
    }
    return this.callers.findCaller(key ?? bearer);
  }

  challenge(request: FastifyRequest, reply: FastifyReply): Unauthenticated | null {
    if (!getRouteFlags(request).isMcp) return null;
    const serverId = getServerId(request);
    const error = readBearer(request) === undefined ? undefined : 'invalid_token';
    reply.header('WWW-Authenticate', buildChallenge(this.settings.publicUrl, serverId, error));
    return new Unauthenticated(serverId === undefined ? needsKey : needsKeyOrToken);
  }
}

const needsKey = 'A valid API key is required, as X-API-Key or as Authorization: Bearer.';
const needsKeyOrToken =
  'A valid API key is required, as X-API-Key or as Authorization: Bearer, or an access token as the latter.';

function readBearer(request: FastifyRequest): string | undefined {
  if (!getRouteFlags(request).isMcp) return undefined;
  return /^Bearer ([^\s,]+)$/i.exec(getHeader(request, 'authorization') ?? '')?.[1];
}

/** The MCP server in the path; undefined when there is none or its id is malformed. */
function getServerId({ params }: FastifyRequest): string | undefined {
  const { serverId } = params as { serverId?: string };
  return serverId !== undefined && idPattern.test(serverId) ? serverId : undefined;
}
