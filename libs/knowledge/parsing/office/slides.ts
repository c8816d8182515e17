import { Parser } from 'htmlparser2';
import type { ParsedDocument } from '../parsed-document.ts';
import { TextBuilder } from '../text-builder.ts';
import { eachTag } from './xml.ts';
import type { Zip } from './zip.ts';

/** The slides of a PowerPoint file in the order in which they are shown, each under its title. */
export async function parseSlides(
  zip: Zip,
): Promise<Pick<ParsedDocument, 'text' | 'headings'> & { pages: number }> {
  const to = new TextBuilder();
  const names = await slidesOf(zip);
  for (const [at, name] of names.entries()) {
    const slide = new Slide(to, `Slide ${at + 1}`);
    const parser = new Parser(slide, { xmlMode: true, decodeEntities: true });
    parser.end(await zip.text(name));
    slide.finish();
  }
  return { text: to.text, headings: to.headings, pages: names.length };
}

/** The file that lists the slides names them by ids, which another file resolves. */
async function slidesOf(zip: Zip): Promise<string[]> {
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
  private readonly paragraphs: string[] = [];
  private isTitle = false;
  private isRun = false;
  private paragraph = '';

  constructor(
    private readonly to: TextBuilder,
    private readonly name: string,
  ) {}

  onopentag(name: string, { type }: Record<string, string>): void {
    if (name === 'p:sp') this.isTitle = false;
    if (name === 'p:ph' && /^(title|ctrTitle)$/.test(type ?? '')) this.isTitle = true;
    if (name === 'a:t') this.isRun = true;
    if (name === 'a:br' || name === 'a:tab') this.paragraph += ' ';
  }

  ontext(text: string): void {
    if (this.isRun) this.paragraph += text;
  }

  onclosetag(name: string): void {
    if (name === 'a:t') this.isRun = false;
    if (name !== 'a:p') return;
    const paragraph = this.paragraph.trim();
    this.paragraph = '';
    if (this.isTitle) this.title = `${this.title} ${paragraph}`.trim();
    else if (paragraph !== '') this.paragraphs.push(paragraph);
  }

  finish(): void {
    this.to.heading(1, this.title === '' ? this.name : this.title);
    for (const paragraph of this.paragraphs) this.to.line().flowing(paragraph).line();
  }
}
