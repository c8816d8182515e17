import type { Json } from '#libs/platform/json/json';
import { screenJson } from '#libs/platform/text/whole-text';

/** The greatest depth of an output. */
export const depthMax = 200;

/** Thrown for a value that no row can hold. */
export class Unstorable extends Error {}

/** Returns a value as a row can hold it: see `screenJson`. Throws `Unstorable` when it nests too deep. */
export function storable(value: Json): Json {
  if (deeperThan(value, depthMax)) throw tooDeep();
  return screenJson(value);
}

export const tooDeep = () => new Unstorable(`The output nests deeper than ${depthMax}.`);

/** Goes level by level, because the value may be too deep for recursion. */
function deeperThan(value: Json, most: number): boolean {
  let level: Json[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}
