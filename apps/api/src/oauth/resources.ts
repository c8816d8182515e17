import { idPattern } from '#libs/platform/ids/ids';

const path = '/api/mcp/';

/** The URL of an MCP server, which is its name as an OAuth resource. */
export const toResource = (publicUrl: string, serverId: string) => `${publicUrl}${path}${serverId}`;

/** The server that a URL names; null for any other URL. */
export function parseResource(publicUrl: string, resource: string): string | null {
  const start = `${publicUrl}${path}`;
  const serverId = resource.startsWith(start) ? resource.slice(start.length) : '';
  return idPattern.test(serverId) ? serverId : null;
}

/** The URL where clients read how to authenticate at the server (RFC 9728). */
export const buildMetadataUrl = (publicUrl: string, serverId: string) =>
  `${publicUrl}/.well-known/oauth-protected-resource${path}${serverId}`;

/** The scope to run the workflows of this server. */
export const toExecuteScope = (serverId: string) => `execute:${serverId}`;

/** The scopes of a token: to run the workflows of this server, and to read its tools and results. */
export const buildScopes = (serverId: string) => [toExecuteScope(serverId), 'read'];

/** The `WWW-Authenticate` header: how to authenticate, and the fault of the sent token. */
export function buildChallenge(
  publicUrl: string,
  serverId: string | undefined,
  error?: 'invalid_token' | 'insufficient_scope',
): string {
  const parts = ['realm="holdfast"'];
  if (error !== undefined) parts.push(`error="${error}"`);
  if (serverId !== undefined)
    parts.push(
      `scope="${buildScopes(serverId).join(' ')}"`,
      `resource_metadata="${buildMetadataUrl(publicUrl, serverId)}"`,
    );
  return `Bearer ${parts.join(', ')}`;
}
