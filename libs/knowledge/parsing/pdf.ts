import { getDocumentProxy } from 'unpdf';
import { DocumentError, type ParsedDocument } from './parsed-document.ts';
import { TextBuilder } from './text-builder.ts';

const pagesMax = 5000;
const pagesKept = 20;
/** The minimum number of letters on an average page. A scanned page has at most a stamp or a page number as text. */
const lettersPerPageMin = 10;
const readableShareMin = 0.8;

/** The text layer of a PDF, page by page. There is no recognition of pictures of text. */
export async function parsePdf(
  bytes: Uint8Array,
): Promise<Pick<ParsedDocument, 'text' | 'headings'> & { pages: number }> {
  const pdf = await open(bytes);
  const pages = pdf.numPages;
  if (pages > pagesMax)
    throw new DocumentError('TOO_MANY_PAGES', `The file has ${pages} pages; at most ${pagesMax} are read.`);
  const to = new TextBuilder();
  try {
    for (let number = 1; number <= pages; number++) await readPage(pdf, number, to);
  } catch (error) {
    throw error instanceof DocumentError ? error : unreadable(error);
  } finally {
    await pdf.destroy();
  }
  const { text, headings } = to;
  refuseWithoutText(text, pages);
  return { text, headings, pages };
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

async function open(bytes: Uint8Array): Promise<Pdf> {
  try {
    // Fonts are needed only for drawing, and no code of a PDF may run.
    return await getDocumentProxy(bytes, { isEvalSupported: false, disableFontFace: true, verbosity: 0 });
  } catch (error) {
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    throw isLocked
      ? new DocumentError('ENCRYPTED', 'The file is protected by a password.')
      : unreadable(error);
  }
}

async function readPage(pdf: Pdf, number: number, to: TextBuilder): Promise<void> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  to.block();
  for (const item of items) {
    if (!('str' in item)) continue;
    to.addText(item.str);
    if (item.hasEOL) to.line();
  }
  page.cleanup();
  // Without `cleanup` the library keeps the decoded data of every page.
  if (number % pagesKept === 0) await pdf.cleanup();
}

/** Throws `DocumentError` without readable text. Scanned pages have no text, and some fonts do not map their signs to letters. */
function refuseWithoutText(text: string, pages: number): void {
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  const marks = text.match(/[\p{Co}\p{Cn}\p{Cc}\uFFFD]/gu)?.length ?? 0;
  const controls = text.match(/[\n\t]/g)?.length ?? 0;
  const isGarbled = letters < (letters + marks - controls) * readableShareMin;
  if (letters < pages * lettersPerPageMin || isGarbled)
    throw new DocumentError(
      'NO_TEXT',
      'The file has no text that can be read: its pages are pictures, or their letters are not named.',
    );
}

function unreadable(error: unknown): DocumentError {
  const why = error instanceof Error ? error.message : String(error);
  return new DocumentError('UNREADABLE', `The file is damaged or cut short: ${why}`);
}
