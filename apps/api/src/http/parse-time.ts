import { plusHint } from '#libs/platform/text/characters';
import { Invalid } from '#libs/platform/errors/errors';

const dayMs = 24 * 60 * 60 * 1000;
const day = /^\d{4}-\d\d-\d\d$/;
const time = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):\d\d(:\d\d([.,]\d{1,9})?)?(Z|[+-]\d\d(:?\d\d)?)?$/;

/**
 * The time in a query field: a date, or a date and a time with a T between them, in UTC unless an offset is given. With
 * `wholeDay` a date without a time means the end of its day.
 */
export function parseTime<Field extends string>(
  query: Partial<Record<Field, string>>,
  field: Field,
  { wholeDay = false } = {},
): Date | undefined {
  const text = query[field];
  if (text === undefined) return undefined;
  const atMs = momentMs(text);
  if (Number.isNaN(atMs))
    throw Invalid.field(
      field,
      `must be a date or a time of the calendar, as 2026-01-31 or 2026-01-31T08:00:00Z${plusHint(text)}`,
      'type',
    );
  return new Date(wholeDay && day.test(text) ? atMs + dayMs - 1 : atMs);
}

/**
 * NaN for text that is no time, and for a day that does not exist. `Date.parse` would take such a day for one of the
 * next month.
 */
function momentMs(text: string): number {
  const [, date = text, , , offset] = time.exec(text) ?? [];
  if (!day.test(date)) return NaN;
  const atMs = Date.parse(text === date || offset ? text.replace(',', '.') : `${text}Z`);
  const ofDate = new Date(`${date}T00:00:00Z`);
  return Number.isNaN(ofDate.getTime()) || !ofDate.toISOString().startsWith(date) ? NaN : atMs;
}

/** Throws for a range that ends before it begins. */
export function requireTimeOrder<T extends number | Date>(
  low: T | undefined,
  high: T | undefined,
  path: string,
  other: string,
): void {
  if (low !== undefined && high !== undefined && low > high)
    throw Invalid.field(path, `must not be below ${other}`, 'range');
}
