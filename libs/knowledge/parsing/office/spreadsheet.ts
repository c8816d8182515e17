import { type CellObject, SSF, utils, type WorkSheet } from '@e965/xlsx';
import { dateText, isTime } from './cell-date.ts';
import { DocumentError, type ParsedText } from '../parsed-document.ts';
import { columnsMax, RowText, type TableCell } from '../row-text.ts';
import { TextBuilder } from '../text-builder.ts';
import { readWorkbook, rowsMax } from './workbook.ts';

const columnsOfExcel = 16_384;

/** The text of a spreadsheet. Each sheet has a heading, and each row is a line that names its columns. Cells have their displayed form. */
export function parseSpreadsheet(bytes: Uint8Array): ParsedText {
  const book = readWorkbook(bytes);
  const isFrom1904 = book.Workbook?.WBProps?.date1904 === true;
  const to = new TextBuilder();
  const warnings = new Set<string>();
  for (const name of book.SheetNames) {
    const sheet = book.Sheets[name];
    if (!sheet?.['!ref']) continue;
    to.heading(1, name);
    const rows = new RowText(to);
    for (const row of rowsOf(sheet, isFrom1904)) rows.row(row);
    for (const warning of rows.warnings) warnings.add(warning);
  }
  return { text: to.text, headings: to.headings, title: book.Props?.Title ?? '', warnings: [...warnings] };
}

function* rowsOf(sheet: WorkSheet, isFrom1904: boolean): Generator<TableCell[]> {
  const merges = new Map(
    sheet['!merges']?.map(({ s, e }) => [
      s.r * columnsOfExcel + s.c,
      { columns: e.c - s.c + 1, rows: e.r - s.r + 1 },
    ]),
  );
  const data = (sheet['!data'] ?? []) as (CellObject | undefined)[][];
  const first = utils.decode_range(sheet['!ref'] ?? 'A1').s.c;
  /** The last row that a merged cell reaches, by columns. */
  const coveredTo = Array.from({ length: columnsOfExcel }, () => -1);
  for (const [r, row] of data.entries()) {
    let end = row?.length ?? 0;
    // Cells that have only a format may reach to the last column.
    while (end > first && row?.[end - 1]?.v === undefined) end--;
    if (r >= rowsMax && end > first)
      throw new DocumentError('TOO_LARGE', `A sheet has more than ${rowsMax} rows.`);
    const cells: TableCell[] = [];
    // A further cell tells the table that it has too many columns.
    const further = end > first + columnsMax ? row?.[end - 1] : undefined;
    end = Math.min(end, first + columnsMax);
    for (let c = first; c < end; c++) {
      // A cell above covers this one.
      if ((coveredTo[c] ?? -1) >= r) continue;
      const { columns, rows } = merges.get(r * columnsOfExcel + c) ?? { columns: 1, rows: 1 };
      cells.push({ text: formatCell(row?.[c], isFrom1904), columns, rows });
      coveredTo.fill(r + rows - 1, c, c + columns);
      c += columns - 1;
    }
    if (further) cells.push({ text: formatCell(further, isFrom1904) });
    yield cells;
  }
}

/** A cell as it is displayed, but for what a display cuts: years have four digits, and a number without a format has all its digits. */
function formatCell(cell: CellObject | undefined, isFrom1904: boolean): string {
  if (!cell || cell.v === undefined || cell.v === null) return '';
  const { t, v, w = '' } = cell;
  const format = String(cell.z ?? 'General');
  if (t !== 'n' || typeof v !== 'number') return w === '' ? String(v) : w;
  if (format !== 'General' && SSF.is_date(format))
    return isTime(format) && w ? w : dateText(format, v, isFrom1904);
  const isShort = format === 'General' && /^-?[\d.,]*(E[+-]?\d+)?$/i.test(w);
  return isShort || w === '' ? String(Number(v.toPrecision(15))) : w;
}
