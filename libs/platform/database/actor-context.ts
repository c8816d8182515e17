import { AsyncLocalStorage } from 'node:async_hooks';

/** Who acts, and by which request: every entry of the audit log that a transaction appends says so. */
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
