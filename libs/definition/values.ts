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

/** Whether a stored value, or an object that bears its marker, lies anywhere inside. */
export function holdsRef(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isRef(value)) return true;
  for (const member of Array.isArray(value) ? value : Object.values(value)) if (holdsRef(member)) return true;
  return false;
}

/** Whether a value is an object: no list, and not null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object, or an empty one in place of anything else. */
export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
