import { AsyncLocalStorage } from 'node:async_hooks';

/** Who acts, and by which request: every entry of the audit log that a transaction appends says so. */
export interface Acting {
  actor: { kind: string; id?: string };
  keyId: string | null;
  requestId: string;
  address: string;
}

/** Holds for all that a request does. Empty in workers, which act for nobody. */
export const acting = new AsyncLocalStorage<Acting>();

/** The setting by which the triggers learn it. */
export function actingSetting(): Record<string, string> {
  const who = acting.getStore();
  return who ? { 'holdfast.acting': JSON.stringify(who) } : {};
}
