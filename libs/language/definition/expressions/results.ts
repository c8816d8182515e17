import type { Json } from '#libs/platform/json/json';

import type { Meter } from './cost.ts';

/** Thrown for a value that an expression made and that JSON cannot hold. */
export class NotJson extends Error {}

const lone = /[\uD800-\uDFFF]/u;

/**
 * The value of an expression as JSON: integers become numbers, moments ISO text, durations ISO durations, maps
 * objects. Throws for NaN, infinities, integers beyond 2^53, bytes, types, and text with a null byte or half a
 * character, which Postgres cannot store.
 */
export function toJson(value: unknown, meter: Meter): Json {
  meter.spend(1);
  switch (typeof value) {
    case 'string':
      meter.spend(value.length / 16);
      return textOf(value);
    case 'number':
      return numberOf(value);
    case 'bigint':
      return integerOf(value);
    case 'boolean':
      return value;
    default:
      return value === null || value === undefined ? null : structureOf(value, meter);
  }
}

/** The value as a text within a longer one. */
export function asText(value: Json): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function structureOf(value: object, meter: Meter): Json {
  if (Array.isArray(value)) return value.map((member) => toJson(member, meter));
  if (value instanceof Map) return objectOf(value, meter);
  if (value instanceof Set) return [...value].map((member) => toJson(member, meter));
  if (value instanceof Date) return momentOf(value);
  if (isPlain(value)) return objectOf(Object.entries(value), meter);
  return typedOf(value, meter);
}

function objectOf(entries: Iterable<[unknown, unknown]>, meter: Meter): Json {
  // fromEntries defines own members, so a key such as __proto__ stays data.
  return Object.fromEntries(Array.from(entries, ([key, member]) => [keyOf(key), toJson(member, meter)]));
}

function keyOf(key: unknown): string {
  if (typeof key === 'string') return textOf(key);
  if (typeof key === 'number' || typeof key === 'bigint' || typeof key === 'boolean') return `${key}`;
  throw new NotJson('a map key is not a string, a number or a boolean');
}

/** Recognises the library's own types by their members: not all of its classes are exported. */
function typedOf(value: object, meter: Meter): Json {
  if ('orValue' in value && typeof value.orValue === 'function') return toJson(value.orValue(null), meter);
  if ('seconds' in value && typeof value.seconds === 'bigint' && 'nanos' in value)
    return durationOf(Number(value.seconds) + Number(value.nanos) / 1e9);
  const primitive: unknown = value.valueOf();
  if (typeof primitive === 'bigint') return integerOf(primitive);
  throw new NotJson('it is not text, number, boolean, list or object');
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}

function textOf(text: string): string {
  if (text.includes('\0') || lone.test(text))
    throw new NotJson('it holds a null byte or half of a character');
  return text;
}

function numberOf(value: number): number {
  if (!Number.isFinite(value)) throw new NotJson(`it is ${value}, which is not a number in JSON`);
  return value + 0; // -0 becomes 0, as it does when the state is serialised
}

function integerOf(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new NotJson('it is an integer beyond 2^53');
  return number;
}

function momentOf(value: Date): string {
  if (!(value.getTime() <= 253_402_300_799_999 && value.getTime() >= -62_135_596_800_000))
    throw new NotJson('it is a moment outside of the years 1 to 9999');
  return value.toISOString();
}

function durationOf(seconds: number): string {
  if (Math.abs(seconds) > 315_576_000_000) throw new NotJson('it is a duration beyond 10,000 years');
  return `${seconds < 0 ? '-' : ''}PT${Math.abs(seconds)}S`;
}
