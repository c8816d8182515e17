import { splitFrontMatter } from './front-matter.ts';
import type { Heading, ParsedText } from './parsed-document.ts';

/** The letters of a picture that a page has inside of itself. */
const pictures = /data:image\/[\w.+-]+;base64,[\w+/=-]{100,}/g;

/** A page of Markdown as it is, without its front matter. */
export function parseMarkdown(markdown: string): ParsedText {
  const { body = markdown, title } = splitFrontMatter(markdown) ?? {};
  const bare = body.replace(pictures, '');
  const text = withoutBreakEntities(bare);
  const warnings = bare === body ? [] : ['Pictures inside of the text are left out.'];
  return { text, headings: markdownHeadings(text), title, warnings };
}

/** The headings of a Markdown text: lines with `#`, and lines underlined with `=` or `-`. */
export function markdownHeadings(text: string): Heading[] {
  const headings: Heading[] = [];
  let fence: string | null = null;
  let before = { at: 0, line: '' };
  for (const { at, line } of linesOf(text)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
    } else if (mark) fence = mark;
    else {
      const heading = hashed(line) ?? underlined(before.line, line);
      if (heading && heading.title !== '')
        headings.push({ at: heading.above ? before.at : at, ...toName(heading) });
    }
    before = { at, line: fence === null ? line : '' };
  }
  return headings;
}

interface FoundHeading {
  level: number;
  title: string;
  above?: boolean;
}

function hashed(line: string): FoundHeading | null {
  const found = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line);
  return found ? { level: found[1]?.length ?? 1, title: withoutHashes(found[2] ?? '') } : null;
}

/** `# Title #` is a heading with the title `Title`. */
function withoutHashes(title: string): string {
  const text = title.trimEnd();
  let end = text.length;
  while (end > 0 && text[end - 1] === '#') end--;
  return end < text.length && /\s/.test(text[end - 1] ?? ' ') ? text.slice(0, end).trimEnd() : text;
}

function underlined(above: string, line: string): FoundHeading | null {
  const isText = /^ {0,3}[^\s>|#*+-]/.test(above);
  if (!isText || !/^ {0,3}(={2,}|-{2,})[ \t]*$/.test(line)) return null;
  return { level: line.includes('=') ? 1 : 2, title: above.trim(), above: true };
}

function toName({ level, title }: FoundHeading): { level: number; title: string } {
  // Removes marks of emphasis and links, which say nothing about the subject.
  return { level, title: title.replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1').replace(/[*`]/g, '') };
}

function* linesOf(text: string): Generator<{ at: number; line: string }> {
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at);
    const next = end === -1 ? text.length : end + 1;
    yield { at, line: text.slice(at, end === -1 ? next : end).replace(/\r$/, '') };
    at = next;
  }
}

/** Code, or an entity inside of a word that only says where the word may be broken. */
const entities =
  /(?<!`)(`+)[^`]+\1(?!`)|(?<=[\p{L}\p{N}-])&(?:shy|ZeroWidthSpace|NoBreak|#0{0,4}(?:173|8203|8288|65279)|#x0{0,4}(?:ad|200b|2060|feff));(?=[\p{L}\p{N}-])/giu;

/** Leaves out entities such as `&shy;` inside of words, except in code. */
function withoutBreakEntities(text: string): string {
  return text.replace(entities, (found, code?: string) => (code === undefined ? '' : found));
}
