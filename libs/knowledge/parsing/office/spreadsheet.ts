import { type CellObject, SSF, utils, type WorkSheet } from '@e965/xlsx';
import { dateText, isTime } from './cell-date.ts';
import type { ParsedText } from '../parsed-document.ts';
import { type TableCell, RowText } from '../row-text.ts';
import { TextBuilder } from '../text-builder.ts';
import { rangeOf, readWorkbook } from './workbook.ts';

const columnsOfExcel = 16_384;

/** The text of a spreadsheet. Each sheet has a heading, and each row is a line that names its columns. Cells have their displayed form. */
export function parseSpreadsheet(bytes: Uint8Array): ParsedText {
  const book = readWorkbook(bytes);
  const isFrom1904 = book.Workbook?.WBProps?.date1904 === true;
  const to = new TextBuilder();
  for (const name of book.SheetNames) {
    const sheet = book.Sheets[name];
    if (!sheet || !rangeOf(book, name)) continue;
    to.heading(1, name);
    const rows = new RowText(to);
    for (const row of rowsOf(sheet, isFrom1904)) rows.row(row);
  }
  return { text: to.text, headings: to.headings, title: book.Props?.Title ?? '' };
}

function* rowsOf(sheet: WorkSheet, isFrom1904: boolean): Generator<TableCell[]> {
  const merges = new Map(
    sheet['!merges']?.map(({ s, e }) => [`${s.r} ${s.c}`, { columns: e.c - s.c + 1, rows: e.r - s.r + 1 }]),
  );
  const data = (sheet['!data'] ?? []) as (CellObject | undefined)[][];
  const first = utils.decode_range(sheet['!ref'] ?? 'A1').s.c;
  /** The last row that a merged cell reaches, by columns. */
  const coveredTo = Array.from({ length: columnsOfExcel }, () => -1);
  for (const [r, row] of data.entries()) {
    const cells: TableCell[] = [];
    for (let c = first; c < (row?.length ?? 0); c++) {
      // A cell above covers this one.
      if ((coveredTo[c] ?? -1) >= r) continue;
      const { columns, rows } = merges.get(`${r} ${c}`) ?? { columns: 1, rows: 1 };
      cells.push({ text: textOf(row?.[c], isFrom1904), columns, rows });
      coveredTo.fill(r + rows - 1, c, c + columns);
      c += columns - 1;
    }
    yield cells;
  }
}

/** A cell as it is displayed, but for what a display cuts: years have four digits, and a number without a format has all its digits. */
function textOf(cell: CellObject | undefined, isFrom1904: boolean): string {
  if (!cell || cell.v === undefined || cell.v === null) return '';
  const { t, v, w = '' } = cell;
  const format = String(cell.z ?? 'General');
  if (t !== 'n' || typeof v !== 'number') return w === '' ? String(v) : w;
  if (format !== 'General' && SSF.is_date(format))
    return isTime(format) && w ? w : dateText(format, v, isFrom1904);
  const isShort = format === 'General' && /^-?[\d.,]*(E[+-]?\d+)?$/i.test(w);
  return isShort || w === '' ? String(Number(v.toPrecision(15))) : w;
}
