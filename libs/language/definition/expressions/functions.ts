import { parseDecimal } from '#libs/platform/json/number-text';
import { countCharacters, toIndex } from '#libs/platform/text/characters';
import { cutText } from '#libs/platform/text/whole-text';
import { momentMs } from '../durations.ts';

/*
 * What the functions of expressions do. A position in a text counts characters (Unicode code points), as `size()` does.
 * A text that is no number, day or length of time is refused in words, because a guess would be a wrong result.
 */

const surrogate = /[\uD800-\uDFFF]/;

export function substring(text: string, from: number, to?: number): string {
  const size = countCharacters(text);
  const end = to ?? size;
  if (!Number.isInteger(from) || !Number.isInteger(end) || from < 0 || end < from || end > size)
    throw new RangeError(
      `substring(${[from, ...(to === undefined ? [] : [to])].join(', ')}) is outside of a text of ${size} characters`,
    );
  return text.substring(toIndex(text, from), toIndex(text, end));
}

export function findIndex(text: string, part: string, from = 0): bigint {
  return position(text, text.indexOf(part, unitAt(text, from)));
}

export function findLastIndex(text: string, part: string, from?: number): bigint {
  return position(text, text.lastIndexOf(part, from === undefined ? undefined : unitAt(text, from)));
}

/** The place in JavaScript's count of a position that counts characters. */
function unitAt(text: string, from: number): number {
  const size = countCharacters(text);
  if (from < 0 || from > size)
    throw new RangeError(`the position ${from} is out of range in a text of ${size} characters`);
  return toIndex(text, from);
}

function position(text: string, unit: number): bigint {
  return BigInt(unit < 0 ? unit : countCharacters(text.slice(0, unit)));
}

/** With a limit, the last part holds the rest. */
export function splitText(text: string, separator: string, limit = -1): string[] {
  const parts = separator === '' ? Array.from(text) : text.split(separator);
  if (limit === 0) return [];
  if (limit < 0 || parts.length <= limit) return parts;
  return [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)];
}

export const lowerAscii = (text: string) => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
export const upperAscii = (text: string) => text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());

const space = /\p{White_Space}/u;

/** The text without the white space of Unicode at both ends. */
export function trimText(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && space.test(text.charAt(start))) start++;
  while (end > start && space.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Below zero when the first text stands before the other in the order of Unicode, which is not that of JavaScript. */
export function compareTexts(one: string, other: string): number {
  if (!surrogate.test(one) && !surrogate.test(other)) return one < other ? -1 : Number(one > other);
  const [a, b] = [Array.from(one), Array.from(other)];
  const at = a.findIndex((character, i) => character !== b[i]);
  if (at < 0) return a.length - b.length;
  return (a[at]?.codePointAt(0) ?? 0) - (b[at]?.codePointAt(0) ?? -1);
}

/** A whole number of 64 bits. */
export function parseInteger(text: string): bigint {
  if (!/^[+-]?\d{1,30}$/.test(text)) throw new Error(`${show(text)} is no whole number`);
  return asInteger(BigInt(text.replace('+', '')));
}

export function toInteger(number: number): bigint {
  if (!Number.isFinite(number)) throw new Error(`${number} is no whole number`);
  if (Math.abs(number) > 2 ** 63) throw new Error(`${number} is out of the range of whole numbers`);
  return asInteger(BigInt(Math.trunc(number)));
}

function asInteger(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) throw new Error(`${value} is out of the range of whole numbers`);
  return value;
}

export function parseDouble(text: string): number {
  const number = parseDecimal(text);
  if (number === undefined) throw new Error(`${show(text)} is no number that a double holds`);
  return number;
}

/** The whole number as a double. Throws where that would change its digits. */
export function exactly(value: number | bigint): number {
  if (typeof value === 'bigint' && !Number.isSafeInteger(Number(value)))
    throw new Error(`${value} is an integer beyond 2^53`);
  return Number(value);
}

