import { readFile } from 'node:fs/promises';
import { detectMark } from '#libs/platform/text/foreign-text';
import { spacedText, visibleText } from '#libs/platform/text/invisible';
import { screenText } from '#libs/platform/text/whole-text';
import { measureText } from './confidence.ts';
import { decode, declaredLabel } from './encoding.ts';
import { parseJson } from './json.ts';
import {
  detectCodedKind,
  type CodedKind,
  detectContainer,
  mediaTypes,
  detectOfficeKind,
  requireOldSheet,
  detectTextKind,
  type TextKind,
} from './kinds.ts';
import type { Zip } from './office/zip.ts';
import { parseMarkdown } from './markdown.ts';
import { DocumentError, type ParsedDocument, type ParsedText } from './parsed-document.ts';
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
  const read = underTitle(storable(await parse(file)));
  const parsed = { ...read, ...measureText(read) };
  if (parsed.text.trim() === '') throw new DocumentError('EMPTY', 'The file holds no text.');
  if (parsed.text.length > textLengthMax)
    throw new DocumentError('TOO_LARGE', `The document has more than ${textLengthMax} characters of text.`);
  return parsed;
}

type TypedText = ParsedText & { mediaType: string };

async function parse(file: DocumentFile): Promise<TypedText> {
  const bytes = await readFile(file.path);
  const container = detectContainer(bytes);
  if (container === 'zip') return parseOffice(file.path, bytes);
  if (container === 'compound') {
    requireOldSheet(bytes);
    return { ...(await readSheets(bytes)), mediaType: mediaTypes.oldSheet };
  }
  if (container === 'bytes') {
    const kind = detectCodedKind(bytes, file.filename, file.mimeType);
    if (kind)
      return { ...(await readable(() => parseCoded(kind, withoutMark(bytes)))), mediaType: mediaTypes[kind] };
    const charset = /;\s*charset\s*=\s*["']?([^\s"';,]+)/i.exec(file.mimeType ?? '')?.[1];
    return parseText(await decode(bytes, charset, await declaredLabel(bytes)), file);
  }
  const { parsePdf } = await import('./pdf/pdf.ts');
  return { ...(await parsePdf(new Uint8Array(bytes))), mediaType: mediaTypes.pdf };
}

/** The bytes after a byte order mark of UTF-8. The marks of other encodings stay. */
function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(detectMark(bytes) === 'utf-8' ? 3 : 0);
}

async function parseCoded(kind: CodedKind, bytes: Buffer): Promise<ParsedText> {
  const readers: Record<CodedKind, () => Promise<ParsedText>> = {
    richText: async () => (await import('./rtf.ts')).parseRtf(bytes),
    mail: async () => (await import('./mail.ts')).parseMail(bytes),
    mailbox: async () => (await import('./mail.ts')).parseMailbox(bytes),
    webArchive: async () => (await import('./mail.ts')).parseWebArchive(bytes),
    flatSheet: async () => (await import('./office/spreadsheet.ts')).parseSpreadsheet(bytes),
    flatDocument: async () =>
      (await import('./office/open-document.ts')).parseContent(
        await decode(bytes, await declaredLabel(bytes)),
      ),
  };
  return readers[kind]();
}

async function parseText(text: string, { filename, mimeType }: DocumentFile): Promise<TypedText> {
  const kind = detectTextKind(text, filename, mimeType);
  const plain = { text, headings: [], mediaType: mediaTypes.plain };
  const readers: Record<TextKind, () => Promise<TypedText> | TypedText> = {
    plain: () => plain,
    markdown: () => ({ ...parseMarkdown(text), mediaType: mediaTypes.markdown }),
    html: async () => {
      const { parseHtml } = await import('./html.ts');
      return { ...parseHtml(text), mediaType: mediaTypes.html };
    },
    csv: async () => {
      const { parseCsv } = await import('./csv.ts');
      return { ...(await parseCsv(text)), mediaType: mediaTypes.csv };
    },
    json: async () => {
      const notebook = text.includes('"nbformat"') && (await import('./notebook.ts')).parseNotebook(text);
      if (notebook) return { ...notebook, mediaType: mediaTypes.notebook };
      const json = parseJson(text);
      return json === null ? plain : { text: json, headings: [], mediaType: mediaTypes.json };
    },
  };
  return readers[kind]();
}

async function parseOffice(path: string, bytes: Buffer): Promise<TypedText> {
  const { Zip: Archive } = await import('./office/zip.ts');
  const zip = await Archive.open(path);
  try {
    await zip.refuseBombs();
    const kind = await detectOfficeKind(zip);
    const mediaType = mediaTypes[kind];
    if (kind === 'book') {
      const { parseEpub } = await import('./office/epub.ts');
      return { ...(await readable(() => parseEpub(zip))), mediaType };
    }
    if (kind === 'slides') {
      const { parseSlides } = await import('./office/slides.ts');
      return { ...(await parseSlides(zip)), mediaType };
    }
    if (kind === 'openDocument') {
      const { parseOpenDocument } = await import('./office/open-document.ts');
      return { ...(await parseOpenDocument(zip)), mediaType };
    }
    if (kind === 'spreadsheet') return { ...(await readSheets(bytes)), mediaType };
    const { readTitle: titleOf } = await import('./office/open-document.ts');
    return { ...(await readWord(zip)), title: titleOf(await zip.text('docProps/core.xml')), mediaType };
  } finally {
    zip.close();
  }
}

async function readWord(zip: Zip) {
  const { parseWord } = await import('./office/word.ts');
  return readable(() => parseWord(zip));
}

async function readSheets(bytes: Buffer) {
  const { parseSpreadsheet } = await import('./office/spreadsheet.ts');
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

/** Programs write the name of a file, or their own, in place of a title. */
const namesOfPrograms =
  /\.\w{2,5}$|^(microsoft \w+ - |untitled|unnamed|document ?\d*$|slide ?\d*$|powerpoint|dokument ?\d*$|book ?\d*$)/i;

/** Puts the title of a document above its text, unless the text begins with it. So a page is found by its title too. */
function underTitle({ title = '', ...parsed }: TypedText): TypedText {
  const name = spacedText(title).trim();
  const { text, headings } = parsed;
  const [first] = headings;
  if (
    !/^[^(<[{].*$/u.test(name) ||
    !/\p{L}/u.test(name) ||
    namesOfPrograms.test(name) ||
    text.trim() === '' ||
    text.trimStart().startsWith(name) ||
    (first?.title === name && text.slice(0, first.at).trim() === '')
  )
    return parsed;
  const moved = headings.map((heading) => ({ ...heading, at: heading.at + name.length + 2 }));
  return { ...parsed, text: `${name}\n\n${text}`, headings: [{ at: 0, level: 0, title: name }, ...moved] };
}

/** Leaves out invisible characters, and replaces what Postgres or UTF-8 cannot store: NUL and half surrogates. The headings move along. */
function storable({ text, title = '', ...parsed }: TypedText): TypedText {
  const clean = (part: string) => visibleText(screenText(part.replaceAll('\0', ' ')));
  let [from, length] = [0, 0];
  const parts: string[] = [];
  const take = (to: number) => {
    const part = clean(text.slice(from, to));
    parts.push(part);
    from = to;
    return (length += part.length);
  };
  const headings = parsed.headings.map((heading) => ({
    ...heading,
    at: take(heading.at),
    title: clean(heading.title),
  }));
  take(text.length);
  return { ...parsed, text: parts.join(''), headings, title: clean(title) };
}
