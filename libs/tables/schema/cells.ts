import {
  ExactNumber,
  exactJson,
  exactNumber,
  type ExactValue,
  isExactObject,
  isNumberText,
} from '#libs/platform/json/exact-json';
import { cutText } from '#libs/platform/text/whole-text';
import { plusHint } from '#libs/platform/text/characters';

export const columnTypes = ['string', 'number', 'boolean', 'date', 'json'] as const;
export type ColumnType = (typeof columnTypes)[number];

/** The maximum number of digits of a number. Postgres stores 1e100000 with all of its digits. */
const digitsMax = 1000;
const cellBytesMax = 400 * 1024;

/** The reason why a value does not fit a type: message and code for `details`. */
export interface CellError {
  message: string;
  code: string;
}

/** A value as it is stored, or the reason why it is refused. */
export type Cell = { value: ExactValue; fault?: undefined } | { value?: undefined; fault: CellError };

/**
 * Reads a value as a cell of the type; the value must not be null. A text that is exactly a number, a boolean or a date becomes a value of
 * this type. No other value changes its type, and no number loses a digit.
 */
export function readCell(type: ColumnType, input: ExactValue): Cell {
  const cell = readers[type](input);
  if (cell.fault || !couldBeLarge(cell.value)) return cell;
  const bytes = storedBytes(cell.value);
  if (bytes <= cellBytesMax) return cell;
  return refuse(`must have at most ${cellBytesMax} bytes, not ${bytes}`, 'too_large');
}

const readers: Record<ColumnType, (input: ExactValue) => Cell> = {
  string: (input) => (typeof input === 'string' ? { value: input } : wrong('text', input)),
  number: readNumber,
  boolean: (input) => {
    if (typeof input === 'boolean') return { value: input };
    if (input === 'true' || input === 'false') return { value: input === 'true' };
    return wrong('true or false', input);
  },
  date: (input) => (typeof input === 'string' ? readDate(input) : wrong('a date as ISO 8601 text', input)),
  json: (input) => {
    const fault = numberFault(input);
    return fault ? { fault } : { value: input };
  },
};

/** The fault of the first number in a JSON value that a number column would refuse. Postgres would write out all of its zeros. */
function numberFault(input: ExactValue): CellError | undefined {
  if (input instanceof ExactNumber || typeof input === 'number') {
    const { fault } = readNumber(input);
    if (!fault) return undefined;
    const text = cutText(String(textOfNumber(input)), 40);
    return { ...fault, message: `holds the number ${text}, which ${fault.message}` };
  }
  for (const member of toMembers(input)) {
    const fault = numberFault(member);
    if (fault) return fault;
  }
  return undefined;
}

/** The size of a value in bytes, as Postgres writes it. Postgres writes numbers without exponents: 1e300 has 301 digits. */
export function storedBytes(value: ExactValue): number {
  return Buffer.byteLength(exactJson(value)) + digitsWrittenOut(value);
}

function digitsWrittenOut(value: ExactValue): number {
  if (value instanceof ExactNumber || typeof value === 'number') {
    const [, exponent] = exponentPattern.exec(String(textOfNumber(value))) ?? [];
    return Math.abs(Number(exponent ?? 0));
  }
  return toMembers(value).reduce<number>((sum, member) => sum + digitsWrittenOut(member), 0);
}

const exponentPattern = /[eE]([-+]?\d+)$/;

function toMembers(value: ExactValue): ExactValue[] {
  if (Array.isArray(value)) return value;
  return isExactObject(value) ? Object.values(value) : [];
}

function readNumber(input: ExactValue): Cell {
  if (typeof input === 'number' && Number.isSafeInteger(input)) return { value: input === 0 ? 0 : input };
  const text = textOfNumber(input);
  if (text === null) return wrong('a number', input);
  const value = exactNumber(text);
  if (value === 0) return { value: 0 };
  const size = Math.abs(Number(text));
  if (!(size <= Number.MAX_VALUE && size >= 1e-307))
    return refuse('must be 0 or lie between 1e-307 and 1.7e308, without its sign', 'range');
  if (text.length > digitsMax) return refuse(`must have at most ${digitsMax} digits`, 'too_large');
  return { value };
}

function textOfNumber(input: ExactValue): string | null {
  if (typeof input === 'number') return String(input);
  if (input instanceof ExactNumber) return input.text;
  return typeof input === 'string' && isNumberText(input) ? input : null;
}

const datePattern =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|z| ?(?:UTC|GMT)| ?[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/;

/**
 * Reads `2026-01-31`, or a date with a time. A time without an offset is in UTC. An offset may have two digits, and a blank before it, as
 * databases write it. Stored dates sort as text.
 */
function readDate(text: string): Cell {
  const match = datePattern.exec(text);
  if (!match)
    return refuse(`must be a date such as 2026-01-31 or 2026-01-31T09:30:00Z${plusHint(text)}`, 'type');
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match;
  if (/[1-9]/.test(fraction.slice(3)))
    return refuse('must have at most milliseconds: more digits would be lost', 'precision');
  const millis = fraction.slice(0, 3).padEnd(3, '0');
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}.${millis}Z`;
  const at = Date.parse(local);
  // Date.parse reads 30 February as 2 March.
  if (Number.isNaN(at) || new Date(at).toISOString() !== local)
    return refuse('must be a day and a time that exist', 'date');
  const utc = new Date(at - offsetMs(zone));
  if (utc.getUTCFullYear() < 0 || utc.getUTCFullYear() > 9999)
    return refuse('must lie in the years 0000 to 9999', 'range');
  return { value: utc.toISOString() };
}

function offsetMs(zone: string): number {
  const [, sign, hours, minutes = '0'] = /([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  if (!sign) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function wrong(expected: string, input: ExactValue): Cell {
  return refuse(`must be ${expected}, not ${toKind(input)}`, 'type');
}

function refuse(message: string, code: string): Cell {
  return { fault: { message, code } };
}

function toKind(input: ExactValue): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'a list';
  if (input instanceof ExactNumber || typeof input === 'number') return 'a number';
  if (typeof input === 'object') return 'an object';
  if (typeof input === 'boolean') return 'a boolean';
  return input.length > 40 ? 'another text' : JSON.stringify(input);
}

function couldBeLarge(value: ExactValue): boolean {
  return typeof value === 'string' ? value.length > cellBytesMax / 6 : typeof value === 'object';
}
