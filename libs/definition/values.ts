/** What a workflow computes with: JSON, as it came over the wire. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/**
 * A value that is too large to travel with the run: it lies in the payload store under this id.
 * The marker key cannot be forged by a caller: whoever packs a value stores any object that bears it.
 */
export interface Ref extends JsonObject {
  $payload: string;
  bytes: number;
  preview: string;
}

/** Values up to this many bytes of JSON stay inline; larger ones travel as a `Ref`. */
export const inlineBytesMax = 4096;

export function isRef(value: unknown): value is Ref {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '$payload');
}
