import type { Database } from '#libs/platform/database/database';
import { repeatedConstraint } from '#libs/platform/database/violations';
import { exactJson, ExactNumber, type ExactObject, type ExactValue } from '#libs/platform/json/exact-json';
import { Invalid } from '#libs/platform/errors/errors';
import { cutText } from '#libs/platform/text/whole-text';
import { type Table, readTable } from '../schema/table.ts';
import { uniqueColumns } from './row-writer.ts';
import * as sql from './writes.sql.ts';
import { duplicate } from './row-details.ts';

/**
 * Rows that an operation is about to write. `data` has the new cells of each row by column id, and `paths` has its path in the request.
 * A change that writes the same cells into all rows has a single element in `data` and in `paths`.
 */
export interface RowsToWrite {
  ids: string[];
  data: ExactObject[];
  paths: string[];
}

/** A value of a unique column is taken. The transaction has failed, so `explainTaken` finds the value outside of it. */
export class ValueTaken extends Error {
  constructor(readonly rowsToWrite: RowsToWrite | undefined) {
    super('A value of a unique column is taken.');
  }
}

/** The error of a write. Returns `ValueTaken` in place of a violation of the key of `table_keys`, and any other error unchanged. */
export function orValueTaken(error: unknown, rowsToWrite: RowsToWrite | undefined): unknown {
  return repeatedConstraint(error) === 'table_keys_pkey' ? new ValueTaken(rowsToWrite) : error;
}

/**
 * The error of a write for its caller. Returns `Invalid` in place of `ValueTaken`, with the column and the value of each affected row.
 * The failed statement names neither, because database errors do not show the content of rows. Any other error is returned unchanged.
 */
export async function explainTaken(
  database: Database,
  { workspaceId, tableId }: { workspaceId: string; tableId: string },
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof ValueTaken)) return error;
  const table = await readTable(database, workspaceId, tableId);
  return readTaken(database, workspaceId, table, error.rowsToWrite);
}

async function readTaken(
  database: Database,
  workspaceId: string,
  table: Table,
  rowsToWrite: RowsToWrite | undefined,
): Promise<Invalid> {
  const rows = rowsToWrite
    ? await database.statement<{ ord: string; column_id: string }>(workspaceId, sql.clashes, [
        table.no,
        rowsToWrite.ids,
        exactJson(rowsToWrite.data),
        uniqueColumns(table),
      ])
    : [];
  const details = rows.map(({ ord, column_id: id }) => {
    const index = Number(ord) - 1;
    const name = table.columns.find((column) => column.id === id)?.name ?? id;
    const value = shortText(rowsToWrite?.data[index]?.[id]);
    const message = `is unique, and ${value} is there already`;
    return { path: `${rowsToWrite?.paths[index]}.${name}`, message, code: 'duplicate' };
  });
  // The row with the value may be deleted by now. The write was refused all the same.
  if (details.length > 0) return new Invalid(details, undefined, duplicate);
  const message = 'holds a value of a unique column that is there already';
  return new Invalid([{ path: 'data', message, code: 'duplicate' }], undefined, duplicate);
}

function shortText(value: ExactValue | undefined): string {
  if (value instanceof ExactNumber) return value.text;
  const text = exactJson(value ?? null);
  return cutText(text, 80, '…');
}
