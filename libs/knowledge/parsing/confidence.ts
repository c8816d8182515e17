import type { ParsedText } from './parsed-document.ts';

/** The maximum shares of characters that are no text, and that are read in a wrong encoding. With more, the document says so. */
const strangeShareMax = 0.005;
const garbledShareMax = 0.01;
const rangesMax = 12;

const strange = /[\uFFFD\p{Co}\p{Cn}]|(?!\s)\p{Cc}/gu;
/**
 * Letters that appear when UTF-8 is read by the code page 1252, as in `fÃ¼r` and `donâ€™t`, or by the code page 1251, and Cyrillic letters
 * that are read by the code page 1252.
 */
const garbled = [
  /(?:[ÂÃÐÑ]|â€)[\u0080-\u00bf\u20ac\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u017d\u2018-\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u017e\u0178]/g,
  /ï»¿|ï¿½|锟斤拷|[РС][\u0402-\u040b\u040d-\u040f\u0452\u0453\u0455\u0458-\u045f\u00a0-\u00b7\u00bb]/g,
  /[À-ÖØ-öø-ÿ]{5,}/g,
];

/** Returns how surely the text is what a person reads in the file, from 0 to 1, with a sentence for each cause of doubt. */
export function measureText({ text, pages = 1, pagesWithoutText = [], warnings = [] }: ParsedText): {
  confidence: number;
  warnings: string[];
} {
  const all = Math.max(1, text.length);
  const strangers = measureLength(text, strange) / all;
  const wrong = Math.min(1, garbled.reduce((sum, one) => sum + measureLength(text, one), 0) / all);
  const said = [...warnings];
  if (pagesWithoutText.length > 0)
    said.push(
      `${pagesWithoutText.length} of ${pages} pages have no text that can be read, and searches do not find them: ${formatRanges(pagesWithoutText)}.`,
    );
  if (strangers > strangeShareMax)
    said.push(
      `${percent(strangers)} of the characters are no letters or signs: parts of the text are damaged.`,
    );
  if (wrong > garbledShareMax)
    said.push(
      `${percent(wrong)} of the text looks as if it was read in a wrong encoding; save the file as UTF-8.`,
    );
  const share = (1 - pagesWithoutText.length / pages) * Math.max(0, 1 - strangers - wrong);
  return { confidence: Math.floor(share * 1000) / 1000, warnings: said };
}

const measureLength = (text: string, what: RegExp) => {
  let length = 0;
  for (const [found] of text.matchAll(what)) length += found.length;
  return length;
};

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

/** Names numbers as ranges: `1, 4–10`. */
function formatRanges(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const named = ranges.slice(0, rangesMax).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
  return `page${numbers.length === 1 ? '' : 's'} ${named.join(', ')}${ranges.length > rangesMax ? ' and others' : ''}`;
}
