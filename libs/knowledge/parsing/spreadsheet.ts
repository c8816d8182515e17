import { utils } from '@e965/xlsx';
import type { ParsedDocument } from './parsed-document.ts';
import { RowText } from './row-text.ts';
import { TextBuilder } from './text-builder.ts';
import { rangeOf, readWorkbook } from './workbooks/workbook.ts';

/** The text of a spreadsheet. Each sheet has a heading, and each row is a line that names its columns. Cells have their displayed form. */
export function parseSpreadsheet(bytes: Uint8Array): Pick<ParsedDocument, 'text' | 'headings'> {
  const book = readWorkbook(bytes);
  const to = new TextBuilder();
  for (const name of book.SheetNames) {
    const sheet = book.Sheets[name];
    if (!sheet || !rangeOf(book, name)) continue;
    to.heading(1, name);
    const rows = new RowText(to);
    const cells = utils.sheet_to_json<string[]>(sheet, {
      header: 1,
      raw: false,
      defval: '',
      blankrows: false,
    });
    for (const row of cells) rows.row(row.map(String));
  }
  return { text: to.text, headings: to.headings };
}
