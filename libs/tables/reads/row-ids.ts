import { newId } from '#libs/platform/ids/ids';

const pattern = /^row_([0-9a-f]{32})$/;

/** The stored UUID of a row id of the API, as 32 hex digits. Returns null for a text that is no row id. */
export function parseRowId(id: string): string | null {
  return pattern.exec(id)?.[1] ?? null;
}

/** The row id of the API, `row_` and 32 hex digits, of a stored UUID. */
export function rowIdText(uuid: string): string {
  return `row_${uuid.replaceAll('-', '')}`;
}

/** The last hex digits of an id, which number the rows of a call. Four digits number 65,536 rows; a call inserts at most 1,000. */
const counted = 4;

/**
 * Consecutive UUIDs, as 32 hex digits, for rows that a call inserts together. `first` is a row id of the API.
 * Two calls with the same `first` return the same UUIDs, so a retry of a request finds the rows that its first try inserted.
 */
export function rowIds(count: number, first: string = newId('row')): string[] {
  const base = (parseRowId(first) ?? '').slice(0, -counted);
  if (count === 1) return [`${base}0000`];
  return Array.from({ length: count }, (_, i) => base + i.toString(16).padStart(counted, '0'));
}
