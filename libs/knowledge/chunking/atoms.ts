import { splitLines, splitParagraphs, splitSentences, splitWords } from './cuts.ts';
import { isBlank, trimmed, type TextSpan } from './spans.ts';

export type CountTokens = (text: string) => number;

/** A piece that is never cut: a sentence, or a part of a sentence that is too large for a chunk. */
export interface Atom extends TextSpan {
  tokens: number;
  /** True for a whole sentence. An overlap begins with a whole sentence. */
  whole: boolean;
  /** The quality of its end as a place for a cut: 3 after a paragraph, 1 after a sentence, 0 after a part of a sentence. */
  strength: number;
}

const cuts = [
  { of: splitParagraphs, strength: 3 },
  { of: splitSentences, strength: 1 },
  { of: splitLines, strength: 0 },
  { of: splitWords, strength: 0 },
  { of: toHalves, strength: 0 },
];
const sentenceLevel = 1;

/** Divides the span into atoms of at most `tokensMax` tokens. Only white space is between them. A single character may have more tokens. */
export function splitAtoms(
  text: string,
  span: TextSpan,
  tokensMax: number,
  countTokens: CountTokens,
): Atom[] {
  return cut(text, span, { level: 0, strength: 3, tokensMax, countTokens });
}

interface Cutting {
  level: number;
  strength: number;
  tokensMax: number;
  countTokens: CountTokens;
}

function cut(text: string, span: TextSpan, cutting: Cutting): Atom[] {
  const { level, strength, tokensMax, countTokens } = cutting;
  if (level > sentenceLevel) {
    const { start, end } = trimmed(text, span);
    const tokens = countTokens(text.slice(start, end));
    const isWhole = level === sentenceLevel + 1;
    if (tokens <= tokensMax || isOneCharacter(text, span))
      return [{ ...span, tokens, whole: isWhole, strength }];
  }
  const step = cuts[Math.min(level, cuts.length - 1)];
  const pieces = (step?.of(text, span) ?? []).filter((piece) => !isBlank(text, piece));
  const deeper = { ...cutting, level: level + 1 };
  const last = pieces.length - 1;
  return pieces.flatMap((piece, at) =>
    cut(text, piece, { ...deeper, strength: at === last ? strength : (step?.strength ?? 0) }),
  );
}

function isOneCharacter(text: string, { start, end }: TextSpan): boolean {
  return end - start <= ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1);
}

/** Two halves. Neither ends inside of a character of two UTF-16 units. */
function toHalves(text: string, { start, end }: TextSpan): TextSpan[] {
  let middle = Math.floor((start + end) / 2);
  if (isSecondHalf(text, middle)) middle += middle + 1 < end ? 1 : -1;
  return [
    { start, end: middle },
    { start: middle, end },
  ];
}

/** True when the offset lies inside of a character of two UTF-16 units. */
function isSecondHalf(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff;
}
