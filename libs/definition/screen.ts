import type { Detail } from '#libs/faults/faults';

import { at } from './shape.ts';

/** The deepest JSON that is walked, here and in all later checks. */
export const depthMax = 64;

const lone = /[\uD800-\uDFFF]/u;

export interface Screened {
  details: Detail[];
  /** True when the value is finite JSON that may be walked recursively. */
  sound: boolean;
}

interface Open {
  value: unknown;
  path: string;
  depth: number;
}

/**
 * Checks a value from outside before any other code reads it: JSON only, not too deep, not too large, no text that
 * Postgres cannot store, no `__proto__`. Walks without recursion and stops at the first value that could be
 * endless.
 */
export function screen(root: unknown, path: string, charsMax = Infinity): Screened {
  const details: Detail[] = [];
  const open: Open[] = [{ value: root, path, depth: 0 }];
  let chars = 0;
  for (let item = open.pop(); item; item = open.pop()) {
    const { value, path: where, depth } = item;
    if (depth > depthMax) return unsound(details, where, 'too_deep', `It is nested deeper than ${depthMax}.`);
    if (chars > charsMax)
      return unsound(details, path, 'too_large', `It is larger than ${charsMax} characters of JSON.`);
    chars += sizeOf(value);
    if (typeof value === 'string') checkText(value, where, details);
    else if (isContainer(value)) chars += expand(item, value, open, details);
    else if (!isScalar(value)) return unsound(details, where, 'not_json', 'It is not JSON.');
  }
  if (chars > charsMax)
    return unsound(details, path, 'too_large', `It is larger than ${charsMax} characters of JSON.`);
  return { details, sound: true };
}

function expand({ path, depth }: Open, value: object, open: Open[], details: Detail[]): number {
  let chars = 2;
  const steps = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  for (const step of steps.toReversed()) {
    const where = at(path, step);
    if (typeof step === 'string') {
      checkText(step, where, details);
      chars += step.length + 3;
      if (step === '__proto__')
        details.push({ path: where, code: 'forbidden_key', message: '__proto__ is no name for a member.' });
    }
    open.push({ value: Reflect.get(value, step), path: where, depth: depth + 1 });
  }
  return chars;
}

function checkText(text: string, path: string, details: Detail[]): void {
  if (text.includes('\0'))
    details.push({ path, code: 'null_byte', message: 'It holds a null byte, which cannot be stored.' });
  if (lone.test(text))
    details.push({
      path,
      code: 'lone_surrogate',
      message: 'It holds half of a character (a lone surrogate).',
    });
}

function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object of another realm, as in a test runner, has another Object.prototype.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function isScalar(value: unknown): boolean {
  return (
    value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
  );
}

function sizeOf(value: unknown): number {
  return typeof value === 'string' ? value.length + 3 : 2;
}

function unsound(details: Detail[], path: string, code: string, message: string): Screened {
  return { details: [...details, { path, code, message }], sound: false };
}
