import { type CanActivate, type ExecutionContext, Injectable, NotFoundException } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Denied, Unauthenticated } from '#libs/platform/errors/errors';
import { sameBytes } from '#libs/platform/crypto/crypto';
import { Settings } from '#libs/platform/settings/settings';
import { getHeader } from '../http/caller.guard.ts';
import { getRouteFlags, type RouteFlags } from '../http/route-config.ts';

/** Admits a request with the codec's token. A request from a browser must also come from the one allowed origin. */
@Injectable()
export class CodecGuard implements CanActivate {
  constructor(private readonly settings: Settings) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    return this.admit(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  /** Does the same before the body of a request is read. */
  admit(request: FastifyRequest, reply: FastifyReply): boolean {
    const { codec } = this.settings;
    if (!codec) throw new NotFoundException();
    const origin = getHeader(request, 'origin');
    // The CLI and a proxy send no origin.
    if (origin !== undefined) admitOrigin(origin, codec.origin, reply);
    // A browser sends a preflight request first, which cannot carry a token.
    if (request.method === 'OPTIONS' || bears(request, codec.token)) return true;
    throw new Unauthenticated('Send the token of the codec as Authorization: Bearer or in X-Codec-Key.');
  }
}

/** Marks a handler whose callers are checked before their body is read. */
export const NeedsCodecToken = () => RouteConfig({ needsCodecToken: true } satisfies RouteFlags);

export function codecTokenFirst(server: FastifyInstance, guard: CodecGuard): void {
  server.addHook('onRequest', (request, reply, next) => {
    if (getRouteFlags(request).needsCodecToken) guard.admit(request, reply);
    next();
  });
}

/** Sets the CORS headers for the one allowed origin. Cookies are never allowed. */
function admitOrigin(origin: string, only: string, reply: FastifyReply): void {
  reply.header('Vary', 'Origin');
  if (origin !== only)
    throw new Denied('This origin may not use the codec; the operator allows one origin with CODEC_ORIGIN.');
  void reply.headers({
    'Access-Control-Allow-Origin': only,
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': 'authorization, content-type, x-codec-key, x-namespace',
    'Access-Control-Max-Age': '600',
  });
}

/** True when the request has the token: as `Authorization: Bearer`, or in the header that a proxy adds. */
function bears(request: FastifyRequest, token: string): boolean {
  const bearer = /^Bearer +(\S+)$/i.exec(getHeader(request, 'authorization') ?? '')?.[1];
  return [bearer, getHeader(request, 'x-codec-key')].some((candidate = '') => sameBytes(candidate, token));
}
