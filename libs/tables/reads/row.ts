import { exactParse, type ExactObject } from '#libs/platform/json/exact-json';
import type { Column } from '../schema/columns.ts';

/** A row as it is stored: its cells by the ids of their columns. */
export interface Row {
  id: string;
  position: string;
  /** The version of its table when it was last written. */
  version: string;
  createdAt: Date;
  updatedAt: Date;
  /** The execution that wrote it last; null when a call did. */
  executionId: string | null;
  data: ExactObject;
}

/** The columns that statements select of rows `r`. */
export const rowColumns =
  'r.id, r.position, r.version, r.created_at, r.updated_at, r.execution_id, r.data::text as data';

/** The data of a row as callers see it: every column by its name, null for an empty cell. */
export function dataByName(columns: readonly Column[], stored: ExactObject): ExactObject {
  return Object.fromEntries(columns.map(({ id, name }) => [name, stored[id] ?? null]));
}

export function rowOf(row: Record<string, unknown>): Row {
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
