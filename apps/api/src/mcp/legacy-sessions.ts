import { createHash, randomBytes } from 'node:crypto';
import { isObject, type Json, type JsonObject } from '#libs/platform/json/json';
import type { Caller } from '#libs/workspace/auth/caller';
import { type ClientAbilities, parseElicitation } from './client-abilities.ts';

/** The header with which a client of an older revision names the conversation of a message. */
export const sessionHeader = 'mcp-session-id';

/**
 * Session of a client before MCP 2026-07-28, which sends its capabilities only in `initialize`. It is not stored,
 * because the id contains them. It also separates two clients with the same key.
 */
export interface LegacySession {
  id: string;
  can: ClientAbilities;
}

/** The id of a new conversation, from the parameters of its first message. */
export function newSessionId(params: unknown): string {
  const { capabilities } = isObject(params) ? params : {};
  const { url, form } = parseElicitation(capabilities);
  return `${url ? 'u' : ''}${form ? 'f' : ''}.${randomBytes(18).toString('base64url')}`;
}

/** The conversation with this id; null for a malformed id. An invented id only opens a conversation with oneself. */
export function parseSession(id: string | undefined): LegacySession | null {
  const abilities = /^(u?)(f?)\.[\w-]{24}$/.exec(id ?? '');
  if (id === undefined || !abilities) return null;
  return { id, can: { tasks: false, url: abilities[1] !== '', form: abilities[2] !== '' } };
}

/** The parts of a message's name. No other caller and no other conversation can address it. */
export interface Correspondent {
  caller: Pick<Caller, 'actor'>;
  serverId: string;
  session: LegacySession;
}

/** The name of one message of a conversation. Another process can listen for it. */
export function toChannelName(
  kind: 'call' | 'question',
  { caller: { actor }, serverId, session }: Correspondent,
  id: Json,
): string {
  const parts = JSON.stringify([actor.kind, actor.id, serverId, session.id, id]);
  return `${kind} ${createHash('sha256').update(parts).digest('base64url')}`;
}

/** True when a message answers a question of the server, as clients of older revisions do. */
export function isAnswer(message: JsonObject): boolean {
  return message.method === undefined && ('result' in message || 'error' in message);
}
