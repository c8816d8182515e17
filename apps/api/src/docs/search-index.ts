import MiniSearch from 'minisearch';
import { home } from './contents.ts';
import { toPagePath, type MarkdownPage, toSlug } from './markdown-page.ts';

/** One section of a page, the unit of a search. */
interface PageSection {
  /** Its path and fragment. */
  id: string;
  page: string;
  section: string;
  text: string;
}

const heading = /^##+ (.+)$/;
const marks = /[`*_|[\]()#>]/g;

/** The index of all pages as JSON, for the script of the pages. `sources` is their Markdown by name. */
export function buildSearchIndex(pages: MarkdownPage[], sources: ReadonlyMap<string, string>): string {
  const index = new MiniSearch<PageSection>({
    fields: ['page', 'section', 'text'],
    storeFields: ['page', 'section'],
  });
  index.addAll(pages.flatMap((page) => parseSections(page, sources.get(page.name) ?? '')));
  return JSON.stringify(index);
}

function parseSections({ name, title }: MarkdownPage, source: string): PageSection[] {
  const address = name === home ? '/docs' : toPagePath(name);
  const sections = new Map<string, PageSection>();
  let current: PageSection = { id: address, page: title, section: '', text: '' };
  for (const line of source.split('\n')) {
    const [, headingText] = heading.exec(line) ?? [];
    if (headingText) {
      const section = headingText.replaceAll(marks, '');
      current = { id: `${address}#${toSlug(section)}`, page: title, section, text: '' };
    } else current.text += `${line.replaceAll(marks, ' ')} `;
    sections.set(current.id, current);
  }
  return [...sections.values()];
}
