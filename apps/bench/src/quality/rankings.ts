import {
  everyWord,
  indexedWords,
  nearness,
  markOften,
  rarity,
  score,
  storedWords,
} from '#libs/knowledge/ranking/ranking';
import type { CorpusPassage } from './corpus.ts';

/** The indexes of the passages by score, best first. */
export type Ranking = number[];

export interface EmbeddedQuestion {
  text: string;
  vector: Float32Array;
}

/** The compared rankings. */
export const ways = ['holdfast', 'cosine', 'bm25', 'fusion'] as const;
export type RankingName = (typeof ways)[number];

const k1 = 1.2;
const b = 0.75;
/** The constant of reciprocal rank fusion, as chosen by its authors. */
const fusionK = 60;

/** Ranks the same passages in each way. All rankings see the titles above a passage, and the same words. */
export class Rankings {
  private readonly words: Map<string, number>[];
  private readonly has: Set<string>[];
  private readonly titled: Set<string>[];
  private readonly lengths: number[];
  private readonly lengthMean: number;
  private readonly holders = new Map<string, number>();
  private readonly indexed = new Map<string, number>();

  constructor(private readonly passages: CorpusPassage[]) {
    const texts = passages.map(({ headingPath, content }) => [...headingPath, content].join('\n'));
    this.words = texts.map((text) => countWords(everyWord(text)));
    this.has = texts.map((text) => new Set(storedWords(text)));
    this.titled = passages.map(({ headingPath }) => new Set(indexedWords(headingPath.at(-1) ?? '')));
    this.lengths = this.words.map((counts) => [...counts.values()].reduce((sum, count) => sum + count, 0));
    this.lengthMean = this.lengths.reduce((sum, length) => sum + length, 0) / passages.length;
    for (const counts of this.words) for (const word of counts.keys()) add(this.holders, word);
    for (const words of this.has) for (const word of words) add(this.indexed, word);
  }

  rank(query: EmbeddedQuestion): Record<RankingName, Ranking> {
    const cosines = this.passages.map(({ vectors }) => cosinesOf(query.vector, vectors));
    const cosine = sorted(cosines.map(([best = 0]) => best));
    const bm25 = sorted(this.bm25(query.text));
    return {
      holdfast: sorted(this.lifted(query.text, cosines)),
      cosine,
      bm25,
      fusion: fused([cosine, bm25]),
    };
  }

  /** Ranks like a search of the product. */
  private lifted(text: string, cosines: number[][]): number[] {
    const query = indexedWords(text);
    const total = this.passages.length;
    const idf = (word: string) => rarity(total, this.indexed.get(word) ?? 0);
    const presence = (at: number) => (word: string) => {
      if (this.titled[at]?.has(word)) return 'titled';
      return this.has[at]?.has(markOften(word)) ? 'often' : (this.has[at]?.has(word) ?? false);
    };
    return cosines.map(([best = 0, next], at) =>
      score(nearness(best, next), query, presence(at), idf, this.passages[at]?.tokenCount),
    );
  }

  private bm25(text: string): number[] {
    const query = [...new Set(everyWord(text))];
    const total = this.passages.length;
    return this.words.map((counts, at) => {
      const norm = k1 * (1 - b + (b * (this.lengths[at] ?? 0)) / this.lengthMean);
      let sum = 0;
      for (const word of query) {
        const count = counts.get(word) ?? 0;
        const holders = this.holders.get(word) ?? 0;
        if (count > 0) sum += (rarity(total, holders) * count * (k1 + 1)) / (count + norm);
      }
      return sum;
    });
  }
}

/** The cosines of the query with each passage's vectors, highest first. */
function cosinesOf(query: Float32Array, vectors: Float32Array[]): number[] {
  const cosines = vectors.map((vector) =>
    vector.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0),
  );
  return cosines.toSorted((one, other) => other - one);
}

function sorted(scores: number[]): Ranking {
  return [...scores.keys()].toSorted((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0));
}

function fused(rankings: Ranking[]): Ranking {
  const scores: number[] = rankings[0]?.map(() => 0) ?? [];
  for (const ranking of rankings)
    for (const [rank, place] of ranking.entries())
      scores[place] = (scores[place] ?? 0) + 1 / (fusionK + rank + 1);
  return sorted(scores);
}

function countWords(words: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) add(counts, word);
  return counts;
}

function add(counts: Map<string, number>, word: string): void {
  counts.set(word, (counts.get(word) ?? 0) + 1);
}
