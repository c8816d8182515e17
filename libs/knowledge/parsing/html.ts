import { Parser } from 'htmlparser2';
import { DocumentError, type ParsedDocument } from './parsed-document.ts';
import { RowText } from './row-text.ts';
import { TextBuilder } from './text-builder.ts';

/** Elements without own content, or with the same content on every page of a site. */
const silent = new Set(
  'script style noscript template svg math iframe object nav title select button textarea canvas audio video'.split(
    ' ',
  ),
);
const blocks = new Set(
  `address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form header hr
  main ol p pre section summary table ul caption`.split(/\s+/),
);
const headingTag = /^h([1-6])$/;

/** The readable text of a page: headings, paragraphs, lists and tables, without menus and scripts. */
export function parseHtml(html: string): Pick<ParsedDocument, 'text' | 'headings'> {
  const page = new Page();
  const parser = new Parser(page, { decodeEntities: true, lowerCaseTags: true });
  // Parses in pieces, because a single event for a text of a hundred megabytes would copy it.
  for (let at = 0; at < html.length; at += pieceLength) parser.write(html.slice(at, at + pieceLength));
  parser.end();
  return { text: page.to.text, headings: page.to.headings };
}

const pieceLength = 65_536;
/** The maximum depth. The parser searches the open elements at each tag, so a page of unclosed tags would take minutes. */
const depthMax = 5000;

class Page {
  readonly to = new TextBuilder();
  private depth = 0;
  private silence = 0;
  private verbatim = 0;
  private heading: { level: number; title: string } | null = null;
  private readonly tables: { rows: RowText; cells: string[]; open: boolean }[] = [];

  onopentag(name: string): void {
    if (++this.depth > depthMax)
      throw new DocumentError('UNREADABLE', `The page is nested more than ${depthMax} deep.`);
    if (silent.has(name)) this.silence++;
    if (this.silence > 0) return;
    const level = headingTag.exec(name)?.[1];
    if (level) this.heading = { level: Number(level), title: '' };
    else if (name === 'table') this.tables.push({ rows: new RowText(this.to), cells: [], open: false });
    else if (name === 'tr') this.endRow();
    else if (name === 'td' || name === 'th') this.openCell();
    if (name === 'br') this.ontext('\n', '\n');
    else if (name === 'li' && !this.isCell) this.to.line().addText('-').space();
    else if (blocks.has(name)) this.edge();
    if (name === 'pre') this.verbatim++;
  }

  ontext(text: string, asLineEnd?: string): void {
    if (this.silence > 0) return;
    const { table } = this;
    if (this.heading) this.heading.title += text;
    else if (table?.open) table.cells.push((table.cells.pop() ?? '') + text);
    else if (asLineEnd) this.to.line();
    else if (this.verbatim > 0) this.to.verbatim(text);
    else this.to.flowing(text);
  }

  onclosetag(name: string): void {
    this.depth--;
    if (silent.has(name)) this.silence = Math.max(0, this.silence - 1);
    if (this.silence > 0) return;
    if (headingTag.test(name)) this.endHeading();
    else if (name === 'tr') this.endRow();
    else if (name === 'table') {
      this.endRow();
      this.tables.pop();
    } else if ((name === 'td' || name === 'th') && this.table) this.table.open = false;
    if (name === 'pre') this.verbatim = Math.max(0, this.verbatim - 1);
    if (name === 'li' && !this.isCell) this.to.line();
    else if (blocks.has(name)) this.edge();
  }

  private get table() {
    return this.tables.at(-1);
  }

  private get isCell(): boolean {
    return this.table?.open ?? false;
  }

  /** The edge of a block. Inside of a cell or a heading it is only a space. */
  private edge(): void {
    if (this.isCell || this.heading) this.ontext(' ');
    else this.to.block();
  }

  private openCell(): void {
    if (!this.table) return;
    this.table.cells.push('');
    this.table.open = true;
  }

  private endRow(): void {
    const { table } = this;
    if (!table) return;
    table.open = false;
    if (table.cells.length > 0) table.rows.row(table.cells.splice(0));
  }

  private endHeading(): void {
    const { heading } = this;
    this.heading = null;
    if (!heading) return;
    if (this.isCell) this.ontext(heading.title);
    else this.to.heading(heading.level, heading.title);
  }
}
