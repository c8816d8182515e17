import { Equation, localName, toPower } from './equation.ts';
import { readMarkup } from './markup.ts';
import type { ParsedText } from './parsed-document.ts';
import { type TableCell, RowText } from './row-text.ts';
import { TextBuilder } from './text-builder.ts';

/** Elements without own content, or with the same content on every page of a site. */
const silent = new Set(
  'script style noscript template svg iframe object nav title select button textarea canvas audio video'.split(
    ' ',
  ),
);
const blocks = new Set(
  `address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form header hr
  main ol p pre section summary table ul caption`.split(/\s+/),
);
const headingTag = /^h([1-6])$/;

/** The readable text of a page: headings, paragraphs, lists and tables, without menus and scripts. */
export function parseHtml(html: string): ParsedText {
  const page = new HtmlPage();
  // In XHTML `<title/>` is complete. In HTML it would take the whole page.
  const recognizeSelfClosing =
    /^\s*<\?xml/.test(html) || html.lastIndexOf('http://www.w3.org/1999/xhtml', 2000) !== -1;
  readMarkup(html, page, { lowerCaseTags: true, recognizeSelfClosing });
  return { text: page.to.text, headings: page.to.headings, title: page.title };
}

class HtmlPage {
  readonly to = new TextBuilder();
  title = '';
  private isTitle = false;
  private silence = 0;
  private verbatim = 0;
  private equation: Equation | null = null;
  /** What the page says in place of an equation without content. */
  private alttext = '';
  /** True right behind an equation. */
  private isBehindEquation = false;
  /** The depth inside of a drawing that shows an equation once more. */
  private drawn = 0;
  /** The open element that raises or lowers its text. */
  private shift: 'sup' | 'sub' | null = null;
  /** The last character of the heading or the cell. */
  private tail = '';
  private heading: { level: number; title: string } | null = null;
  private readonly tables: { rows: RowText; cells: TableCell[]; open: boolean }[] = [];

  onopentag(name: string, attributes: Record<string, string>): void {
    if (this.equation) return this.equation.onopentag(name, attributes);
    if (this.drawn > 0 || (this.isBehindEquation && /\bkatex-html\b/.test(attributes['class'] ?? ''))) {
      this.drawn++;
      return;
    }
    if (localName(name) === 'math' && this.silence === 0) {
      if (attributes['display'] === 'block') this.edge();
      this.equation = new Equation();
      this.alttext = attributes['alttext'] ?? '';
      return;
    }
    if (name === 'sup' || name === 'sub') this.shift = name;
    // A drawing has titles too, which are not the title of the page.
    if (name === 'title') this.isTitle = this.silence === 0 && this.title === '';
    if (silent.has(name)) this.silence++;
    if (this.silence > 0) return;
    const level = headingTag.exec(name)?.[1];
    if (level) {
      this.heading = { level: Number(level), title: '' };
      this.tail = '';
    } else if (name === 'table') this.tables.push({ rows: new RowText(this.to), cells: [], open: false });
    else if (name === 'tr') this.endRow();
    else if (name === 'td' || name === 'th') this.openCell(name, attributes);
    if (name === 'br') this.ontext('\n', '\n');
    else if (name === 'li' && !this.isCell) this.to.line().addText('-').space();
    else if (blocks.has(name)) this.edge();
    if (name === 'pre') this.verbatim++;
  }

  ontext(given: string, asLineEnd?: string): void {
    if (this.equation) return this.equation.ontext(given);
    if (this.drawn > 0) return;
    if (this.isTitle) this.title += given;
    if (this.silence > 0) return;
    if (given.trim() !== '') this.isBehindEquation = false;
    const { table } = this;
    const cell = table?.open ? table.cells.at(-1) : undefined;
    const before = this.heading || cell ? this.tail : this.to.last;
    const text = this.shift ? toPower(before, given, this.shift === 'sup') : given;
    this.tail = text.slice(-1);
    if (this.heading) this.heading.title += text;
    else if (cell) cell.text += text;
    else if (asLineEnd) this.to.line();
    else if (this.verbatim > 0) this.to.verbatim(text);
    else this.to.flowing(text);
  }

  onclosetag(name: string): void {
    if (this.equation) return this.closeInEquation(this.equation);
    if (this.drawn > 0) {
      this.drawn--;
      return;
    }
    if (name === this.shift) this.shift = null;
    if (name === 'title') this.isTitle = false;
    if (silent.has(name)) this.silence = Math.max(0, this.silence - 1);
    if (this.silence > 0) return;
    if (headingTag.test(name)) this.endHeading();
    else if (name === 'tr') this.endRow();
    else if (/^t(head|body|foot)$/.test(name)) {
      this.endRow();
      this.table?.rows.endGroup();
    } else if (name === 'table') {
      this.endRow();
      this.tables.pop();
    } else if ((name === 'td' || name === 'th') && this.table) this.table.open = false;
    if (name === 'pre') this.verbatim = Math.max(0, this.verbatim - 1);
    if (name === 'li' && !this.isCell) this.to.line();
    else if (blocks.has(name)) this.edge();
  }

  private closeInEquation(equation: Equation): void {
    if (equation.isInside) return equation.onclosetag();
    this.equation = null;
    this.ontext(equation.text || this.alttext);
    this.isBehindEquation = true;
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

  private openCell(name: string, { colspan, rowspan }: Record<string, string>): void {
    if (!this.table) return;
    this.tail = '';
    // A cell with `rowspan="0"` reaches to the end of its group of rows.
    const rows = Number(rowspan) === 0 && rowspan?.trim() ? Infinity : parseSpan(rowspan);
    this.table.cells.push({ text: '', columns: parseSpan(colspan), rows, isName: name === 'th' });
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

function parseSpan(text: string | undefined): number {
  const span = Math.floor(Number(text));
  return span >= 1 ? span : 1;
}
