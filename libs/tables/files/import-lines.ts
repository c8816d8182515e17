import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { screen, type Screened } from '#libs/language/definition/checks/screen';
import { exactParse, type ExactObject, type ExactValue, isExactObject } from '#libs/platform/json/exact-json';
import { outlineOf, repeatedName } from '#libs/platform/json/repeated-names';
import { Invalid } from '#libs/platform/errors/errors';
import { cutText } from '#libs/platform/text/whole-text';
import type { Column } from '../schema/columns.ts';

export const importFormats = ['csv', 'jsonl'] as const;
export type ImportFormat = (typeof importFormats)[number];

/** A line of a file: its data by column name, or its fault. Lines count from 1, with the header. */
export type ImportLine =
  | { line: number; data: ExactObject; fault?: undefined }
  | { line: number; fault: string };

const lineCharsMax = 1024 * 1024;

/**
 * Reads the lines of a file as its bytes arrive. A line that cannot be a row has a fault.
 * Throws `Invalid` for a file that cannot be read further: wrong quotes, an unknown column, or an encoding other than UTF-8.
 */
export function linesOf(
  format: ImportFormat,
  columns: readonly Column[],
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<ImportLine> {
  return format === 'csv' ? csvLines(columns, textOf(bytes)) : jsonLines(textOf(bytes));
}

/** Decodes a file in UTF-8, with or without a byte order mark. Throws `Invalid` for another encoding. */
async function* textOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let first = true;
  try {
    for await (const chunk of bytes) {
      if (first && isUtf16(chunk)) throw refused(1, 'the file is UTF-16; send it as UTF-8');
      first = first && chunk.length === 0;
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    if (Object(error).code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw refused(0, 'the file is not in UTF-8');
    throw error;
  }
}

function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

async function* csvLines(
  columns: readonly Column[],
  text: AsyncIterable<string>,
): AsyncGenerator<ImportLine> {
  let header: Column[] | undefined;
  for await (const { line, cells } of recordsOf(text)) {
    // In a table with one column, an empty line is a row with an empty cell.
    if (cells.length === 1 && cells[0] === '' && header?.length !== 1) continue;
    if (!header) header = headerOf(columns, cells.map(String));
    else if (cells.length === header.length) yield rowOf(line, header, cells);
    else yield { line, fault: `has ${cells.length} values, and the header has ${header.length}` };
  }
  if (!header) throw refused(1, 'the file is empty; its first line must name the columns');
}

/** An empty text in quotes. Without quotes it is an empty cell. */
const quotedNothing = Symbol('""');
type CsvCell = string | typeof quotedNothing;

async function* recordsOf(text: AsyncIterable<string>): AsyncGenerator<{ line: number; cells: CsvCell[] }> {
  const parser = parse({
    info: true,
    relax_column_count: true,
    raw: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: lineCharsMax,
  });
  // The parser passes an error of the source on to the loop below.
  const feeding = pipeline(text, parser).catch(() => undefined);
  try {
    for await (const one of parser) {
      const { record, info, raw } = one as { record: string[]; info: { lines: number }; raw: string };
      yield { line: info.lines, cells: cellsOf(record, raw) };
    }
  } catch (error) {
    if (error instanceof CsvError)
      throw refused(Number(error['lines'] ?? 0), `cannot be read as CSV: ${error.message}`);
    throw error;
  } finally {
    parser.destroy();
    await feeding;
  }
}

/** The cells of a record. `raw` tells which empty cells had quotes. It takes four times as long when the parser tells it for each cell. */
function cellsOf(record: string[], raw: string): CsvCell[] {
  if (!record.includes('') || !raw.includes('""')) return record;
  const texts = [''];
  let quoted = false;
  for (const char of raw.trim()) {
    if (char === '"') quoted = !quoted;
    if (char === ',' && !quoted) texts.push('');
    else texts[texts.length - 1] += char;
  }
  return record.map((cell, i) => (texts[i] === '""' ? quotedNothing : cell));
}

function headerOf(columns: readonly Column[], names: string[]): Column[] {
  const [unknown] = names.filter((name) => !columns.some((column) => column.name === name));
  if (unknown !== undefined)
    throw refused(1, `names ${JSON.stringify(cutText(unknown, 80))}, which is no column of this table`);
  const repeated = names.find((name, i) => names.indexOf(name) !== i);
  if (repeated !== undefined) throw refused(1, `names ${repeated} twice`);
  return names.flatMap((name) => columns.find((column) => column.name === name) ?? []);
}

/** A line as a row. Nothing between two commas is an empty cell. Two quotes are an empty text in a text column, else an empty cell. */
function rowOf(line: number, header: Column[], cells: CsvCell[]): ImportLine {
  const members: [string, ExactValue][] = [];
  const texts: [string, string][] = [];
  for (const [i, { name, type }] of header.entries()) {
    const cell = cells[i] ?? '';
    if (cell === '' || (cell === quotedNothing && type !== 'string')) continue;
    const text = cell === quotedNothing ? '' : cell;
    if (type === 'json') {
      const { value, fault } = documentOf(text, name);
      if (fault !== undefined) return { line, fault };
      members.push([name, value]);
    } else texts.push([name, text]);
  }
  const fault = faultOf(screen(Object.fromEntries(texts), ''));
  // An assignment to a member `__proto__` would add no member, so the object is made from entries.
  return fault === undefined ? { line, data: Object.fromEntries([...texts, ...members]) } : { line, fault };
}

async function* jsonLines(text: AsyncIterable<string>): AsyncGenerator<ImportLine> {
  let line = 0;
  let rest = '';
  const read = (one: string): ImportLine | undefined => {
    line++;
    if (one.trim() === '') return undefined;
    if (one.length > lineCharsMax) return { line, fault: `has more than ${lineCharsMax} characters` };
    const { value, fault } = documentOf(one, '');
    if (fault !== undefined) return { line, fault };
    return isExactObject(value) ? { line, data: value } : { line, fault: 'is no JSON object' };
  };
  for await (const part of text) {
    const pieces = (rest + part).split('\n');
    rest = pieces.pop() ?? '';
    for (const piece of pieces) {
      const found = read(piece);
      if (found) yield found;
    }
    if (rest.length > 2 * lineCharsMax) throw refused(line + 1, `has more than ${lineCharsMax} characters`);
  }
  const last = read(rest);
  if (last) yield last;
}

/** Reads JSON, or returns the reason why Postgres could not store it. A single such value would fail the statement of its whole batch. */
function documentOf(
  text: string,
  path: string,
): { value: ExactValue; fault?: undefined } | { value?: undefined; fault: string } {
  const plain = parsed(text);
  if (plain === undefined) return { fault: `${path} is no JSON`.trim() };
  const screened = screen(plain, path);
  const fault = faultOf(screened) ?? repetition(text, path, screened);
  return fault === undefined ? { value: exactParse(text, plain) } : { fault };
}

function parsed(text: string): ExactValue | undefined {
  try {
    return JSON.parse(text) as ExactValue;
  } catch {
    return undefined;
  }
}

function faultOf({ details: [fault] }: Screened): string | undefined {
  return fault && (fault.path ? `${fault.path}: ${fault.message}` : fault.message);
}

/** The fault of an object with a repeated name. JavaScript would keep only the last value of the name. */
function repetition(text: string, path: string, { names }: Screened): string | undefined {
  if (names === outlineOf(Buffer.from(text)).members) return undefined;
  return `${[path, repeatedName(text)].filter(Boolean).join('.')}: is twice in one object`;
}

function refused(line: number, message: string): Invalid {
  return new Invalid([{ path: line > 0 ? `line ${line}` : '', message, code: 'file' }]);
}
