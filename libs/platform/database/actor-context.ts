import { AsyncLocalStorage } from 'node:async_hooks';

/** The actor and their request. Every entry that a transaction appends to the audit log names both. */
export interface ActorContext {
  actor: { kind: string; id?: string };
  keyId: string | null;
  requestId: string;
  address: string;
}

/** Holds for all that a request does. Empty in workers, which act for nobody. */
export const actorContext = new AsyncLocalStorage<ActorContext>();

/** The setting by which the triggers learn it. */
export function actorSetting(): Record<string, string> {
  const who = actorContext.getStore();
  return who ? { 'holdfast.acting': JSON.stringify(who) } : {};
}
