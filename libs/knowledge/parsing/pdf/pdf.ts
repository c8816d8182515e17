import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import { DocumentError, type ParsedText } from '../parsed-document.ts';
import { type PdfField, placeValues } from './pdf-fields.ts';
import { programPath } from '../reading.ts';
import { TextBuilder } from '../text-builder.ts';

const pagesMax = 5000;
const pagesKept = 20;
/** The minimum number of letters of a page of text. A scanned page has at most a stamp or a page number as text. */
const lettersMin = 10;
/** The number of pages with fewer letters that are looked at for pictures. Every further one counts as a picture. */
const looksMax = 20;
/** A larger picture is not decoded. */
const maxImageSize = 64_000_000;
const readableShareMin = 0.9;

/**
 * The text layer of a PDF, page by page, with the values of its forms. There is no recognition of pictures of text: pages without text are
 * named in a warning, and a file of nothing else is refused.
 */
export async function parsePdf(bytes: Uint8Array): Promise<ParsedText & { pages: number }> {
  const pdf = await open(bytes);
  const pages = pdf.numPages;
  if (pages > pagesMax)
    throw new DocumentError('TOO_MANY_PAGES', `The file has ${pages} pages; at most ${pagesMax} are read.`);
  const to = new TextBuilder();
  const without: number[] = [];
  let title = '';
  let damage: unknown;
  try {
    for (let number = 1; number <= pages; number++) {
      const text = await textOfPage(pdf, number, without.length < looksMax).catch((error: unknown) => {
        damage ??= error;
        return null;
      });
      if (text === null) without.push(number);
      else to.insert({ text, headings: [] });
      // Without `cleanup` the library keeps the decoded data of every page.
      if (number % pagesKept === 0) await pdf.cleanup();
    }
    title = String(Object((await pdf.getMetadata()).info)['Title'] ?? '');
  } catch (error) {
    throw error instanceof DocumentError ? error : unreadable(error);
  } finally {
    await pdf.loadingTask.destroy();
  }
  if (without.length === pages && damage) throw damage instanceof DocumentError ? damage : unreadable(damage);
  if (without.length === pages)
    throw new DocumentError(
      'NO_TEXT',
      'The file has no text that can be read: its pages are pictures, or their letters are not named. A program for text recognition (OCR) adds the text.',
    );
  const { text, headings } = to;
  return { text, headings, pages, title, pagesWithoutText: without };
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

async function open(bytes: Uint8Array): Promise<Pdf> {
  try {
    return await getDocumentProxy(bytes, {
      // Fonts are needed only for drawing.
      disableFontFace: true,
      verbosity: 0,
      maxImageSize,
      enableXfa: true,
      // The maps of characters of Asian fonts are files, see `apps/local/run/build.mjs`.
      cMapUrl: 'cmaps/',
      cMapPacked: true,
      standardFontDataUrl: 'standard_fonts/',
      useWorkerFetch: false,
      BinaryDataFactory: FontFiles,
    });
  } catch (error) {
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    throw isLocked
      ? new DocumentError('ENCRYPTED', 'The file is protected by a password.')
      : unreadable(error);
  }
}

const fontFolder = new URL('fonts/', `file://${programPath('pdf.js')}`);

/** Gives the library the files that it needs to read fonts which are not in the PDF. */
class FontFiles {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const folder = kind === 'cMapUrl' ? 'cmaps' : 'standard_fonts';
    // The name comes from the PDF.
    if (!/^[\w-]+(\.\w+)?$/.test(filename)) throw new Error(`There is no font file ${filename}.`);
    return new Uint8Array(await readFile(fileURLToPath(new URL(`${folder}/${filename}`, fontFolder))));
  }
}

/** The text of a page with the values of its form; null for a page without text that can be read. */
async function textOfPage(pdf: Pdf, number: number, mayLook: boolean): Promise<string | null> {
  const page = await pdf.getPage(number);
  try {
    const { items } = await page.getTextContent();
    const texts = items.flatMap((item) => ('str' in item ? [item] : []));
    const starts = texts.map(({ transform: [, , , , x, y] }) => ({ x: Number(x), y: Number(y) }));
    const values = placeValues((await page.getAnnotations()) as PdfField[], starts);
    const to = new TextBuilder();
    for (const [at, { str, hasEOL }] of texts.entries()) {
      to.addText(values.before.get(at) ?? '')
        .addText(str)
        .addText(values.after.get(at) ?? '');
      if (hasEOL) to.line();
    }
    for (const value of values.rest) to.line().addText(value).line();
    const { text } = to;
    const letters = lettersIn(text);
    // Fonts that do not map their signs to letters give control characters and private ones.
    const marks = text.match(/(?![\n\t])[\p{Co}\p{Cn}\p{Cc}\uFFFD]/gu)?.length ?? 0;
    if (letters === 0 || letters < (letters + marks) * readableShareMin) return null;
    return letters < lettersMin && (!mayLook || (await hasPicture(page))) ? null : text;
  } finally {
    page.cleanup();
  }
}

/** The number of letters and digits. A sign of a script that writes syllables or words counts as three. */
function lettersIn(text: string): number {
  const signs = text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu)?.length ?? 0;
  return (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) + signs * 2;
}

async function hasPicture(page: Awaited<ReturnType<Pdf['getPage']>>): Promise<boolean> {
  const { OPS } = await getResolvedPDFJS();
  const { fnArray } = await page.getOperatorList();
  const pictures = Object.entries(OPS).flatMap(([name, code]) =>
    /^paint(Inline|Solid)?Image/.test(name) ? [code] : [],
  );
  return fnArray.some((code) => pictures.includes(code));
}

function unreadable(error: unknown): DocumentError {
  const why = error instanceof Error ? error.message : String(error);
  return new DocumentError('UNREADABLE', `The file is damaged or cut short: ${why}`);
}
