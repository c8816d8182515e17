import { spacedText } from '#libs/platform/text/invisible';
import { DocumentError, type Heading } from './parsed-document.ts';

/** The maximum number of characters of a document. */
export const textLengthMax = 50_000_000;

const gaps = ['', ' ', '\n', '\n\n'] as const;
type Gap = (typeof gaps)[number];

/** Builds a text from runs, lines and blocks, and notes where its headings begin. */
export class TextBuilder {
  readonly headings: Heading[] = [];
  private readonly parts: string[] = [];
  private length = 0;
  /** White space between the last run and the next. It is written only when something follows. */
  private gap: Gap = '';

  /** Adds characters as they are, except the white space around them. */
  addText(given: string): this {
    const text = given.replaceAll('\uFEFF', '');
    if (text.trim() === '') return text === '' ? this : this.space();
    if (/^\s/.test(text)) this.space();
    const isOpen = /\s$/.test(text);
    this.write(text.trim());
    return isOpen ? this.space() : this;
  }

  /** Adds characters as they are, with their white space. */
  verbatim(text: string): this {
    if (text.trim() === '' && this.gap !== '') return text.includes('\n') ? this.line() : this;
    this.write(text);
    return this;
  }

  /** Adds a text in which each run of white space becomes a single space, as in a browser. */
  flowing(text: string): this {
    return this.addText(spacedText(text));
  }

  space(): this {
    return this.leave(' ');
  }

  line(): this {
    return this.leave('\n');
  }

  block(): this {
    return this.leave('\n\n');
  }

  heading(level: number, title: string): this {
    const name = spacedText(title).trim();
    if (name === '') return this;
    this.block().flush();
    this.headings.push({ at: this.length, level, title: name });
    this.write(name);
    return this.block();
  }

  /** Adds a whole text with its headings, each by `deeper` levels lower than in that text. */
  insert({ text, headings }: { text: string; headings: Heading[] }, deeper = 0): this {
    const start = text.length - text.trimStart().length;
    if (text.trim() === '') return this;
    this.block().flush();
    for (const { at, level, title } of headings)
      this.headings.push({ at: this.length + Math.max(0, at - start), level: level + deeper, title });
    this.add(text.trim());
    return this.block();
  }

  /** The last character; a space when white space follows it. */
  get last(): string {
    return this.gap === '' ? (this.parts.at(-1)?.slice(-1) ?? '') : ' ';
  }

  get text(): string {
    return this.parts.join('');
  }

  /** Widens the gap before the next run. There is no gap before the first run. */
  private leave(gap: Gap): this {
    if (this.length > 0 && gaps.indexOf(gap) > gaps.indexOf(this.gap)) this.gap = gap;
    return this;
  }

  private flush(): void {
    this.add(this.gap);
    this.gap = '';
  }

  private write(text: string): void {
    this.flush();
    this.add(text);
  }

  private add(text: string): void {
    if (text === '') return;
    this.parts.push(text);
    this.length += text.length;
    if (this.length > textLengthMax)
      throw new DocumentError('TOO_LARGE', `The document has more than ${textLengthMax} characters of text.`);
  }
}
