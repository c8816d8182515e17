import { stem } from './stem.ts';
import { isStopWord } from './stop-words.ts';

/** How much of what the cosine leaves to 1 is given to a chunk whose title has every word of the query. */
const lift = 0.8;
/** A chunk that only mentions a word, beside one whose title has it. */
const mentionShare = 0.8;
/** With so many tokens a mention counts for half: a long chunk mentions a lot of things. */
const halvingTokens = 2000;
const wordLengthMax = 64;
const wordsMax = 4096;

/**
 * The different words of a text that ranking looks at: what is stored with a chunk, and what a query is asked by. At most
 * 4,096 words.
 */
export function indexedWords(text: string): string[] {
  const words = new Set<string>();
  for (const word of everyWord(text)) {
    if (words.size >= wordsMax) break;
    words.add(word);
  }
  return [...words];
}

/** Each word as often as it is there. Names with joints, as `ef_search` and `KX-1042`, count as a whole and in parts; the forms
 * of an English word are one. */
export function* everyWord(text: string): Generator<string> {
  for (const [found] of text.normalize('NFKC').toLowerCase().matchAll(joined)) {
    const parts = found.split(/[-./:@+#_]/).filter((part) => part !== '');
    for (const word of parts.length > 1 ? [found, ...parts] : parts)
      if (!isStopWord(word)) yield stem(word.slice(0, wordLengthMax));
  }
}

const joined = /[\p{L}\p{N}_](?:[\p{L}\p{N}_]|[-./:@+#](?=[\p{L}\p{N}_]))*/gu;

/** Whether a chunk has a word: not at all, in its text or the titles above it, or in the title right above it. */
export type Presence = boolean | 'titled';

/**
 * How well a chunk answers a query, in [0, 1]: the cosine, lifted by the share of the query's words that the chunk has,
 * where a rare word counts for more, and one in the chunk's own title for more than one in its text, the longer that is.
 * Never below the cosine, and equal to it where no word matches.
 */
export function score(
  cosine: number,
  query: readonly string[],
  has: (word: string) => Presence,
  idf: (word: string) => number,
  tokens = 0,
): number {
  const mention = mentionShare / (1 + Math.max(0, tokens) / halvingTokens);
  let all = 0;
  let found = 0;
  for (const word of query) {
    const weight = Math.max(0, idf(word));
    const presence = has(word);
    all += weight;
    if (presence) found += presence === 'titled' ? weight : weight * mention;
  }
  return lifted(cosine, all > 0 ? found / all : 0);
}

/** The score of a chunk whose own title has that share of the query's words; no chunk that has so many can have a higher one. */
export function lifted(cosine: number, coverage: number): number {
  const near = Math.min(1, Math.max(0, Number.isNaN(cosine) ? 0 : cosine));
  return near + (1 - near) * lift * coverage;
}

/** The share of the query's words above which a chunk with the cosine may have more than the score; below 0 when it has more without any. */
export function coverageFor(cosine: number, least: number): number {
  const none = lifted(cosine, 0);
  const all = lifted(cosine, 1);
  return all > none ? (least - none) / (all - none) : Math.sign(least - none) || 1;
}

/** How much a word says by which `having` of `total` chunks have it: more, the fewer they are. */
export function rarity(total: number, having: number): number {
  const some = Math.min(total, having);
  return Math.log(1 + (total - some + 0.5) / (some + 0.5));
}
