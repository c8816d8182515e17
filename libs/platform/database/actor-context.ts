import { AsyncLocalStorage } from 'node:async_hooks';

/** The actor and the request. Each audit entry of a transaction names both. */
export interface ActorContext {
  actor: { kind: string; id?: string };
  keyId: string | null;
  requestId: string;
  address: string;
}

/** The context of the current request. Empty in workers, because they act for no caller. */
export const actorContext = new AsyncLocalStorage<ActorContext>();

/** The setting of Postgres from which the audit triggers read the context. Empty without a context. */
export function actorSetting(): Record<string, string> {
  const who = actorContext.getStore();
  return who ? { 'holdfast.acting': JSON.stringify(who) } : {};
}

/**
 * SQL for the name of a person or a key by its id. A person who has left the workspace has the last address. Null when nothing is kept,
 * and for those of other workspaces.
 */
export const nameOfActor = (
  id: string,
) => /* sql */ `coalesce((select n.name from users n where n.id = ${id}),
  (select n.name from api_keys n where n.id = ${id}), (select n.email from former_members n where n.user_id = ${id} limit 1))`;
