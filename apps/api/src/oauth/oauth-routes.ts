import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { idPattern } from '#libs/platform/ids/ids';
import type { AuthorizationServer } from './authorization-server.ts';
import { routes } from './authorization-server.ts';
import { toResource, buildScopes } from './resources.ts';

const documents = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];

/**
 * Routes the paths of the authorization server to the library, which reads bodies and writes answers itself. They have
 * a scope of their own, whose parsers leave the body unread.
 */
export async function serveOAuth(server: FastifyInstance, authorization: AuthorizationServer): Promise<void> {
  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_, __, done) => done(null));
    const serve = (request: FastifyRequest, reply: FastifyReply) => {
      reply.hijack();
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) reply.raw.setHeader(name, value);
      authorization.serve(request.raw, reply.raw);
    };
    for (const path of documents) scope.route({ method: ['GET', 'OPTIONS'], url: path, handler: serve });
    for (const path of [routes.authorization, `${routes.authorization}/:uid`])
      scope.route({ method: 'GET', url: path, handler: serve });
    for (const path of [routes.token, routes.revocation])
      scope.route({ method: ['POST', 'OPTIONS'], url: path, handler: serve });
    scope.route({ method: ['GET', 'OPTIONS'], url: routes.jwks, handler: serve });
  });
}

/**
 * Serves the metadata that names the authorization server of an MCP server (RFC 9728). Anyone may read it, for each
 * well-formed id.
 */
export function serveResourceMetadata(server: FastifyInstance, publicUrl: string): void {
  const url = '/.well-known/oauth-protected-resource/api/mcp/:serverId';
  // A browser asks before it sends the header of MCP with its version.
  server.options(url, (_, reply) =>
    reply
      .status(204)
      .headers({
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Allow-Methods': 'GET',
        'Access-Control-Allow-Headers': '*',
        'Access-Control-Max-Age': '86400',
      })
      .send(),
  );
  server.get<{ Params: { serverId: string } }>(url, (request, reply) => {
    const { serverId } = request.params;
    if (!idPattern.test(serverId)) return reply.callNotFound();
    return reply.header('Access-Control-Allow-Origin', '*').send({
      resource: toResource(publicUrl, serverId),
      authorization_servers: [publicUrl],
      scopes_supported: buildScopes(serverId),
      bearer_methods_supported: ['header'],
      resource_name: 'Holdfast',
    });
  });
}
