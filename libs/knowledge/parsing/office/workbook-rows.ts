import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { WorkBook } from '@e965/xlsx';
import { detectContainer, detectOfficeKind, requireOldSheet } from '../kinds.ts';
import { DocumentError } from '../parsed-document.ts';
import type { WorkbookFile, WorkbookRows } from '../parse-thread.ts';
import { readWorkbook, sheetRows } from './workbook.ts';
import { Zip } from './zip.ts';

/** Writes the rows of a sheet to a file, each as a line of JSON: its number, and its cells. Throws `DocumentError`. */
export async function writeWorkbookRows({ path, sheet, rowsTo }: WorkbookFile): Promise<WorkbookRows> {
  const bytes = await readFile(path);
  const container = detectContainer(bytes);
  if (container === 'zip') await requireWorkbook(path);
  if (container === 'compound') requireOldSheet(bytes);
  const book = opened(bytes);
  const named = book.SheetNames.find((name) => name === sheet);
  if (sheet !== undefined && named === undefined) {
    const names = book.SheetNames.slice(0, 20).map((name) => JSON.stringify(name));
    throw new DocumentError(
      'UNREADABLE',
      `The workbook has no sheet of this name. It has ${names.join(', ')}.`,
    );
  }
  const chosen =
    named ?? book.SheetNames.find((name) => !sheetRows(book, name).next().done) ?? book.SheetNames[0] ?? '';
  const lines = function* () {
    for (const { row, cells } of sheetRows(book, chosen)) yield `${JSON.stringify([row, cells])}\n`;
  };
  await pipeline(Readable.from(lines()), createWriteStream(rowsTo, { mode: 0o600 }));
  return { format: toFormat(container, book), sheet: chosen, sheets: book.SheetNames };
}

function opened(bytes: Buffer): WorkBook {
  try {
    return readWorkbook(bytes);
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new DocumentError('UNREADABLE', `The workbook cannot be read: ${why}`);
  }
}

async function requireWorkbook(path: string): Promise<void> {
  const zip = await Zip.open(path);
  try {
    await zip.refuseBombs();
    const kind = await detectOfficeKind(zip);
    if (kind !== 'spreadsheet')
      throw new DocumentError('UNSUPPORTED', 'The file is a document, and no workbook.');
  } finally {
    zip.close();
  }
}

function toFormat(container: string, { bookType }: WorkBook): WorkbookRows['format'] {
  if (container === 'compound') return 'xls';
  return bookType === 'ods' ? 'ods' : 'xlsx';
}
