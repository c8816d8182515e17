import type { Database } from '#libs/platform/database/database';
import { repeatedConstraint } from '#libs/platform/database/violations';
import { exactJson, ExactNumber, type ExactObject, type ExactValue } from '#libs/platform/json/exact-json';
import { Invalid } from '#libs/platform/errors/errors';
import { type Table, readTable } from '../schema/table.ts';
import { uniqueColumns } from './row-writer.ts';
import * as sql from './writes.sql.ts';
import { duplicate } from './row-details.ts';

/** The rows that one call wrote, by their ids, each with its path in the request. */
export interface WrittenRows {
  ids: string[];
  data: ExactObject[];
  paths: string[];
}

/** A value of a unique column was taken. The transaction has failed, so another one must find out which value. */
export class ValueTaken extends Error {
  constructor(readonly written: WrittenRows | undefined) {
    super('A value of a unique column is taken.');
  }
}

/** The error of a write, as `ValueTaken` when that is what it means. */
export function orValueTaken(error: unknown, written: WrittenRows | undefined): unknown {
  return repeatedConstraint(error) === 'table_keys_pkey' ? new ValueTaken(written) : error;
}

/**
 * The error of a write for its caller. For a taken value it is `Invalid`, which names the column and the value: the statement that failed
 * says neither, since what is in the rows is hidden from errors.
 */
export async function explainTaken(
  database: Database,
  { workspaceId, tableId }: { workspaceId: string; tableId: string },
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof ValueTaken)) return error;
  const table = await readTable(database, workspaceId, tableId);
  return takenOf(database, workspaceId, table, error.written);
}

async function takenOf(
  database: Database,
  workspaceId: string,
  table: Table,
  written: WrittenRows | undefined,
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
    const value = shortText(written?.data[index]?.[id]);
    const message = `is unique, and ${value} is there already`;
    return { path: `${written?.paths[index]}.${name}`, message, code: 'duplicate' };
  });
  // The other writer may be gone by now; the refusal stands.
  if (details.length > 0) return new Invalid(details, undefined, duplicate);
  const message = 'holds a value of a unique column that is there already';
  return new Invalid([{ path: 'data', message, code: 'duplicate' }], undefined, duplicate);
}

function shortText(value: ExactValue | undefined): string {
  if (value instanceof ExactNumber) return value.text;
  const text = exactJson(value ?? null);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
