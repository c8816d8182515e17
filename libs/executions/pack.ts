import {
  holdsRef,
  inlineBytesMax,
  isObject,
  isRef,
  type Json,
  type JsonObject,
  type Ref,
} from '#libs/definition/values';
import { newId } from '#libs/ids/ids';

/** A value as it travels with a run, and the stored bodies that its references name. */
export interface Packed<T extends Json = Json> {
  value: T;
  payloads: { id: string; body: string; bytes: number }[];
}

/** An object with more references than this is stored as a whole. */
const refsMax = 16;
const previewCharsMax = 120;

/**
 * Keeps a value inline up to the bound; of a larger object the largest members are replaced by references until the
 * rest fits, so that expressions over the small ones need no read. An object with the marker of a reference is
 * stored whatever its size: a caller cannot name a payload by writing one.
 */
export function pack(value: Json): Packed {
  if (bytesOf(value) <= inlineBytesMax && !holdsRef(value)) return { value, payloads: [] };
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isRef(value))
    return stored(value);
  return packMembers(value) ?? stored(value);
}

/** Packs the inputs of a run, which stay an object. */
export function packInputs(inputs: JsonObject): Packed<JsonObject> {
  const packed: Packed<JsonObject> = { value: {}, payloads: [] };
  const whole = bytesOf(inputs) <= inlineBytesMax && !holdsRef(inputs);
  if (whole) return { value: inputs, payloads: [] };
  const members = packMembers(inputs, Infinity);
  return members && isObject(members.value) ? { value: members.value, payloads: members.payloads } : packed;
}

function packMembers(value: JsonObject, most = refsMax): Packed | null {
  const sizes = Object.entries(value).map(([key, member]) => ({ key, member, bytes: bytesOf(member) }));
  let total = sizes.reduce((sum, { key, bytes }) => sum + key.length + bytes + 4, 2);
  const largestFirst = sizes.toSorted((a, b) => b.bytes - a.bytes);
  const refs = new Map<string, Packed>();
  for (const { key, member, bytes } of largestFirst) {
    if (total <= inlineBytesMax && !holdsRef(member)) continue;
    if (bytes <= 256 && !holdsRef(member)) break; // A reference would be as large.
    refs.set(key, stored(member));
    total -= bytes - 256;
  }
  if (refs.size > most || (most !== Infinity && total > inlineBytesMax)) return null;
  const out: JsonObject = {};
  for (const [key, member] of Object.entries(value)) out[key] = refs.get(key)?.value ?? member;
  return { value: out, payloads: [...refs.values()].flatMap(({ payloads }) => payloads) };
}

function stored(value: Json): Packed<Ref> {
  const body = JSON.stringify(value);
  const bytes = Buffer.byteLength(body);
  const id = newId('pay');
  return {
    value: { $payload: id, bytes, preview: body.slice(0, previewCharsMax) },
    payloads: [{ id, body, bytes }],
  };
}

/** The ids of every stored value that a packed value names. */
export function refsIn(value: Json | undefined): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (isRef(value)) return [value.$payload];
  return Object.values(value).flatMap((member) => refsIn(member));
}

/** The value with its references replaced by the values that they name. */
export function unpack(value: Json, bodies: ReadonlyMap<string, Json>): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (isRef(value)) return bodies.get(value.$payload) ?? null;
  if (Array.isArray(value)) return value.map((member) => unpack(member, bodies));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, unpack(member, bodies)]));
}

function bytesOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}
