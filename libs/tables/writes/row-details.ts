import type { Detail } from '#libs/platform/errors/errors';
import { rowIdText } from '../reads/row-ids.ts';

/** A fault of a stored row, with the id and the position of the row. */
export interface RowDetail extends Detail {
  rowId: string;
  position: number;
}

/** A fault of a stored row. `says` is the predicate of the message, such as `has no value`; the id and the position come before it. */
export function rowDetail(
  { path, code }: { path: string; code: string },
  row: { id: string; position: string },
  says: string,
): RowDetail {
  const rowId = rowIdText(row.id);
  const message = `${rowId} at position ${row.position} ${says}`;
  return { path, message, code, rowId, position: Number(row.position) };
}

/** The error code for a taken value of a unique column, in API responses and in failures of blocks. */
export const duplicate = 'DUPLICATE_VALUE';
