import { stem } from './stem.ts';
import { isStopWord } from './stop-words.ts';

/** The highest boost of a chunk that has every word of the query, as a share of `1 - cosine`. Queries of one or two words count as names. */
const lifts = { name: 0.8, question: 0.6 };
const nameWordsMax = 2;
/** The weight of a word in a chunk that mentions it or has it often. A word in the title weighs 1. */
const mentionShare = 0.8;
const oftenShare = 1.2;
/** With so many tokens a mention counts for half: a long chunk mentions a lot of things. */
const halvingTokens = 2000;
/** A word that a chunk has so often is what the chunk is about. */
const oftenMin = 3;
/** The weight of a chunk's second nearest vector: one sentence may be near by chance. */
const secondShare = 0.3;
const wordLengthMax = 64;
const wordsMax = 4096;

/** The different words of a text that ranking looks at, at most 4,096. */
export function indexedWords(text: string): string[] {
  const words = new Set<string>();
  for (const word of everyWord(text)) {
    if (words.size >= wordsMax) break;
    words.add(word);
  }
  return [...words];
}

/** The words that are stored with a chunk: all of its text, and frequent ones once more with a mark. */
export function storedWords(text: string): string[] {
  const counts = new Map<string, number>();
  for (const word of everyWord(text)) {
    const count = counts.get(word);
    if (count !== undefined || counts.size < wordsMax) counts.set(word, (count ?? 0) + 1);
  }
  const often = [...counts].flatMap(([word, count]) => (count >= oftenMin ? [oftenOf(word)] : []));
  return [...counts.keys(), ...often];
}

/** The mark of a word that a chunk has often; no word has such a sign. */
export function oftenOf(word: string): string {
  return `${word}*`;
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

/** Whether a chunk has a word: not at all, in its text or the titles above it, often, or in the title right above it. */
export type Presence = boolean | 'often' | 'titled';

/** The nearness of a chunk, from the cosines of its nearest vector and of the next, if it has one. */
export function nearness(best: number, next = best): number {
  return best - (best - next) * secondShare;
}

/**
 * How well a chunk answers a query, in [0, 1]: its nearness, lifted by the share of the query's words that the chunk has, where a
 * rare word counts for more, and one in the chunk's own title or often in its text for more than one that is mentioned, the longer
 * the text is. Never below the nearness, and equal to it where no word matches.
 */
export function score(
  near: number,
  query: readonly string[],
  has: (word: string) => Presence,
  idf: (word: string) => number,
  tokens = 0,
): number {
  const length = 1 + Math.max(0, tokens) / halvingTokens;
  const worth = { titled: 1, often: oftenShare / length, true: mentionShare / length, false: 0 };
  let all = 0;
  let found = 0;
  for (const word of query) {
    const weight = Math.max(0, idf(word));
    all += weight;
    found += weight * worth[`${has(word)}`];
  }
  return lifted(near, all > 0 ? found / all : 0, query);
}

/** The score of a chunk that has that share of the query's words. */
export function lifted(near: number, coverage: number, query: readonly string[]): number {
  const bare = Math.min(1, Math.max(0, Number.isNaN(near) ? 0 : near));
  const lift = query.length <= nameWordsMax ? lifts.name : lifts.question;
  return bare + (1 - bare) * lift * Math.min(1, coverage);
}

/** The highest share of the query that each word has, and the share that its mark adds. */
export function sharesOf(query: readonly string[], idf: (word: string) => number): Map<string, number> {
  const all = query.reduce((sum, word) => sum + idf(word), 0);
  return new Map(
    query.flatMap((word) => [
      [word, idf(word) / all],
      [oftenOf(word), (idf(word) / all) * (oftenShare - 1)],
    ]),
  );
}

/** The share of the query's words above which a chunk may have more than the score; below 0 when it has more without any. */
export function coverageFor(near: number, least: number, query: readonly string[]): number {
  const [none, all] = [lifted(near, 0, query), lifted(near, 1, query)];
  if (least >= all) return Infinity;
  return (least - none) / (all - none);
}

/** The weight of a word that `having` of `total` chunks have. A rarer word weighs more. */
export function rarity(total: number, having: number): number {
  const some = Math.min(total, having);
  return Math.log(1 + (total - some + 0.5) / (some + 0.5));
}
