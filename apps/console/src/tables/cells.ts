import { textsOfData } from '../texts-of-data.ts';
import type { Schemas } from '../api/client.ts';

export type TableColumn = Schemas['ColumnView'];
export type TableRow = Schemas['RowView'];

/** A cell as the API wants it: a number stays text, so that none of its digits is lost. An emptied field is an empty cell. */
export function cellOf(text: string, { name, type }: Pick<TableColumn, 'name' | 'type'>): unknown {
  if (type === 'string') return text === '' ? null : text;
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (type !== 'json') return type === 'boolean' ? trimmed === 'true' : trimmed;
  try {
    return JSON.parse(trimmed);
  } catch {
    throw new Error(textsOfData.rows.wrongJson(name));
  }
}

/** A cell as it is written in a field; `cellOf` reads it back. */
export function textOfCell(value: unknown, { type }: Pick<TableColumn, 'type'>, space = 0): string {
  if (value === null || value === undefined) return '';
  return type === 'json' ? JSON.stringify(value, null, space) : String(value);
}

/** True when two cells look equal to a person. */
export const isSameCell = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
