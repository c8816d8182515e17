import type { Database } from '#libs/platform/database/database';
import { repeatedConstraint } from '#libs/platform/database/violations';
import { exactJson, ExactNumber, type ExactObject, type ExactValue } from '#libs/platform/json/exact-json';
import { Invalid } from '#libs/platform/errors/errors';
import { type Table, readTable } from '../schema/table.ts';
import { uniqueColumns } from './row-writer.ts';
import * as sql from './writes.sql.ts';
import { duplicate } from './row-details.ts';

/** The rows that one call wrote, by their ids, each with its path in the request. A clash is traced to them. */
export interface WriteTrace {
  ids: string[];
  data: ExactObject[];
  paths: string[];
}

/**
 * Runs a write. When a value of a unique column was taken, throws `Invalid` that names the column and the value: the
 * statement that failed says neither, since what is in the rows is hidden from errors.
 */
export async function unlessTaken<T>(
  { database, workspaceId, tableId }: { database: Database; workspaceId: string; tableId: string },
  written: () => WriteTrace | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (repeatedConstraint(error) !== 'table_keys_pkey') throw error;
    const table = await readTable(database, workspaceId, tableId);
    throw await taken(database, workspaceId, table, written());
  }
}

async function taken(
  database: Database,
  workspaceId: string,
  table: Table,
  written: WriteTrace | undefined,
): Promise<Invalid> {
  const rows = written
    ? await database.statement<{ ord: string; column_id: string }>(workspaceId, sql.clashes, [
        table.no,
        written.ids,
        exactJson(written.data),
        uniqueColumns(table),
      ])
    : [];
  const details = rows.map(({ ord, column_id: id }) => {
    const index = Number(ord) - 1;
    const name = table.columns.find((column) => column.id === id)?.name ?? id;
    const value = shown(written?.data[index]?.[id]);
    const message = `is unique, and ${value} is there already`;
    return { path: `${written?.paths[index]}.${name}`, message, code: 'duplicate' };
  });
  // The other writer may be gone by now; the refusal stands.
  if (details.length > 0) return new Invalid(details, undefined, duplicate);
  const message = 'holds a value of a unique column that is there already';
  return new Invalid([{ path: 'data', message, code: 'duplicate' }], undefined, duplicate);
}

function shown(value: ExactValue | undefined): string {
  if (value instanceof ExactNumber) return value.text;
  const text = exactJson(value ?? null);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
