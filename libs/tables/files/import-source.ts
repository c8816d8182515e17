import { createReadStream, createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { DocumentError } from '#libs/knowledge/parsing/parsed-document';
import { createDecoder, guessEncoding } from '#libs/knowledge/parsing/encoding';
import { parseWorkbook } from '#libs/knowledge/parsing/parse-file';
import { Invalid } from '#libs/platform/errors/errors';
import { newScratch } from '#libs/platform/files/scratch';
import { delimiterLine, detectDelimiter } from '#libs/platform/text/delimiter';
import { parseCharset, detectMark, parseMediaType } from '#libs/platform/text/foreign-text';
import { csvRecords, refusedFile } from './csv-records.ts';
import {
  type ImportFormat,
  type RawCell,
  type RawRecord,
  type ReadOptions,
  SheetValue,
} from './import-options.ts';
import { jsonLines, jsonList } from './json-records.ts';

/** The maximum number of bytes of a file of rows, after it is unpacked. */
export const fileBytesMax = 100 * 1024 * 1024;
/** The maximum number of bytes that a call imports before it answers, also unpacked. A worker imports larger files. */
export const inCallBytesMax = 16 * 1024 * 1024;
const headBytes = 64 * 1024;

/** The records of a file. Each call of `read` begins at the first record. */
export interface FileSource {
  format: ImportFormat;
  delimiter: string | null;
  encoding: string | null;
  sheet: string | null;
  /** The sheets of a workbook. */
  sheets: string[];
  read(): AsyncGenerator<RawRecord[]>;
}

interface SourceInput {
  names: string[];
  workspaceId: string;
  options: ReadOptions;
  /** The maximum number of bytes after a gzip is unpacked. */
  bytesMax?: number;
}

/**
 * Finds out what a file is, runs the work with its records, and removes what it wrote to the disk. `names` are the columns of the table,
 * by which it finds the delimiter. Throws `Invalid` for a file that holds no records.
 */
export async function withSource<T>(
  path: string,
  { names, workspaceId, options, bytesMax = fileBytesMax }: SourceInput,
  work: (source: FileSource) => Promise<T>,
): Promise<T> {
  const folder = await newScratch();
  try {
    const plain = await unpack(path, join(folder, 'unpacked'), bytesMax);
    const head = await readHead(plain);
    if (isWorkbook(head))
      return await work(await workbook(plain, join(folder, 'sheet'), options, workspaceId));
    return await work(await textSource(plain, head, names, options));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const isGzip = (head: Buffer) => head[0] === 0x1f && head[1] === 0x8b;
const isWorkbook = (head: Buffer) =>
  head.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004', 'latin1')) ||
  head.subarray(0, 8).equals(Buffer.from('d0cf11e0a1b11ae1', 'hex'));

/** The format of a file by its first bytes and its media type. A workbook is known by its kind only when it is read. */
export async function guessFormat(path: string, contentType: string): Promise<ImportFormat> {
  const head = await readHead(path);
  if (isWorkbook(head)) return parseMediaType(contentType).endsWith('.ms-excel') ? 'xls' : 'xlsx';
  return textFormat(contentType, isGzip(head) ? '' : head.toString('latin1'));
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Unpacks a file of gzip, and returns the path of the plain file. Throws `Invalid` for one that grows too large or is packed twice. */
async function unpack(path: string, to: string, bytesMax: number): Promise<string> {
  if (!isGzip(await readHead(path))) return path;
  let bytes = 0;
  const bounded = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      const advice = bytesMax < fileBytesMax ? '; import it with async=true' : '';
      const reason = `the gzip unpacks to more than ${bytesMax} bytes${advice}`;
      done(bytes > bytesMax ? refusedFile(0, reason) : null, chunk);
    },
  });
  try {
    await pipeline(createReadStream(path), createGunzip(), bounded, createWriteStream(to, { mode: 0o600 }));
  } catch (error) {
    if (error instanceof Invalid) throw error;
    throw refusedFile(0, 'the gzip is damaged or cut off');
  }
  if (isGzip(await readHead(to))) throw refusedFile(0, 'the file is packed with gzip twice; pack it once');
  return to;
}

async function workbook(
  path: string,
  rowsTo: string,
  { sheet }: ReadOptions,
  workspaceId: string,
): Promise<FileSource> {
  try {
    const rows = await parseWorkbook({ path, rowsTo, sheet }, workspaceId);
    return { ...rows, delimiter: null, encoding: null, read: () => sheetRecords(rowsTo) };
  } catch (error) {
    if (error instanceof DocumentError) throw refusedFile(0, error.message);
    throw error;
  }
}

async function* sheetRecords(path: string): AsyncGenerator<RawRecord[]> {
  let rest = '';
  for await (const part of textOf(path, 'utf-8')) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    yield lines.map((line) => {
      const [row, cells] = JSON.parse(line) as [number, unknown[]];
      return { line: row, cells: cells.map(toCell) };
    });
  }
}

const kinds = { n: 'number', d: 'date', e: 'error' } as const;

function toCell(cell: unknown): RawCell {
  if (typeof cell !== 'object' || cell === null) return cell as string | boolean | null;
  const [[kind, text] = ['e', '']] = Object.entries(cell as Record<string, string>);
  return new SheetValue(kinds[kind as keyof typeof kinds], text);
}

