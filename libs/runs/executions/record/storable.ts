import type { Json } from '#libs/platform/json/json';

const depthMax = 200;

/** Thrown for a value that no row can hold. */
export class Unstorable extends Error {}

/**
 * A value as Postgres can hold it. JSON allows a NUL and half a surrogate pair, and Postgres refuses both. They
 * become the replacement character, so that an odd output does not stop the record of its run. Throws `Unstorable`
 * when the value nests too deep.
 */
export function storable(value: Json): Json {
  if (deeperThan(value, depthMax)) throw new Unstorable(`The output nests deeper than ${depthMax}.`);
  const text = JSON.stringify(value);
  return /\\u0000|\\ud[89a-f]/i.test(text) ? clean(value) : value;
}

function clean(value: Json): Json {
  if (typeof value === 'string') return whole(value);
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [whole(key), clean(member)]));
}

/** UTF-8 has no half pairs: encoding replaces them by the replacement character. */
function whole(text: string): string {
  return Buffer.from(text).toString('utf8').replaceAll('\0', '\uFFFD');
}

/** Goes level by level, because the value may be too deep for recursion. */
function deeperThan(value: Json, most: number): boolean {
  let level: Json[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}
