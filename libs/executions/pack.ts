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

/** An object with more members than this is stored as a whole, and so is one of which more would become references. */
const membersMax = 1000;
const refsMax = 16;
/** A reference to a smaller member would be as large as the member. */
const refBytes = 256;
const previewCharsMax = 120;

/**
 * Keeps a value inline up to the bound; of a larger object the largest members are replaced by references until the
 * rest fits, so that expressions over the small ones need no read. What is large because it has many members is
 * stored as a whole: a row and a reference for each would cost more than all of them. An object with the marker of a reference is
 * stored whatever its size: a caller cannot name a payload by writing one.
 */
export function pack<T extends Json>(value: T): Packed<T | Ref> {
  if (!holdsRef(value) && bytesOf(value) <= inlineBytesMax) return { value, payloads: [] };
  return (isObject(value) && !isRef(value) && packMembers(value)) || stored(value);
}

/** Null when the object is better stored as a whole. */
function packMembers<T extends JsonObject>(value: T): Packed<T> | null {
  const members = Object.entries(value);
  if (members.length > membersMax) return null;
  const sizes = members.map(([key, member]) => ({ key, member, bytes: bytesOf(member) }));
  let total = sizes.reduce((sum, { key, bytes }) => sum + key.length + bytes + 4, 2);
  const refs = new Map<string, Packed>();
  for (const { key, member, bytes } of sizes.toSorted((a, b) => b.bytes - a.bytes)) {
    const bears = holdsRef(member);
    if (!bears && (total <= inlineBytesMax || bytes <= refBytes)) continue;
    if (refs.size === refsMax) return null;
    refs.set(key, stored(member));
    total -= bytes - refBytes;
  }
  if (total > inlineBytesMax) return null;
  const out = Object.fromEntries(members.map(([key, member]) => [key, refs.get(key)?.value ?? member]));
  // The same members, of which some are references now.
  return { value: out as T, payloads: [...refs.values()].flatMap(({ payloads }) => payloads) };
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
