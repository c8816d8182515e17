import { Details } from '#libs/platform/errors/details';
import type { Detail } from '#libs/platform/errors/errors';

import { at } from '../shapes/shape.ts';

/** The deepest JSON that is walked, here and in all later checks. */
export const depthMax = 64;

const lone = /[\uD800-\uDFFF]/u;

export interface Screened {
  details: Detail[];
  /** True when the value is finite JSON that may be walked recursively. */
  sound: boolean;
  /** The members of all objects that were looked at. */
  names: number;
}

/** A list or an object on the way down to where the walk is. */
interface Level {
  value: object;
  /** The names of an object's members; null for a list. */
  names: string[] | null;
  length: number;
  /** The index of the member that is looked at. */
  at: number;
}

/**
 * Checks a value from outside before any other code reads it: JSON only, not too deep, not too large, no text that
 * Postgres cannot store, no `__proto__`. Walks without recursion and stops at the first value that could be
 * endless.
 * It remembers only the levels above a value, and builds a path only for a fault: ten megabytes of zeros are millions
 * of members.
 */
export function screen(root: unknown, path: string, charsMax = Infinity): Screened {
  return new Walk(path, charsMax).through(root);
}

class Walk {
  private readonly details = new Details();
  private readonly levels: Level[] = [];
  private chars = 0;
  private names = 0;

  constructor(
    private readonly path: string,
    private readonly charsMax: number,
  ) {}

  through(root: unknown): Screened {
    let fault = this.enter(root);
    for (let level = this.levels.at(-1); level && !fault; level = this.levels.at(-1)) {
      level.at++;
      if (this.levels.length <= depthMax) this.skipNumbers(level);
      if (level.at >= level.length) this.levels.pop();
      else fault = this.checkName(level) ?? this.enter(memberOf(level));
    }
    fault ??= this.tooLarge();
    const { names } = this;
    if (!fault) return { details: this.details.all, sound: true, names };
    return { details: [...this.details.all, fault], sound: false, names };
  }

  /** Looks at one value, and goes down into a list or an object. Gives the fault after which nothing may be walked. */
  private enter(value: unknown): Detail | undefined {
    if (this.levels.length > depthMax) return this.fault('too_deep', `It is nested deeper than ${depthMax}.`);
    this.chars += typeof value === 'string' ? value.length + 3 : 2;
    if (typeof value === 'string') this.checkText(value);
    else if (isContainer(value)) {
      const names = Array.isArray(value) ? null : Object.keys(value);
      const length = Array.isArray(value) ? value.length : (names?.length ?? 0);
      this.chars += 2;
      this.names += names?.length ?? 0;
      this.levels.push({ value, names, length, at: -1 });
    } else if (value === Infinity || value === -Infinity)
      return this.fault('range', 'It is a number beyond 1.7e308, which is out of range.');
    else if (!isScalar(value)) return this.fault('not_json', 'It is not JSON.');
    return this.tooLarge();
  }

  /** Passes over a stretch of numbers in a list, which is all that ten megabytes of zeros are. */
  private skipNumbers(level: Level): void {
    if (!Array.isArray(level.value)) return;
    const from = level.at;
    while (level.at < level.length && Number.isFinite(level.value[level.at])) level.at++;
    this.chars += 2 * (level.at - from);
  }

  private checkName({ names, at: index }: Level): undefined {
    const name = names?.[index];
    if (name === undefined) return;
    this.checkText(name);
    this.chars += name.length + 3;
    if (name === '__proto__')
      this.details.add(() => this.fault('forbidden_key', '__proto__ is no name for a member.'));
  }

  private checkText(text: string): void {
    if (text.includes('\0'))
      this.details.add(() => this.fault('null_byte', 'It holds a null byte, which cannot be stored.'));
    if (lone.test(text))
      this.details.add(() =>
        this.fault('lone_surrogate', 'It holds half of a character (a lone surrogate).'),
      );
  }

  private tooLarge(): Detail | undefined {
    if (this.chars <= this.charsMax) return undefined;
    const message = `It is larger than ${this.charsMax} characters of JSON.`;
    return { path: this.path, code: 'too_large', message };
  }

  /** A fault of the value that is looked at. */
  private fault(code: string, message: string): Detail {
    const steps = this.levels.map(({ names, at: index }) => names?.[index] ?? index);
    return { path: steps.reduce<string>(at, this.path), code, message };
  }
}

function memberOf({ value, names, at: index }: Level): unknown {
  return Reflect.get(value, names?.[index] ?? index);
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
