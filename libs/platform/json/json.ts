/** The values that a workflow computes with: JSON. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/**
 * A reference to a value that is too large to travel with the run. The payload store has the value under this id. A caller cannot
 * forge a reference, because `pack` stores every object that has the marker key.
 */
export interface Ref extends JsonObject {
  $payload: string;
  bytes: number;
  preview: string;
}

/** Values of up to this many bytes of JSON stay inline; larger ones travel as a `Ref`. */
export const inlineBytesMax = 4096;

export function isRef(value: unknown): value is Ref {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '$payload');
}

/** True when the value contains a reference, at any depth. */
export function holdsRef(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isRef(value)) return true;
  for (const member of Array.isArray(value) ? value : Object.values(value)) if (holdsRef(member)) return true;
  return false;
}

/** True for an object: not a list, and not null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object, or an empty one in place of anything else. */
export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** True for null and undefined. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}
