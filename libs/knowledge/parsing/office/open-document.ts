import { Equation, localName, toPower } from '../equation.ts';
import { readXml } from '../markup.ts';
import type { ParsedText } from '../parsed-document.ts';
import { type TableCell, RowText } from '../row-text.ts';
import { TextBuilder } from '../text-builder.ts';
import { eachTag } from './xml.ts';
import type { Zip } from './zip.ts';

/** Parts of the text that are not read: comments, and deletions of recorded changes. */
const silent = new Set([
  'office:annotation',
  'text:tracked-changes',
  'office:forms',
  'svg:title',
  'svg:desc',
]);

/** The text of a document or a presentation of LibreOffice: headings, paragraphs, lists and tables. */
export async function parseOpenDocument(zip: Zip): Promise<ParsedText> {
  const equations = new Map<string, string>();
  const parts = zip.names.filter((name) => name.endsWith('/content.xml'));
  for (const name of parts) {
    const xml = await zip.text(name);
    if (/^(?:<\?[^>]*>|<!DOCTYPE[^>]*>|\s)*<(?:\w+:)?math[\s>]/.test(xml))
      equations.set(name.slice(0, -12), readEquation(xml));
  }
  const content = parseContent(await zip.text('content.xml'), equations);
  return { ...content, title: readTitle(await zip.text('meta.xml')) };
}

/** The text of the content of a document, or of a document that is one XML file. */
export function parseContent(xml: string, equations?: ReadonlyMap<string, string>): ParsedText {
  const content = new DocumentContent(equations);
  readXml(xml, content);
  return { text: content.to.text, headings: content.to.headings };
}

function readEquation(xml: string): string {
  const equation = new Equation();
  readXml(xml, equation);
  return equation.text;
}

/** The title in the properties of a document. */
export function readTitle(xml: string): string {
  let title = '';
  eachTag(xml, (name, _, text) => {
    if (name === 'dc:title') title = text;
  });
  return title;
}

class DocumentContent {
  readonly to = new TextBuilder();
  private silence = 0;
  /** The open paragraphs. There may be several, because a note stands inside of a paragraph. */
  private readonly open: { text: string; level: number; tail?: string }[] = [];
  private readonly tables: { rows: RowText; cells: TableCell[]; isHeader: boolean }[] = [];
  private isItem = false;
  private pages = 0;
  private equation: Equation | null = null;
  private style = '';
  /** The styles that raise (true) or lower their text. */
  private readonly raising = new Map<string, boolean>();
  private readonly spans: (boolean | undefined)[] = [];

  /** The equations of a document are objects beside its text, by their paths. */
  constructor(private readonly equations: ReadonlyMap<string, string> = new Map()) {}

  onopentag(name: string, attributes: Record<string, string>): void {
    if (this.equation) return this.equation.onopentag(name, attributes);
    if (silent.has(name)) this.silence++;
    if (this.silence > 0) return;
    if (name === 'text:h') this.open.push({ text: '', level: parseLevel(attributes['text:outline-level']) });
    else if (name === 'text:p') this.open.push({ text: '', level: 0 });
    else if (name === 'text:list-item') this.isItem = true;
    else if (name === 'table:table')
      this.tables.push({ rows: new RowText(this.to.block()), cells: [], isHeader: false });
    else if (name === 'table:table-cell') this.openCell(attributes);
    else if (name === 'table:table-header-rows' && this.tables.at(-1)) this.setHeader(true);
    else if (name === 'draw:page') this.to.heading(1, attributes['draw:name'] ?? `Slide ${++this.pages}`);
    else if (name === 'text:span') this.spans.push(this.raising.get(attributes['text:style-name'] ?? ''));
    else if (name === 'style:style') this.style = attributes['style:name'] ?? '';
    else if (name === 'style:text-properties') this.takeStyle(attributes['style:text-position'] ?? '');
    else if (name === 'draw:object')
      this.ontext(this.equations.get(attributes['xlink:href']?.replace(/^\.\//, '') ?? '') ?? '');
    else if (localName(name) === 'math') this.equation = new Equation();
    else if (/^text:(s|tab|line-break)$/.test(name)) this.ontext(' ');
  }

  ontext(text: string): void {
    const last = this.open.at(-1);
    if (this.equation) return this.equation.ontext(text);
    if (this.silence > 0 || !last) return;
    const isRaised = this.spans.findLast((one) => one !== undefined);
    const said = isRaised === undefined ? text : toPower(last.tail ?? '', text, isRaised);
    last.tail = said.slice(-1);
    last.text += said;
  }

  onclosetag(name: string): void {
    if (this.equation) {
      const { equation } = this;
      if (equation.isInside) return equation.onclosetag();
      this.equation = null;
      return this.ontext(equation.text);
    }
    if (silent.has(name)) this.silence--;
    if (this.silence > 0) return;
    if (name === 'text:h' || name === 'text:p') this.endParagraph();
    else if (name === 'text:span') this.spans.pop();
    else if (name === 'text:list-item') this.isItem = false;
    else if (name === 'table:table-row') this.endRow();
    else if (name === 'table:table-header-rows') this.setHeader(false);
    else if (name === 'table:table') this.tables.pop();
  }

  private endParagraph(): void {
    const { text = '', level = 0 } = this.open.pop() ?? {};
    const outer = this.open.at(-1);
    const table = this.tables.at(-1);
    if (outer) outer.text += ` ${text} `;
    else if (table) {
      const cell = table.cells.at(-1);
      if (cell) cell.text += ` ${text}`;
    } else if (level > 0) this.to.heading(level, text);
    else if (this.isItem) this.to.line().addText('-').space().flowing(text).line();
    else this.to.block().flowing(text).block();
  }

  private takeStyle(position: string): void {
    const shift = /^(super|sub|-?\d)/.exec(position)?.[1];
    if (shift && !position.startsWith('0')) this.raising.set(this.style, !/^(sub|-)/.test(shift));
  }

  private openCell(attributes: Record<string, string>): void {
    const span = (name: string) => Math.max(1, Number(attributes[`table:number-${name}`]) || 1);
    const table = this.tables.at(-1);
    // Cells that another covers are elements with another name.
    table?.cells.push({
      text: '',
      columns: span('columns-spanned') * span('columns-repeated'),
      rows: span('rows-spanned'),
      isName: table.isHeader,
    });
  }

  private setHeader(isHeader: boolean): void {
    const table = this.tables.at(-1);
    if (table) table.isHeader = isHeader;
  }

  private endRow(): void {
    const table = this.tables.at(-1);
    if (table) table.rows.row(table.cells.splice(0));
  }
}

function parseLevel(text: string | undefined): number {
  const level = Number(text);
  return Number.isInteger(level) && level > 0 ? Math.min(level, 10) : 1;
}
