import {
  holdsRef,
  inlineBytesMax,
  isObject,
  isRef,
  type Json,
  type JsonObject,
  type Ref,
} from '#libs/platform/json/json';
import { readBytesMax, ValueTooLarge } from '#libs/language/engine/scope';
import { newId } from '#libs/platform/ids/ids';
import { cutText } from '#libs/platform/text/whole-text';

/** A value as it travels with a run, and the stored values behind its references. */
export interface Packed<T extends Json = Json> {
  value: T;
  payloads: { id: string; body: string; bytes: number }[];
}

/** An object with more members than this is stored as a whole. */
const membersMax = 1000;
const refsMax = 16;
/** A reference to a smaller member would be as large as the member. */
const refBytes = 256;
const previewCharsMax = 120;

/**
 * Keeps a value inline up to the bound. In a larger object the largest members become references until the rest fits,
 * so that expressions over small members need no read. A value with too many members is stored as a whole: a row and
 * a reference for each would cost more. An object with the marker of a reference is always stored, so that no caller
 * can name a payload.
 */
export function pack<T extends Json>(value: T): Packed<T | Ref> {
  const json = jsonOf(value);
  if (json.bytes <= inlineBytesMax && !bearsRef(value, json)) return { value, payloads: [] };
  return (isObject(value) && !isRef(value) && packMembers(value)) || stored(json);
}

/** A value as JSON. It is made once, because JSON of a million members takes most of the time. */
interface Written {
  body: string;
  bytes: number;
}

function jsonOf(value: Json): Written {
  const body = JSON.stringify(value);
  return { body, bytes: Buffer.byteLength(body) };
}

/** Looks for the marker's text first: a walk through a million members takes longer. */
function bearsRef(value: Json, { body }: Written): boolean {
  return body.includes('"$payload"') && holdsRef(value);
}

/** Null when the object is better stored as a whole. */
function packMembers<T extends JsonObject>(value: T): Packed<T> | null {
  if (Object.keys(value).length > membersMax) return null;
  const members = Object.entries(value).map(([key, member]) => ({ key, member, json: jsonOf(member) }));
  let total = members.reduce((sum, { key, json }) => sum + key.length + json.bytes + 4, 2);
  const refs = new Map<string, Packed<Ref>>();
  for (const { key, member, json } of members.toSorted((a, b) => b.json.bytes - a.json.bytes)) {
    if (!bearsRef(member, json) && (total <= inlineBytesMax || json.bytes <= refBytes)) continue;
    if (refs.size === refsMax) return null;
    refs.set(key, stored(json));
    total -= json.bytes - refBytes;
  }
  if (total > inlineBytesMax) return null;
  const out = Object.fromEntries(members.map(({ key, member }) => [key, refs.get(key)?.value ?? member]));
  // The members are unchanged, but some are references now.
  return { value: out as T, payloads: [...refs.values()].flatMap(({ payloads }) => payloads) };
}

function stored({ body, bytes }: Written): Packed<Ref> {
  const id = newId('pay');
  return {
    value: { $payload: id, bytes, preview: cutText(body, previewCharsMax) },
    payloads: [{ id, body, bytes }],
  };
}

/** The size of the stored values of a scope, in bytes. */
export function countStoredBytes(scope: Json): number {
  const sizes = new Map(refsIn(scope).map((ref) => [ref.$payload, ref.bytes]));
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

/** Returns why a block may not read the stored values of its scope; null when it may. */
export function findExcess(scope: Json): ValueTooLarge | null {
  const bytes = countStoredBytes(scope);
  if (bytes <= readBytesMax) return null;
  return new ValueTooLarge(
    `The block reads ${bytes} bytes of stored values; at most ${readBytesMax} are allowed. Name only the members that it needs, or split it.`,
  );
}

/** The references of a packed value. */
export function refsIn(value: Json | undefined): Ref[] {
  if (typeof value !== 'object' || value === null) return [];
  if (isRef(value)) return [value];
  return Object.values(value).flatMap((member) => refsIn(member));
}

/** The value with its references replaced by the given bodies. References without a body stay. */
export function unpack(value: Json, bodies: ReadonlyMap<string, Json>): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (isRef(value)) return bodies.has(value.$payload) ? (bodies.get(value.$payload) ?? null) : value;
  if (Array.isArray(value)) return value.map((member) => unpack(member, bodies));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, unpack(member, bodies)]));
}

/** The value with references of its own, and the new id of each stored value, by its former one: see `copying`. */
export function renewRefs(value: Json): { value: Json; copies: Map<string, string> } {
  const refs = new Map(refsIn(value).map((ref) => [ref.$payload, { ...ref, $payload: newId('pay') }]));
  const copies = new Map([...refs].map(([former, { $payload }]) => [former, $payload]));
  return { value: unpack(value, refs), copies };
}
