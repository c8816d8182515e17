import type { TextSpan } from './spans.ts';

/** The pieces between blank lines. Here and in the functions below, each piece includes the white space after it. */
export function splitParagraphs(text: string, { start, end }: TextSpan): TextSpan[] {
  const found: TextSpan[] = [];
  let from = start;
  let isBlankBefore = false;
  for (const line of splitLines(text, { start, end })) {
    const isBlank = text.slice(line.start, line.end).trim() === '';
    if (isBlankBefore && !isBlank && line.start > from) {
      found.push({ start: from, end: line.start });
      from = line.start;
    }
    isBlankBefore = isBlank;
  }
  return [...found, { start: from, end }];
}

export function splitLines(text: string, { start, end }: TextSpan): TextSpan[] {
  const found: TextSpan[] = [];
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
 * The sentences of a paragraph. The end of a line also ends a sentence, except in text that is wrapped at a width. There a line ends
 * because the next word had no room.
 */
export function splitSentences(text: string, paragraph: TextSpan): TextSpan[] {
  const found: TextSpan[] = [];
  for (const stretch of unwrapped(text, paragraph)) {
    // The segmenter would end a sentence at a line end. A space replaces it, and has the same length.
    const line = text.slice(stretch.start, stretch.end).replace(/[\r\n]/g, ' ');
    for (const { index, segment } of sentences.segment(line)) {
      const start = stretch.start + index;
      found.push({ start, end: start + segment.length });
    }
  }
  return found;
}

const listMark = /^\s*(?:[-*+>|#]|\d{1,9}[.)]|`{3}|~{3})/;

function unwrapped(text: string, paragraph: TextSpan): TextSpan[] {
  const lines = splitLines(text, paragraph);
  const width = Math.max(...sample(lines).map(({ start, end }) => end - start));
  const found: TextSpan[] = [];
  for (const [at, line] of lines.entries()) {
    const last = found.at(-1);
    const isWrapped = at > 0 && hadNoRoom(text, lines[at - 1] ?? line, line, width);
    if (last && isWrapped) last.end = line.end;
    else found.push({ ...line });
  }
  return found;
}

/** The first thousand lines, which are enough to find the width of a paragraph. */
function sample<T>(lines: T[]): T[] {
  return lines.slice(0, 1000);
}

const widthMin = 40;
const widthMax = 200;

/** True when the line with the first word of the next line would be longer than every line of the paragraph. */
function hadNoRoom(text: string, line: TextSpan, next: TextSpan, width: number): boolean {
  if (width < widthMin || width > widthMax) return false;
  const words = text.slice(next.start, Math.min(next.end, next.start + widthMax));
  if (listMark.test(words)) return false;
  const word = words.trimStart().split(/\s/, 1)[0] ?? '';
  return line.end - line.start + 1 + word.length > width;
}

/** Pieces between white space. */
export function splitWords(text: string, { start, end }: TextSpan): TextSpan[] {
  const found: TextSpan[] = [];
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
