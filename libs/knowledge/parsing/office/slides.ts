import { Equation, toPower } from '../equation.ts';
import { readXml } from '../markup.ts';
import type { ParsedDocument } from '../parsed-document.ts';
import { RowText, type TableCell } from '../row-text.ts';
import { TextBuilder } from '../text-builder.ts';
import { eachTag } from './xml.ts';
import type { Zip } from './zip.ts';

/** The slides of a PowerPoint file in the order in which they are shown, each under its title. */
export async function parseSlides(
  zip: Zip,
): Promise<Pick<ParsedDocument, 'text' | 'headings'> & { pages: number }> {
  const to = new TextBuilder();
  const names = await listSlides(zip);
  for (const [at, name] of names.entries()) {
    const slide = new Slide(to, `Slide ${at + 1}`);
    readXml(await zip.text(name), slide);
    slide.finish();
  }
  return { text: to.text, headings: to.headings, pages: names.length };
}

/** The file that lists the slides names them by ids, which another file resolves. */
async function listSlides(zip: Zip): Promise<string[]> {
  const targets = new Map<string, string>();
  eachTag(await zip.text('ppt/_rels/presentation.xml.rels'), (name, { Id, Target }) => {
    if (name === 'Relationship' && Id && Target) targets.set(Id, `ppt/${Target.replace(/^\/ppt\//, '')}`);
  });
  const names: string[] = [];
  eachTag(await zip.text('ppt/presentation.xml'), (name, attributes) => {
    const target = targets.get(attributes['r:id'] ?? '');
    if (name === 'p:sldId' && target && zip.has(target)) names.push(target);
  });
  return names;
}

/** A slide. It has shapes, which have paragraphs, which have runs of text. */
class Slide {
  private title = '';
  /** The paragraphs and tables in their order. A table is a list of rows. */
  private readonly content: (string | TableCell[][])[] = [];
  private table: TableCell[][] | null = null;
  private cell: TableCell | null = null;
  private isTitle = false;
  private isRun = false;
  private equation: Equation | null = null;
  /** How far a run is raised, in thousandths of a percent. */
  private baseline = 0;
  private paragraph = '';
  /** The last character of the paragraph. */
  private tail = '';

  constructor(
    private readonly to: TextBuilder,
    private readonly name: string,
  ) {}

  onopentag(name: string, attributes: Record<string, string>): void {
    if (this.equation) return this.equation.onopentag(name, attributes);
    if (name === 'm:oMath') this.equation = new Equation();
    if (name === 'a:r') this.baseline = 0;
    if (name === 'a:rPr') this.baseline = Number(attributes['baseline']) || 0;
    const { type } = attributes;
    if (name === 'a:tbl') this.content.push((this.table = []));
    if (name === 'a:tr') this.table?.push([]);
    if (name === 'a:tc') this.openCell(attributes);
    if (name === 'p:sp') this.isTitle = false;
    if (name === 'p:ph' && /^(title|ctrTitle)$/.test(type ?? '')) this.isTitle = true;
    if (name === 'a:t') this.isRun = true;
    if (name === 'a:br' || name === 'a:tab') this.paragraph += ' ';
  }

  ontext(text: string): void {
    if (this.equation) return this.equation.ontext(text);
    if (!this.isRun) return;
    const said = this.baseline === 0 ? text : toPower(this.tail, text, this.baseline > 0);
    this.tail = said.slice(-1);
    this.paragraph += said;
  }

  onclosetag(name: string): void {
    if (name === 'm:oMath') {
      this.paragraph += this.equation?.text ?? '';
      this.equation = null;
    }
    if (this.equation) return this.equation.onclosetag();
    if (name === 'a:t') this.isRun = false;
    if (name === 'a:tbl') this.table = null;
    if (name === 'a:tc') this.cell = null;
    if (name !== 'a:p') return;
    const paragraph = this.paragraph.trim();
    this.paragraph = this.tail = '';
    if (this.cell) this.cell.text += ` ${paragraph}`;
    else if (this.isTitle) this.title = `${this.title} ${paragraph}`.trim();
    else if (paragraph !== '') this.content.push(paragraph);
  }

  /** Opens a cell of a table. A cell that another covers has no text. */
  private openCell({ gridSpan, rowSpan, hMerge, vMerge }: Record<string, string>): void {
    this.cell = { text: '', columns: Number(gridSpan ?? 1) || 1, rows: Number(rowSpan ?? 1) || 1 };
    const isCovered = [hMerge, vMerge].some((merge) => merge === '1' || merge === 'true');
    if (!isCovered) this.table?.at(-1)?.push(this.cell);
  }

  finish(): void {
    this.to.heading(1, this.title === '' ? this.name : this.title);
    for (const one of this.content) {
      if (typeof one === 'string') this.to.line().flowing(one).line();
      else {
        const rows = new RowText(this.to.block());
        for (const row of one) rows.row(row);
        this.to.block();
      }
    }
  }
}
