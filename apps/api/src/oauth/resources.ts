import { idPattern } from '#libs/platform/ids/ids';

const path = '/api/mcp/';

/** The address of an MCP server, which names it as a resource of OAuth. */
export const resourceOf = (publicUrl: string, serverId: string) => `${publicUrl}${path}${serverId}`;

/** The server that an address names; null for any other address. */
export function serverOf(publicUrl: string, resource: string): string | null {
  const start = `${publicUrl}${path}`;
  const serverId = resource.startsWith(start) ? resource.slice(start.length) : '';
  return idPattern.test(serverId) ? serverId : null;
}

/** Where clients read how a caller of the server becomes known (RFC 9728). */
export const metadataUrlOf = (publicUrl: string, serverId: string) =>
  `${publicUrl}/.well-known/oauth-protected-resource${path}${serverId}`;

/** The scope of a token that may run the workflows of this server. */
export const executeScopeOf = (serverId: string) => `execute:${serverId}`;

/** The scopes of a token: to run the workflows of this server, and to read its tools and results. */
export const scopesOf = (serverId: string) => [executeScopeOf(serverId), 'read'];

/** Tells a client in `WWW-Authenticate` how its caller becomes known, and what was wrong with what it has sent. */
export function challengeOf(
  publicUrl: string,
  serverId: string | undefined,
  error?: 'invalid_token' | 'insufficient_scope',
): string {
  const parts = ['realm="holdfast"'];
  if (error !== undefined) parts.push(`error="${error}"`);
  if (serverId !== undefined)
    parts.push(
      `scope="${scopesOf(serverId).join(' ')}"`,
      `resource_metadata="${metadataUrlOf(publicUrl, serverId)}"`,
    );
  return `Bearer ${parts.join(', ')}`;
}
