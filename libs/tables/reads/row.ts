import { exactParse, type ExactObject } from '#libs/platform/json/exact-json';
import type { Column } from '../schema/columns.ts';

/** A row as it is stored, with its cells by column id. */
export interface StoredRow {
  id: string;
  position: string;
  /** The version of its table when it was last written. */
  version: string;
  createdAt: Date;
  updatedAt: Date;
  /** The execution that last wrote the row; null when an API call wrote it. */
  executionId: string | null;
  data: ExactObject;
}

/** SQL: the columns of rows `r` that `toRow` reads. */
export const rowColumns =
  'r.id, r.position, r.version, r.created_at, r.updated_at, r.execution_id, r.data::text as data';

/** The data of a row in the form of the API: every column by its name, with null for an empty cell. */
export function dataByName(columns: readonly Column[], stored: ExactObject): ExactObject {
  return Object.fromEntries(columns.map(({ id, name }) => [name, stored[id] ?? null]));
}

export function toRow(row: Record<string, unknown>): StoredRow {
  return {
    id: String(row['id']),
    position: String(row['position']),
    version: String(row['version']),
    createdAt: row['created_at'] as Date,
    updatedAt: row['updated_at'] as Date,
    executionId: row['execution_id'] as string | null,
    data: exactParse(String(row['data'])) as ExactObject,
  };
}
