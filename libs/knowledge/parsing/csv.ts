import { parse } from 'csv-parse';
import { delimiterLine, detectDelimiter } from '#libs/platform/text/delimiter';
import { DocumentError, type ParsedText } from './parsed-document.ts';
import { RowText } from './row-text.ts';
import { TextBuilder } from './text-builder.ts';

/** Each record as a line that names its columns. Wrong quotes count as characters, because a document needs no exact cells. */
export async function parseCsv(text: string): Promise<ParsedText> {
  const to = new TextBuilder();
  const rows = new RowText(to);
  const options = { relax_column_count: true, relax_quotes: true, skip_empty_lines: true, bom: true };
  const records = parse({ ...options, delimiter: detectDelimiter(text), max_record_size: 1_000_000 });
  records.end(text.replace(delimiterLine, ''));
  try {
    for await (const record of records as AsyncIterable<string[]>)
      // A lone value above several columns is a title, so it fills a row.
      rows.row(record.length === 1 ? [...record, ''] : record);
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new DocumentError('UNREADABLE', `The file cannot be read as a table: ${why}`);
  }
  return { text: to.text, headings: to.headings, warnings: rows.warnings };
}
