import type { EntityManager } from 'typeorm';
import { send } from '#libs/platform/database/database';
import { ExactNumber, exactJson, exactParse, type ExactValue } from '#libs/platform/json/exact-json';
import { Invalid } from '#libs/platform/errors/errors';
import { cutText } from '#libs/platform/text/whole-text';
import { type Cell, type ColumnType, readCell } from './cells.ts';
import type { Column } from './columns.ts';
import { type RowDetail, rowDetail } from '../writes/row-details.ts';
import type { Table } from './table.ts';

/** Rows of one statement. With this number a statement stays far below its timeout. */
const batch = 5000;
const shownMax = 10;

const misfit = { path: 'updates.type', code: 'type' };

interface StoredCell {
  id: string;
  position: string;
  cell: ExactValue;
}

/** Converts every cell of a column to its new type. Throws `Invalid` with the number of cells that do not fit, and the first ten of them. */
export async function convertColumn(
  tx: EntityManager,
  table: Table,
  { id, name, type }: Column,
): Promise<void> {
  const misfits: RowDetail[] = [];
  let count = 0;
  let written = false;
  for await (const cells of cellsOf(tx, table.no, id)) {
    const changed: { id: string; value: ExactValue }[] = [];
    for (const { id: row, position, cell } of cells) {
      const { value, fault } = converted(type, cell);
      if (fault) {
        if (count++ < shownMax)
          misfits.push(
            rowDetail(misfit, { id: row, position }, `holds ${shortened(cell)}: it ${fault.message}`),
          );
      } else if (exactJson(value) !== exactJson(cell)) changed.push({ id: row, value });
    }
    if (count > 0 || changed.length === 0) continue;
    written = true;
    const values = [table.no, id, changed.map((one) => one.id), exactJson(changed.map(({ value }) => value))];
    await send(tx, writeCells, [...values, nextVersion(table)]);
  }
  if (count > 0) {
    throw new Invalid(
      misfits,
      `${count} rows hold a value of ${name} that is no ${type}; nothing was changed.`,
    );
  }
  if (written) await send(tx, raiseVersion, [table.id, nextVersion(table)]);
}

/** A cell as a value of another type. Each value becomes a text, and a text becomes another type when it has its form. */
function converted(type: ColumnType, cell: ExactValue): Cell {
  if (type !== 'string' || typeof cell === 'string') return readCell(type, cell);
  return readCell(type, cell instanceof ExactNumber ? cell.text : exactJson(cell));
}

/** Writes a value into the new column of every row. */
export async function fillColumn(
  tx: EntityManager,
  table: Table,
  columnId: string,
  value: ExactValue,
): Promise<void> {
  if (table.rowCount === 0) return;
  let after: string | null = '-1';
  while (after !== null) {
    const values: unknown[] = [table.no, after, batch, exactJson({ [columnId]: value }), nextVersion(table)];
    const [row]: { last: string | null }[] = await send(tx, fillCells, values);
    after = row?.last ?? null;
  }
  await send(tx, raiseVersion, [table.id, nextVersion(table)]);
}

async function* cellsOf(tx: EntityManager, no: string, columnId: string): AsyncGenerator<StoredCell[]> {
  for (let after = '-1'; ;) {
    const rows = await send(tx, readCells, [no, columnId, after, batch]);
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map((row) => ({
      id: String(row['id']),
      position: String(row['position']),
      cell: exactParse(String(row['cell'])),
    }));
    after = String(last['position']);
  }
}

/** The version that the rows get. It is known before the write, because the caller holds the lock of the table. */
function nextVersion({ version }: Table): string {
  return String(BigInt(version) + 1n);
}

function shortened(cell: ExactValue): string {
  const text = exactJson(cell);
  return cutText(text, 80, '…');
}

const raiseVersion = 'update tables set version = $2 where id = $1';

const readCells = /* sql */ `
select r.id, r.position, (r.data -> $2)::text as cell from table_rows r
where r.table_no = $1 and r.position > $3 and r.data ? $2 order by r.position limit $4`;

const writeCells = /* sql */ `
update table_rows r set data = jsonb_set(r.data, array[$2], u.cell), version = $5, updated_at = now()
from rows from (unnest($3::uuid[]), jsonb_array_elements($4::jsonb)) as u (id, cell)
where r.table_no = $1 and r.id = u.id`;

const fillCells = /* sql */ `
with chosen as (
  select r.id, r.position from table_rows r where r.table_no = $1 and r.position > $2 order by r.position limit $3
), filled as (
  update table_rows r set data = r.data || $4::jsonb, version = $5, updated_at = now()
  from chosen where r.table_no = $1 and r.id = chosen.id
)
select max(position) as last from chosen`;
