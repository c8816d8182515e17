import { ConfigurationError } from './errors.ts';
import type { Transport } from './transport.ts';

/** Returns the id of the one workspace that the key reaches. Throws ConfigurationError when it reaches none or several. */
export async function findOnlyWorkspace(transport: Transport): Promise<string> {
  const request = { id: 'listWorkspaces', verb: 'GET', path: '/api/v1/workspaces', valuePath: ['data'] };
  const found = await transport.read<{ id: string; name: string }[]>(request, {});
  const [only, ...others] = found;
  if (only && others.length === 0) return only.id;
  const names = found.map(({ id, name }) => `${id} (${name})`).join(', ');
  throw new ConfigurationError(
    `Name a workspace, by workspaceId of the call or of the client or by HOLDFAST_WORKSPACE_ID. The key reaches ${names || 'none'}.`,
  );
}
