import { isRef, type Json, type JsonObject } from '#libs/platform/json/json';

import type { Scope } from './effects.ts';

interface Wanted {
  whole: boolean;
  members: Map<string, Wanted>;
}

/**
 * The values at the paths in `references` and no others, so that effects stay small. An absent member stays absent. A
 * path ends at a stored value; the scope then has its reference.
 */
export function buildScope(references: string[][], root: (name: string) => Json): Scope {
  const wanted: Wanted = { whole: false, members: new Map() };
  for (const path of references) want(wanted, path);
  return Object.fromEntries([...wanted.members].map(([name, below]) => [name, prune(root(name), below)]));
}

/** True when the value's JSON is longer than the limit; counting stops there. */
export function isLargerThan(value: Json, charsMax: number): boolean {
  return countDown(value, charsMax) < 0;
}

/** A block reads stored values of at most this many bytes, because parsed JSON takes up to 22 times its size in memory. */
export const readBytesMax = 32 * 1024 * 1024;
/** The values of a block's parameters come to at most this many characters of JSON. */
const renderedCharsMax = 32 * 1024 * 1024;

/** Thrown for a block that reads or renders too much. One step that fills the heap of a thread would end the whole process. */
export class ValueTooLarge extends Error {
  readonly code = 'VALUE_TOO_LARGE';
}

/** Throws `ValueTooLarge` for rendered parameters that are too large. Call it before they are written as JSON. */
export function requireRendered(value: Json): void {
  if (isLargerThan(value, renderedCharsMax))
    throw new ValueTooLarge(
      `The parameters of the block come to more than ${renderedCharsMax} characters; split them over several blocks.`,
    );
}

function want(at: Wanted, path: string[]): void {
  let here = at;
  for (const step of path) {
    let next = here.members.get(step);
    if (!next) here.members.set(step, (next = { whole: false, members: new Map() }));
    here = next;
  }
  here.whole = true;
}

function prune(value: Json, wanted: Wanted): Json {
  if (wanted.whole || typeof value !== 'object' || value === null || Array.isArray(value) || isRef(value))
    return value;
  const pruned: [string, Json][] = [];
  for (const [name, below] of wanted.members) {
    const member = ownMember(value, name);
    if (member !== undefined) pruned.push([name, prune(member, below)]);
  }
  return Object.fromEntries(pruned);
}

/** A member that the object itself has, so that no name reads from a prototype. */
export function ownMember(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function countDown(value: Json, budget: number): number {
  if (typeof value === 'string') return budget - value.length - 2;
  if (typeof value !== 'object' || value === null) return budget - 5;
  let rest = budget - 2;
  if (Array.isArray(value)) for (const member of value) rest = rest < 0 ? rest : countDown(member, rest - 1);
  else
    for (const [key, member] of Object.entries(value))
      rest = rest < 0 ? rest : countDown(member, rest - key.length - 4);
  return rest;
}
