import { readFile } from 'node:fs/promises';
import { screenText } from '#libs/platform/text/whole-text';
import { decode } from './encoding.ts';
import { parseJson } from './json.ts';
import { compoundError, containerOf, mediaTypes, officeKindOf, textKindOf, type TextKind } from './kinds.ts';
import { markdownHeadings } from './markdown.ts';
import { DocumentError, type ParsedDocument } from './parsed-document.ts';
import { textLengthMax } from './text-builder.ts';

export interface DocumentFile {
  path: string;
  filename: string;
  mimeType?: string;
}

/**
 * Reads the file in the current thread, which may take minutes. Other code calls `parseFile` instead. It loads a library only for a file
 * that needs it: each file has its own thread, and loading all libraries takes longer than reading a short text. Throws `DocumentError`.
 */
export async function parseHere(file: DocumentFile): Promise<ParsedDocument> {
  const parsed = storable(await parse(file));
  if (parsed.text.trim() === '') throw new DocumentError('EMPTY', 'The file holds no text.');
  if (parsed.text.length > textLengthMax)
    throw new DocumentError('TOO_LARGE', `The document has more than ${textLengthMax} characters of text.`);
  return parsed;
}

async function parse(file: DocumentFile): Promise<ParsedDocument> {
  const bytes = await readFile(file.path);
  const container = containerOf(bytes);
  if (container === 'zip') return parseOffice(file.path, bytes);
  if (container === 'compound') throw compoundError(bytes);
  if (container === 'bytes') return parseText(await decode(bytes), file);
  const { parsePdf } = await import('./pdf.ts');
  return { ...(await parsePdf(new Uint8Array(bytes))), mediaType: mediaTypes.pdf };
}

async function parseText(text: string, { filename, mimeType }: DocumentFile): Promise<ParsedDocument> {
  const kind = textKindOf(text, filename, mimeType);
  const plain = { text, headings: [], mediaType: mediaTypes.plain };
  const readers: Record<TextKind, () => Promise<ParsedDocument> | ParsedDocument> = {
    plain: () => plain,
    markdown: () => ({ text, headings: markdownHeadings(text), mediaType: mediaTypes.markdown }),
    html: async () => {
      const { parseHtml } = await import('./html.ts');
      return { ...parseHtml(text), mediaType: mediaTypes.html };
    },
    csv: async () => {
      const { parseCsv } = await import('./csv.ts');
      return { ...(await parseCsv(text)), mediaType: mediaTypes.csv };
    },
    json: () => {
      const json = parseJson(text);
      return json === null ? plain : { text: json, headings: [], mediaType: mediaTypes.json };
    },
  };
  return readers[kind]();
}

async function parseOffice(path: string, bytes: Buffer): Promise<ParsedDocument> {
  const { Zip } = await import('./zip.ts');
  const zip = await Zip.open(path);
  try {
    await zip.refuseBombs();
    const kind = await officeKindOf(zip);
    const mediaType = mediaTypes[kind];
    if (kind === 'slides') {
      const { parseSlides } = await import('./slides.ts');
      return { ...(await parseSlides(zip)), mediaType };
    }
    if (kind === 'openDocument') {
      const { parseOpenDocument } = await import('./open-document.ts');
      return { ...(await parseOpenDocument(zip)), mediaType };
    }
    const parsed = kind === 'word' ? await wordOf(bytes) : await sheetsOf(bytes);
    return { ...parsed, mediaType };
  } finally {
    zip.close();
  }
}

async function wordOf(bytes: Buffer) {
  const { parseWord } = await import('./word.ts');
  return readable(() => parseWord(bytes));
}

async function sheetsOf(bytes: Buffer) {
  const { parseSpreadsheet } = await import('./spreadsheet.ts');
  return readable(async () => parseSpreadsheet(bytes));
}

/** Runs a library. Throws `DocumentError` in place of the many kinds of errors that libraries throw for unreadable files. */
async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new DocumentError('UNREADABLE', `The file is damaged: ${why}`);
  }
}

/** Replaces characters that Postgres or UTF-8 cannot store: NUL and half surrogates. Each becomes a single character, so offsets stay valid. */
function storable(parsed: ParsedDocument): ParsedDocument {
  const clean = (text: string) => screenText(text.replaceAll('\0', ' '));
  const headings = parsed.headings.map((heading) => ({ ...heading, title: clean(heading.title) }));
  return { ...parsed, text: clean(parsed.text), headings };
}
