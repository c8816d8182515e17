import { tablesApi } from '../api/resources/tables.ts';
import { NotFoundError, OutdatedError } from '../api/client.ts';
import { isSameCell, type TableRow } from './cells.ts';

export interface CellConflict {
  column: string;
  read: unknown;
  theirs: unknown;
  mine: unknown;
}

/** The changes of another person, since the reading, in the cells that this person wants to change. */
export interface RowConflict {
  row: TableRow;
  cells: CellConflict[];
  data: Record<string, unknown>;
}

interface RowChange {
  tableId: string;
  workspaceId: string;
  /** The row as the person has read it. */
  row: TableRow;
  data: Record<string, unknown>;
}

export type SaveOutcome = { saved: TableRow } | { conflict: RowConflict } | { isGone: true };

/**
 * Writes cells of a row if nobody has changed the row since it was read. A change of other cells is no conflict: the row is read
 * anew and written again.
 */
export async function saveCells({ tableId, workspaceId, row, data }: RowChange): Promise<SaveOutcome> {
  let { version } = row;
  for (;;) {
    try {
      const { row: saved } = await tablesApi.rows.update(
        tableId,
        row.id,
        { workspaceId, data },
        { ifMatch: `"${version}"` },
      );
      return { saved };
    } catch (error) {
      if (error instanceof NotFoundError) return { isGone: true };
      if (!(error instanceof OutdatedError)) throw error;
    }
    const now = await readRow(tableId, row.id, workspaceId);
    if (!now) return { isGone: true };
    const cells = Object.entries(data)
      .map(([column, mine]) => ({ column, mine, read: row.data[column], theirs: now.data[column] }))
      .filter(({ read, theirs }) => !isSameCell(read, theirs));
    if (cells.length > 0) return { conflict: { row: now, cells, data } };
    version = now.version;
  }
}

async function readRow(tableId: string, rowId: string, workspaceId: string): Promise<TableRow | undefined> {
  try {
    return (await tablesApi.rows.get(tableId, rowId, { workspaceId })).row;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
