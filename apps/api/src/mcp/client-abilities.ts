import { CLIENT_CAPABILITIES_META_KEY, type ServerContext } from '@modelcontextprotocol/server';
import { isObject } from '#libs/platform/json/json';
import type { McpRequest } from './mcp-request.ts';

/** The extension by which a client takes a task instead of a result. */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

/**
 * The abilities that a client declares with this request, or at the begin of its conversation. Without a declaration a
 * client has none.
 */
export interface ClientAbilities {
  /** The client takes tasks. */
  tasks: boolean;
  /** The client shows links to its user. */
  url: boolean;
  /** The client asks its user by a form. */
  form: boolean;
}

export function getAbilities(
  { mcpReq }: ServerContext,
  { session }: Pick<McpRequest, 'session'>,
): ClientAbilities {
  if (session) return session.can;
  const envelope: Record<string, unknown> = { ...mcpReq.envelope };
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY];
  const { extensions } = isObject(capabilities) ? capabilities : {};
  return {
    tasks: isObject(extensions) && extensions[tasksExtension] !== undefined,
    ...parseElicitation(capabilities),
  };
}

/** How a client with these capabilities can ask its user. */
export function parseElicitation(capabilities: unknown): Pick<ClientAbilities, 'url' | 'form'> {
  const { elicitation } = isObject(capabilities) ? capabilities : {};
  const modes = isObject(elicitation) ? elicitation : null;
  return {
    url: modes?.url !== undefined,
    // A client that names no mode supports forms.
    form: modes !== null && (modes.form !== undefined || modes.url === undefined),
  };
}
