import { createHash, randomBytes } from 'node:crypto';
import { isObject, type Json, type JsonObject } from '#libs/platform/json/json';
import type { Caller } from '#libs/workspace/auth/caller';
import { type ClientAbilities, elicitationOf } from './client-abilities.ts';

/** Where a client of an older revision says to which conversation a message belongs. */
export const sessionHeader = 'mcp-session-id';

/**
 * A conversation with a client of an older revision, which says only once what it can do. Nothing of it is stored: its id says so itself,
 * and tells the messages of one client from those of another that has the same key.
 */
export interface FormerSession {
  id: string;
  can: ClientAbilities;
}

/** The id of a new conversation, from the parameters of its first message. */
export function newSessionId(params: unknown): string {
  const { capabilities } = isObject(params) ? params : {};
  const { url, form } = elicitationOf(capabilities);
  return `${url ? 'u' : ''}${form ? 'f' : ''}.${randomBytes(18).toString('base64url')}`;
}

/** The conversation with this id; null when no such id can have been given. Whoever makes one up talks to themselves. */
export function sessionOf(id: string | undefined): FormerSession | null {
  const abilities = /^(u?)(f?)\.[\w-]{24}$/.exec(id ?? '');
  if (id === undefined || !abilities) return null;
  return { id, can: { tasks: false, url: abilities[1] !== '', form: abilities[2] !== '' } };
}

/** What a message of a caller is about, under a name that no other caller and no other conversation can address. */
export interface Correspondent {
  caller: Pick<Caller, 'actor'>;
  serverId: string;
  session: FormerSession;
}

/** The name of one message of a conversation, from which it can be heard of in another process. */
export function nameOf(
  kind: 'call' | 'question',
  { caller: { actor }, serverId, session }: Correspondent,
  id: Json,
): string {
  const parts = JSON.stringify([actor.kind, actor.id, serverId, session.id, id]);
  return `${kind} ${createHash('sha256').update(parts).digest('base64url')}`;
}

/** Whether a message answers a question of the server, as clients of older revisions do. */
export function isAnswer(message: JsonObject): boolean {
  return message.method === undefined && ('result' in message || 'error' in message);
}
