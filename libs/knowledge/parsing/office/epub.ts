import { parseHtml } from '../html.ts';
import { DocumentError, type ParsedText } from '../parsed-document.ts';
import { TextBuilder } from '../text-builder.ts';
import { eachTag } from './xml.ts';
import type { Zip } from './zip.ts';

/** Fonts may be scrambled in a book that is not locked. */
const ofFonts = /idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC/;

/** The chapters of a book in the order in which they are read. */
export async function parseEpub(zip: Zip): Promise<ParsedText> {
  await refuseLocked(zip);
  let packagePath = '';
  eachTag(await zip.text('META-INF/container.xml'), (name, attributes) => {
    if (/(^|:)rootfile$/.test(name)) packagePath ||= attributes['full-path'] ?? '';
  });
  const { title, chapters } = parseContents(await zip.text(packagePath), packagePath);
  const to = new TextBuilder();
  for (const path of chapters) {
    to.insert(parseHtml(await zip.text(path)));
  }
  if (chapters.length === 0)
    throw new DocumentError('UNREADABLE', 'The book is damaged: it has no list of its chapters.');
  return { text: to.text, headings: to.headings, title };
}

async function refuseLocked(zip: Zip): Promise<void> {
  const methods: string[] = [];
  eachTag(await zip.text('META-INF/encryption.xml'), (name, { Algorithm = '' }) => {
    if (/(^|:)EncryptionMethod$/.test(name)) methods.push(Algorithm);
  });
  if (methods.some((method) => !ofFonts.test(method)))
    throw new DocumentError(
      'ENCRYPTED',
      'The book is locked by its shop; a copy without a lock can be read.',
    );
}

/** The title and the paths of the chapters that a package file lists. */
function parseContents(xml: string, packagePath: string): { title: string; chapters: string[] } {
  const items = new Map<string, string>();
  const chapters: string[] = [];
  let title = '';
  eachTag(xml, (name, { id = '', href = '', idref = '', properties = '', 'media-type': type = '' }, text) => {
    const local = name.replace(/^.*:/, '');
    if (local === 'title') title ||= text;
    // The list of contents repeats the titles of all chapters.
    if (local === 'item' && /html/.test(type) && !properties.split(/\s+/).includes('nav'))
      items.set(id, pathFrom(packagePath, href));
    const path = local === 'itemref' ? items.get(idref) : undefined;
    if (path !== undefined) chapters.push(path);
  });
  return { title, chapters };
}

/** The path in the archive of a link in the file at `from`. */
function pathFrom(from: string, link: string): string {
  const { pathname } = new URL(link, `zip:///${from.split('/').map(encodeURIComponent).join('/')}`);
  try {
    return decodeURIComponent(pathname.slice(1));
  } catch {
    return pathname.slice(1);
  }
}
