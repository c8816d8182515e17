import { Invalid } from '#libs/faults/faults';

const dayMs = 24 * 60 * 60 * 1000;

/** The moment that a field of a query names. With `wholeDay` a date without a time is the end of its day, in UTC. */
export function momentOf<Field extends string>(
  query: Partial<Record<Field, string>>,
  field: Field,
  { wholeDay = false } = {},
): Date | undefined {
  const text = query[field];
  if (text === undefined) return undefined;
  const atMs = Date.parse(text);
  if (Number.isNaN(atMs)) throw Invalid.field(field, 'must be an ISO 8601 date or time', 'type');
  return new Date(wholeDay && !text.includes('T') ? atMs + dayMs - 1 : atMs);
}

/** Refuses a range that ends before it begins. */
export function inOrder<T extends number | Date>(
  low: T | undefined,
  high: T | undefined,
  path: string,
  other: string,
): void {
  if (low !== undefined && high !== undefined && low > high)
    throw Invalid.field(path, `must not be below ${other}`, 'range');
}
