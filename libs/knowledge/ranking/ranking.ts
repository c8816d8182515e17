import { visibleText } from '#libs/platform/text/invisible';
import { cutText } from '#libs/platform/text/whole-text';
import { stem } from './stem.ts';

/** The boost of a chunk that has every word of the query, as a share of `1 - cosine`. A query of one or two words counts as a name. */
const lifts = { name: 0.8, question: 0.6 };
const nameWordsMax = 2;
/** The weight of a word that a chunk mentions, and the weight of a word that a chunk has often. A word in the title has the weight 1. */
const mentionShare = 0.8;
const oftenShare = 1.2;
/** The number of tokens of a chunk in which a mention counts half, because a long chunk mentions many things. */
const halvingTokens = 2000;
/** The number of occurrences from which a chunk has a word often. */
const oftenMin = 3;
/** The weight of the second nearest vector of a chunk. It counts too, because a single sentence may be near by chance. */
const secondShare = 0.3;
const wordLengthMax = 64;
const wordsMax = 4096;

/** The distinct words of a text for the ranking, at most 4,096. */
export function indexedWords(text: string): string[] {
  const words = new Set<string>();
  for (const word of everyWord(text)) {
    if (words.size >= wordsMax) break;
    words.add(word);
  }
  return [...words];
}

/** The words that are stored for a chunk: the distinct words of its text, and each frequent word once more with a mark. */
export function storedWords(text: string): string[] {
  const counts = new Map<string, number>();
  for (const word of everyWord(text)) {
    const count = counts.get(word);
    if (count !== undefined || counts.size < wordsMax) counts.set(word, (count ?? 0) + 1);
  }
  const often = [...counts].flatMap(([word, count]) => (count >= oftenMin ? [markOften(word)] : []));
  return [...counts.keys(), ...often];
}

/** The word with the mark for a word that a chunk has often. No word contains this mark. */
export function markOften(word: string): string {
  return `${word}*`;
}

/**
 * Each word of a text, as often as it occurs. A name with punctuation, such as `ef_search` or `KX-1042`, counts as a whole and in its parts.
 * All forms of an English word give the same word.
 */
export function* everyWord(text: string): Generator<string> {
  for (const [found] of visibleText(text).normalize('NFKC').toLowerCase().matchAll(joined)) {
    const parts = found.split(/[-./:@+#_]/).filter((part) => part !== '');
    for (const word of parts.length > 1 ? [found, ...parts] : parts)
      if (!isStopWord(word)) yield stem(cutText(word, wordLengthMax));
  }
}

const joined = /[\p{L}\p{N}_](?:[\p{L}\p{N}_]|[-./:@+#](?=[\p{L}\p{N}_]))*/gu;

/**
 * How a chunk has a word. `false`: not at all. `true`: in its text or in the titles above it. `often`: at least three times.
 * `titled`: in the title right above it.
 */
export type Presence = boolean | 'often' | 'titled';

/** The nearness of a chunk, from the cosines of its nearest and of its second nearest vector. A chunk may have a single vector. */
export function nearness(best: number, next = best): number {
  return best - (best - next) * secondShare;
}

/**
 * The score of a chunk for a query, in [0, 1]: its nearness, raised by the share of the words of the query that the chunk has.
 * A rare word counts more than a common word. A word in the title or a frequent word counts more than a mention. The longer the chunk is,
 * the less its mentions and frequent words count. The score is never below the nearness, and equal to it when no word matches.
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

/** The score of a chunk with this nearness that has the share `coverage` of the words of the query. */
export function lifted(near: number, coverage: number, query: readonly string[]): number {
  const bare = Math.min(1, Math.max(0, Number.isNaN(near) ? 0 : near));
  const lift = query.length <= nameWordsMax ? lifts.name : lifts.question;
  return bare + (1 - bare) * lift * Math.min(1, coverage);
}

/** The highest share of the query that each word can have, and the share that its mark adds, by word. */
export function computeShares(query: readonly string[], idf: (word: string) => number): Map<string, number> {
  const all = query.reduce((sum, word) => sum + idf(word), 0);
  return new Map(
    query.flatMap((word) => [
      [word, idf(word) / all],
      [markOften(word), (idf(word) / all) * (oftenShare - 1)],
    ]),
  );
}

/**
 * The share of the words of the query from which a chunk with this nearness exceeds the score `least`. It is below 0 when the chunk exceeds
 * the score without any word, and Infinity when it cannot exceed it.
 */
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

/** True when the word is so common in English that it says nothing about the subject of a question. */
function isStopWord(word: string): boolean {
  return stopWords.has(word);
}

const stopWords = new Set(
  `a about after all also am an and any are as at be because been before being between both but by can could did do does doing
  done for from get had has have having he her here hers him his how i if in into is it its just like made make many may me might
  more most much must my no nor not of off on once one only or other our out over own s same she should so some such t than that
  the their them then there these they this those through to too under up use used uses using very want was way we were what
  when where which while who whom whose why will with without would you your`.split(/\s+/),
);
