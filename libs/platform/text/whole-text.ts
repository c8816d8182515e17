import { writeAround } from '#libs/platform/json/unread-json';
import type { Json } from '#libs/platform/json/json';
import { toIndex } from './characters.ts';

/** Stands in place of what no row and no message of Temporal can hold. */
const replacement = '\uFFFD';

/**
 * Returns a text of at most `most` characters as it is, and of a longer one the first `most` with `end` behind them. A
 * character is a code point, so the result never holds half of one. No other function shortens texts.
 */
export function cutText(text: string, charsMax: number, end = ''): string {
  if (text.length <= charsMax) return text;
  const at = toIndex(text, charsMax);
  return at >= text.length ? text : text.slice(0, at) + end;
}

/** Returns the text with the replacement character in place of each NUL and each half of a surrogate pair. */
export function screenText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes('\0') ? whole.replaceAll('\0', replacement) : whole;
}

/** Matches JSON that may hold a NUL or half a surrogate pair. It also matches a text that quotes one, which is rare. */
const suspect = /\\u0000|\\ud[89a-f]/i;

/**
 * Returns a value as Postgres can hold it. JSON allows a NUL and half a surrogate pair, and Postgres refuses both, so they
 * become the replacement character. An odd text must not stop the record of its run.
 */
export function screenJson(value: Json): Json {
  return suspect.test(JSON.stringify(value)) ? screened(value) : value;
}

/** Returns a value as JSON text that Postgres can hold: see `screenJson`. For `places` see `writeAround`. */
export function toStoredJson(value: unknown, places?: number[]): string {
  return writeAround(() => {
    const text = JSON.stringify(value);
    return suspect.test(text) ? JSON.stringify(screened(JSON.parse(text))) : text;
  }, places);
}

function screened(value: Json): Json {
  if (typeof value === 'string') return screenText(value);
  if (Array.isArray(value)) return value.map(screened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [screenText(key), screened(member)]),
  );
}
