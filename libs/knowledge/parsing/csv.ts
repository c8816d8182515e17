import { parse } from 'csv-parse';
import { DocumentError, type ParsedText } from './parsed-document.ts';
import { RowText } from './row-text.ts';
import { TextBuilder } from './text-builder.ts';

const delimiters = [',', ';', '\t', '|'];
const sampleLines = 20;

/** Each record as a line that names its columns. Wrong quotes count as characters, because a document needs no exact cells. */
export async function parseCsv(text: string): Promise<ParsedText> {
  const to = new TextBuilder();
  const rows = new RowText(to);
  const options = { relax_column_count: true, relax_quotes: true, skip_empty_lines: true, bom: true };
  const records = parse({ ...options, delimiter: detectDelimiter(text), max_record_size: 1_000_000 });
  records.end(text);
  try {
    for await (const record of records) rows.row(record as string[]);
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new DocumentError('UNREADABLE', `The file cannot be read as a table: ${why}`);
  }
  return { text: to.text, headings: to.headings, warnings: rows.warnings };
}

/** The delimiter with which the first lines have the most cells. It compares the line with the fewest cells for each delimiter. */
function detectDelimiter(text: string): string {
  const lines = text
    .slice(0, 65_536)
    .split('\n', sampleLines)
    .filter((line) => line.trim() !== '');
  const fewest = (delimiter: string) => Math.min(...lines.map((line) => line.split(delimiter).length));
  const best = delimiters.toSorted((a, b) => fewest(b) - fewest(a));
  return best[0] ?? ',';
}