export function parseMoment(text: string): Date {
  const ms = momentMs(text);
  if (ms === undefined) throw new Error(`${show(text)} is no ISO 8601 date or date-time that exists`);
  return new Date(ms);
}

/** The form of a length of time, as `1h30m`. */
export const isDurationText = (text: string) => /^[+-]?((\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h))+$/.test(text);

/** Rounds half away from zero, by the decimal digits that a person sees: 1.005 to two digits is 1.01. */
export function round(value: number, digits = 0): number {
  if (!Number.isInteger(digits) || digits < 0 || digits > 15)
    throw new RangeError(`round() takes 0 to 15 digits, not ${digits}`);
  if (!Number.isFinite(value) || Math.abs(value) >= 1e15) return value;
  return Math.sign(value) * shifted(Math.round(shifted(Math.abs(value), digits)), -digits);
}

function shifted(value: number, by: number): number {
  const [digits = '', exponent = '0'] = `${value}`.split('e');
  return Number(`${digits}e${Number(exponent) + by}`);
}

/** A number with so many digits behind its point, and a mark between thousands. */
export function formatNumber(value: number, digits: number, thousands = ',', point = '.'): string {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e15)
    throw new RangeError(`formatNumber() takes numbers below 10^15, not ${value}`);
  const [whole = '', fraction] = Math.abs(round(value, digits)).toFixed(digits).split('.');
  const groups = Array.from({ length: Math.ceil(whole.length / 3) }, (_, i) =>
    whole.slice(Math.max(0, whole.length - 3 * (i + 1)), whole.length - 3 * i),
  );
  const grouped = groups.toReversed().join(thousands);
  return `${round(value, digits) < 0 ? '-' : ''}${grouped}${fraction === undefined ? '' : point + fraction}`;
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
);
const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

const dateParts: Record<string, (moment: Date) => string> = {
  yyyy: (moment) => padded(moment.getUTCFullYear(), 4),
  yy: (moment) => padded(moment.getUTCFullYear() % 100, 2),
  MMMM: (moment) => months[moment.getUTCMonth()] ?? '',
  MMM: (moment) => (months[moment.getUTCMonth()] ?? '').slice(0, 3),
  MM: (moment) => padded(moment.getUTCMonth() + 1, 2),
  M: (moment) => `${moment.getUTCMonth() + 1}`,
  dd: (moment) => padded(moment.getUTCDate(), 2),
  d: (moment) => `${moment.getUTCDate()}`,
  EEEE: (moment) => days[moment.getUTCDay()] ?? '',
  EEE: (moment) => (days[moment.getUTCDay()] ?? '').slice(0, 3),
  HH: (moment) => padded(moment.getUTCHours(), 2),
  H: (moment) => `${moment.getUTCHours()}`,
  mm: (moment) => padded(moment.getUTCMinutes(), 2),
  ss: (moment) => padded(moment.getUTCSeconds(), 2),
  SSS: (moment) => padded(moment.getUTCMilliseconds(), 3),
};

/** A moment in UTC by a pattern of Unicode's letters, as `dd.MM.yyyy`. Quotes keep other letters as they are. */
export function formatDate(moment: Date, pattern: string): string {
  return pattern.replaceAll(/'((?:[^']|'')*)'|([A-Za-z])\2*/g, (part, quoted: string | undefined) => {
    if (quoted !== undefined) return quoted === '' ? "'" : quoted.replaceAll("''", "'");
    const written = Object.hasOwn(dateParts, part) ? dateParts[part] : undefined;
    if (!written)
      throw new Error(
        `formatDate() knows no "${part}"; known are ${Object.keys(dateParts).join(', ')}, and text in '…'`,
      );
    return written(moment);
  });
}

const padded = (value: number, size: number) => `${value}`.padStart(size, '0');

const show = (text: string) => JSON.stringify(cutText(text, 40, '…'));
