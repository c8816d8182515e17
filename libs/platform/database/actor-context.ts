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
