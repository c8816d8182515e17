import { exactJson } from '#libs/platform/json/exact-json';

/** The envelope of every answer about tables. */
export function envelope<T extends object>(data: T): { success: true; data: T } {
  return { success: true, data };
}

/** An answer about tables in its envelope, with every digit of its numbers. */
export function exactEnvelope(data: object): string {
  return exactJson(envelope(data));
}
