import { CLIENT_CAPABILITIES_META_KEY, type ServerContext } from '@modelcontextprotocol/server';
import { isObject } from '#libs/definition/values';

/** The extension by which a client takes a task in place of a result. */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** Holds the abilities that a client declares with this request. A client of an older revision can do none of it. */
export interface ClientAbilities {
  /** It takes tasks. */
  tasks: boolean;
  /** It shows a link to its user. */
  url: boolean;
  /** It asks its user by a form. */
  form: boolean;
}

export function abilitiesOf({ mcpReq }: ServerContext): ClientAbilities {
  const envelope: Record<string, unknown> = { ...mcpReq.envelope };
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY];
  const { elicitation, extensions } = isObject(capabilities) ? capabilities : {};
  const modes = isObject(elicitation) ? elicitation : null;
  return {
    tasks: isObject(extensions) && extensions[tasksExtension] !== undefined,
    url: modes?.url !== undefined,
    // A client that names no mode has forms.
    form: modes !== null && (modes.form !== undefined || modes.url === undefined),
  };
}
