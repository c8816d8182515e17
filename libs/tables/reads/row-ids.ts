import { newId } from '#libs/platform/ids/ids';

const pattern = /^row_([0-9a-f]{32})$/;

/** The UUID of a row's id as callers see it; null for any other text. */
export function rowIdOf(id: string): string | null {
  return pattern.exec(id)?.[1] ?? null;
}

/** The id of a row as callers see it. */
export function rowIdText(uuid: string): string {
  return `row_${uuid.replaceAll('-', '')}`;
}

const counted = 4;

/**
 * UUIDs that follow each other, for rows that are inserted together: the same first id gives the same ids again, so a
 * repeated request finds the rows that its first try has made.
 */
export function rowIds(count: number, first: string = newId('row')): string[] {
  const base = (rowIdOf(first) ?? '').slice(0, -counted);
  if (count === 1) return [`${base}0000`];
  return Array.from({ length: count }, (_, i) => base + i.toString(16).padStart(counted, '0'));
}
