import { read, SSF, utils, type CellObject, type WorkBook } from '@e965/xlsx';
import { DocumentError } from '../parsed-document.ts';

/** The maximum number of rows of a sheet that are read. */
export const rowsMax = 200_000;

/** A cell of a sheet. A number has the digits of the file, a date is ISO 8601, and an error has its name. */
export type SheetCell = string | boolean | null | { n: string } | { d: string } | { e: string };

/**
 * Reads a workbook: XLSX, XLS or ODS. Formulas have the values that the file holds. No other function opens workbooks.
 * Throws `DocumentError` for a locked one.
 */
export function readWorkbook(bytes: Uint8Array): WorkBook {
  try {
    return read(bytes, {
      type: 'buffer',
      dense: true,
      cellFormula: false,
      cellHTML: false,
      cellNF: true,
      bookFiles: true,
    });
  } catch (error) {
    if (/password|encrypt/i.test(String(error)))
      throw new DocumentError('ENCRYPTED', 'The file is protected by a password.');
    throw error;
  }
}

const tooManyRows = (name: string) =>
  new DocumentError('TOO_LARGE', `The sheet "${name}" has more than ${rowsMax} rows.`);

/** Yields the rows of a sheet that have a cell, with their numbers from 1. */
export function* sheetRows(book: WorkBook, name: string): Generator<{ row: number; cells: SheetCell[] }> {
  const rows = (book.Sheets[name]?.['!data'] ?? []) as (CellObject | undefined)[][];
  const isOpenDocument = book.bookType === 'ods';
  // The library counts the days of an ODS from 1900, whatever day the file names.
  const date1904 = !isOpenDocument && book.Workbook?.WBProps?.date1904 === true;
  const long = longNumbers(book, name);
  for (const [at, row] of rows.entries()) {
    const cells = Array.from(row ?? [], (cell, column): SheetCell => {
      const address = long.size > 0 && utils.encode_cell({ r: at, c: column });
      const digits = address ? long.get(address) : undefined;
      return digits === undefined ? toCell(cell, date1904, isOpenDocument) : { n: digits };
    });
    if (cells.every((cell) => cell === null)) continue;
    // A sheet may declare fewer rows than it has, and more: whole columns may have a format.
    if (at >= rowsMax) throw tooManyRows(name);
    yield { row: at + 1, cells };
  }
}

const openDocumentErrors = /^(?:#(?:DIV\/0!|N\/A|NAME\?|NULL!|NUM!|REF!|VALUE!)|Err:\d{3})$/;
const errors: Record<number, string> = {
  0x00: '#NULL!',
  0x07: '#DIV/0!',
  0x0f: '#VALUE!',
  0x17: '#REF!',
  0x1d: '#NAME?',
  0x24: '#NUM!',
  0x2a: '#N/A',
  0x2b: '#GETTING_DATA',
};

function toCell(cell: CellObject | undefined, date1904: boolean, isOpenDocument: boolean): SheetCell {
  if (cell?.v === undefined || cell.t === 'z') return null;
  if (cell.t === 'e') return { e: errors[Number(cell.v)] ?? cell.w ?? '#ERROR' };
  if (cell.t === 'b') return cell.v === true;
  if (cell.t === 'd') return { d: new Date(cell.v as Date).toISOString() };
  if (cell.t !== 'n') {
    const text = String(cell.v);
    return isOpenDocument && openDocumentErrors.test(text) ? { e: text } : text;
  }
  const format = String(cell.z ?? 'General');
  if (!SSF.is_date(format)) return { n: String(cell.v) };
  // A duration such as 36:00 is no time of a day.
  return /\[[hms]+\]/i.test(format) ? (cell.w ?? String(cell.v)) : toDate(Number(cell.v), date1904);
}

/** A serial number as a date. One below the first day is a time of day, and becomes a text. */
function toDate(serial: number, date1904: boolean): SheetCell {
  const found = SSF.parse_date_code(serial, { date1904 });
  if (!found) return { n: String(serial) };
  const two = (part: number) => String(part).padStart(2, '0');
  const millis = Math.min(999, Math.round(found.u * 1000));
  const time = `${two(found.H)}:${two(found.M)}:${two(found.S)}`;
  if (serial < 1 && !date1904) return time;
  const day = `${String(found.y).padStart(4, '0')}-${two(found.m)}-${two(found.d)}`;
  if (found.T === 0 && millis === 0) return { d: day };
  return { d: `${day}T${time}${millis > 0 ? `.${String(millis).padStart(3, '0')}` : ''}` };
}

/** Finds whole numbers with more digits than a double has, by their cells. Only XLSX has them: the library rounds them. */
function longNumbers(book: WorkBook, name: string): Map<string, string> {
  const { Directory: directory, files } = book as WorkBook & {
    Directory?: { sheets?: string[] };
    files?: Record<string, { content?: Uint8Array | string } | undefined>;
  };
  const path = directory?.sheets?.[book.SheetNames.indexOf(name)]?.replace(/^\//, '') ?? '';
  const content = files?.[path]?.content;
  const xml = content === undefined ? '' : Buffer.from(content as Uint8Array).toString('latin1');
  const found = new Map<string, string>();
  for (const { index, 1: digits = '' } of xml.matchAll(/<v>(-?[1-9]\d{15,999})<\/v>/g)) {
    const begin = xml.lastIndexOf('<c ', index);
    const [, address] = /\sr="([A-Z]{1,3}\d{1,7})"/.exec(xml.slice(begin, xml.indexOf('>', begin))) ?? [];
    const type = /\st="([a-z]+)"/i.exec(xml.slice(begin, xml.indexOf('>', begin)))?.[1] ?? 'n';
    if (address && type === 'n') found.set(address, digits);
  }
  return found;
}
