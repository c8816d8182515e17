import type { Span } from './spans.ts';

/** Pieces that a blank line divides. Each takes the white space behind it, here and below. */
export function paragraphsOf(text: string, { start, end }: Span): Span[] {
  const found: Span[] = [];
  let from = start;
  let isBlankBefore = false;
  for (const line of linesOf(text, { start, end })) {
    const isBlank = text.slice(line.start, line.end).trim() === '';
    if (isBlankBefore && !isBlank && line.start > from) {
      found.push({ start: from, end: line.start });
      from = line.start;
    }
    isBlankBefore = isBlank;
  }
  return [...found, { start: from, end }];
}

export function linesOf(text: string, { start, end }: Span): Span[] {
  const found: Span[] = [];
  for (let from = start; from < end;) {
    const at = text.indexOf('\n', from);
    const to = at === -1 || at >= end ? end : at + 1;
    found.push({ start: from, end: to });
    from = to;
  }
  return found;
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * The sentences of a paragraph. A line ends one too, unless it ends only because the next word had no room in it: prose is
 * often wrapped at a width.
 */
export function sentencesOf(text: string, paragraph: Span): Span[] {
  const found: Span[] = [];
  for (const stretch of unwrapped(text, paragraph)) {
    // A line end would end a sentence for the segmenter; a space has the same length.
    const line = text.slice(stretch.start, stretch.end).replace(/[\r\n]/g, ' ');
    for (const { index, segment } of sentences.segment(line)) {
      const start = stretch.start + index;
      found.push({ start, end: start + segment.length });
    }
  }
  return found;
}

const listMark = /^\s*(?:[-*+>|#]|\d{1,9}[.)]|`{3}|~{3})/;

function unwrapped(text: string, paragraph: Span): Span[] {
  const lines = linesOf(text, paragraph);
  const width = Math.max(...sample(lines).map(({ start, end }) => end - start));
  const found: Span[] = [];
  for (const [at, line] of lines.entries()) {
    const last = found.at(-1);
    const isWrapped = at > 0 && hadNoRoom(text, lines[at - 1] ?? line, line, width);
    if (last && isWrapped) last.end = line.end;
    else found.push({ ...line });
  }
  return found;
}

/** A paragraph of a million lines shows its width in the first thousand. */
function sample<T>(lines: T[]): T[] {
  return lines.slice(0, 1000);
}

const widthMin = 40;
const widthMax = 200;

/** Whether the first word of the next line would have made the line longer than any line of the paragraph. */
function hadNoRoom(text: string, line: Span, next: Span, width: number): boolean {
  if (width < widthMin || width > widthMax) return false;
  const words = text.slice(next.start, Math.min(next.end, next.start + widthMax));
  if (listMark.test(words)) return false;
  const word = words.trimStart().split(/\s/, 1)[0] ?? '';
  return line.end - line.start + 1 + word.length > width;
}

/** Pieces between white space. */
export function wordsOf(text: string, { start, end }: Span): Span[] {
  const found: Span[] = [];
  let from = start;
  for (let at = start + 1; at < end; at++) {
    if (!isSpace(text, at) && isSpace(text, at - 1)) {
      found.push({ start: from, end: at });
      from = at;
    }
  }
  return [...found, { start: from, end }];
}

function isSpace(text: string, at: number): boolean {
  return text.charAt(at).trim() === '';
}