async function textSource(
  path: string,
  head: Buffer,
  names: string[],
  options: ReadOptions,
): Promise<FileSource> {
  const { contentType = '', sheet } = options;
  if (sheet !== undefined) throw Invalid.field('sheet', 'is for workbooks, and the file is none', 'sheet');
  const encoding = await detectEncoding(path, head, options);
  const read = () => textOf(path, encoding);
  const sample = await readFirst(read());
  if (sample.includes('\0'))
    throw refusedFile(0, 'the file is neither text nor a workbook; send CSV, JSON, XLSX, XLS or ODS');
  const format = textFormat(contentType, sample);
  const about = { format, encoding, sheet: null, sheets: [] };
  if (format === 'jsonl') return { ...about, delimiter: null, read: () => jsonLines(read()) };
  if (format === 'json') return { ...about, delimiter: null, read: () => jsonList(read()) };
  const isWhole = head.length < headBytes;
  const delimiter =
    options.delimiter ??
    detectDelimiter(sample, { names: [...names, ...Object.keys(options.mapping ?? {})], isWhole });
  const records = () => csvRecords(read(), delimiter);
  return { ...about, delimiter, read: delimiterLine.test(sample) ? () => withoutFirst(records()) : records };
}

async function* withoutFirst(records: AsyncGenerator<RawRecord[]>): AsyncGenerator<RawRecord[]> {
  for await (const part of records) yield part.filter(({ line }) => line !== 1);
}

const jsonTypes = /^application\/(?:(?:x-)?ndjson|(?:x-)?jsonl(?:ines)?|json)$/;

function textFormat(contentType: string, sample: string): 'csv' | 'jsonl' | 'json' {
  const type = parseMediaType(contentType);
  const first = sample.trimStart()[0];
  const isJson =
    jsonTypes.test(type) ||
    (!/^text\/(?:csv|tab-separated-values)$/.test(type) && /^[[{]$/.test(first ?? ''));
  if (!isJson) return 'csv';
  return first === '[' && !isListOnLine(sample.trimStart()) ? 'json' : 'jsonl';
}

/** True when the first line is a whole list, and others follow it. */
function isListOnLine(sample: string): boolean {
  const end = sample.indexOf('\n');
  return (
    end !== -1 && sample.slice(0, end).trimEnd().endsWith(']') && /^[[{]/.test(sample.slice(end).trimStart())
  );
}

/** The encoding of a text: what is said, a byte order mark, UTF-8 when it is valid, else what its bytes look like. */
async function detectEncoding(
  path: string,
  head: Buffer,
  { encoding, contentType = '' }: ReadOptions,
): Promise<string> {
  const mark = detectMark(head);
  const said = encoding ?? parseCharset(contentType);
  const fault = said === undefined || /^utf-?8$/i.test(said) ? await notUtf8(path) : undefined;
  if (said === undefined || mark)
    return mark ?? (fault || head.includes(0) ? guessed(fault?.bytes ?? head) : 'utf-8');
  if (fault)
    throw refusedFile(
      fault.line,
      `has bytes that are not UTF-8 (byte ${fault.at} of the file); say encoding=windows-1252 or another`,
    );
  const decoder = await createDecoder(said);
  if (decoder) return decoder.name;
  throw Invalid.field(
    encoding === undefined ? 'Content-Type' : 'encoding',
    'names an encoding that is not known; utf-8, windows-1252, utf-16le and cp850 are',
    'encoding',
  );
}

async function guessed(bytes: Buffer): Promise<string> {
  return guessEncoding(bytes).catch((error: unknown) => {
    throw error instanceof DocumentError ? refusedFile(0, error.message) : error;
  });
}

/** Finds where a file is no UTF-8. Returns bytes from there too. */
async function notUtf8(path: string): Promise<{ line: number; at: number; bytes: Buffer } | undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let at = 0;
  let line = 1;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    try {
      decoder.decode(chunk, { stream: true });
    } catch {
      const wrong = firstWrong(chunk);
      return { line: line + breaksIn(chunk.subarray(0, wrong)), at: at + wrong, bytes: chunk };
    }
    line += breaksIn(chunk);
    at += chunk.length;
  }
  try {
    decoder.decode();
    return undefined;
  } catch {
    return { line, at, bytes: Buffer.from([0x80]) };
  }
}

/** The place of the first byte that no UTF-8 has there. A character that the chunk before began may precede it. */
function firstWrong(chunk: Buffer): number {
  let sound = 0;
  while (sound < 3 && ((chunk[sound] ?? 0) & 0xc0) === 0x80) sound++;
  const begin = sound;
  let wrong = chunk.length;
  while (wrong - sound > 1) {
    const middle = (sound + wrong) >> 1;
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(chunk.subarray(begin, middle), { stream: true });
      sound = middle;
    } catch {
      wrong = middle;
    }
  }
  return sound;
}

function breaksIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}

async function readFirst(parts: AsyncGenerator<string>): Promise<string> {
  for await (const part of parts) return part;
  return '';
}

async function* textOf(path: string, encoding: string): AsyncGenerator<string> {
  const decoder = await createDecoder(encoding);
  if (!decoder) throw new Error(`There is no decoder for ${encoding}.`);
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) yield decoder.decode(chunk);
    yield decoder.end();
  } catch (error) {
    if (Object(error).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    throw refusedFile(0, `the file has bytes that are not ${encoding}; say encoding=windows-1252 or another`);
  }
}
