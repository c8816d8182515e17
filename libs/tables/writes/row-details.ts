import type { Detail } from '#libs/platform/errors/errors';
import { rowIdText } from '../reads/row-ids.ts';

/** A fault of a row that is stored, with what finds the row. */
export interface RowDetail extends Detail {
  rowId: string;
  position: number;
}

/** `says` completes a sentence that begins with the row. */
export function rowDetail(
  { path, code }: { path: string; code: string },
  row: { id: string; position: string },
  says: string,
): RowDetail {
  const rowId = rowIdText(row.id);
  const message = `${rowId} at position ${row.position} ${says}`;
  return { path, message, code, rowId, position: Number(row.position) };
}

/** The code of a value that is taken, over HTTP and as the failure of a block. */
export const duplicate = 'DUPLICATE_VALUE';
