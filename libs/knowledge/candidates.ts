import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database/database';
import { indexedWords, type Presence, rarity, score } from '#libs/ranking/ranking';
import * as sql from './search.sql.ts';
import { segmentSize } from './segments.ts';

/** A chunk that was found in a base. */
export interface Found {
  baseNo: string;
  document: string;
  generation: number;
  index: number;
  cosine: number | null;
  similarity: number;
}

/** What is asked of one base. */
export interface Question {
  /** As Postgres reads it. */
  vector: string;
  words: readonly string[];
  idf: (word: string) => number;
  /** In how many chunks each word is; a word that is missing is in none. */
  counts: ReadonlyMap<string, number>;
}

interface Near {
  document: string;
  generation: number;
  index: number;
  cosine: number;
}

/** Chunks that are looked at because they have a rare word, however far their vectors are. */
const byWordMax = 300;
const nearMin = 100;
/** Vectors that are read for each result; a chunk may have several. */
const nearPerResult = 10;
/** The most that the index of pgvector gives for one query. */
const indexedMax = 1000;

/** How much each word says, by the chunks of all bases that are searched. */
export function idfOf(total: number, counts: ReadonlyMap<string, number>): (word: string) => number {
  return (word) => rarity(total, counts.get(word) ?? 0);
}

/**
 * The best chunks of one base. Scores are made of cosines and words, so the nearest vectors and the chunks with the rarest words are
 * looked at, and then it is known what any other chunk can have at most. As long as that could be among the best, more are read: the
 * result is that of scoring every chunk, unless the base is so large that an index stands for the comparison of all vectors.
 */
@Injectable()
export class CandidateSearch {
  constructor(private readonly database: Database) {}

  async best(
    workspaceId: string,
    reach: sql.Reach & { chunks: number; indexed: boolean },
    question: Question,
    topK: number,
  ): Promise<Found[]> {
    const { rare, common } = divided(question);
    // On a connection of its own, beside the comparison of vectors.
    const naming = rare.length > 0 ? this.having(workspaceId, reach, rare) : Promise.resolve([]);
    const wanted = Math.max(nearMin, topK * nearPerResult);
    if (reach.indexed) {
      // A tenth of that found only 40 % of the best ten: words lift chunks whose vectors are not among the nearest.
      const [near, named] = await Promise.all([
        this.nearest(workspaceId, reach, question, { count: indexedMax, byIndex: true }),
        naming,
      ]);
      const found = await this.scored(workspaceId, reach, question, near, named);
      // Hidden chunks and filters take from what the index gives.
      if (found.length >= Math.min(topK, reach.chunks)) return found.slice(0, topK);
    }
    for (let count = wanted; ; count *= 10) {
      const [near, named] = await Promise.all([
        this.nearest(workspaceId, reach, question, { count, byIndex: false }),
        naming,
      ]);
      const found = await this.scored(workspaceId, reach, question, near, named);
      const last = near.at(-1)?.cosine ?? -1;
      const least = found[topK - 1]?.similarity;
      const unseen = score(last, question.words, (word) => common.includes(word) && 'titled', question.idf);
      if (near.length < count || (least !== undefined && least >= unseen)) return found.slice(0, topK);
    }
  }

  private async nearest(
    workspaceId: string,
    reach: sql.Reach,
    { vector }: Question,
    { count, byIndex }: { count: number; byIndex: boolean },
  ): Promise<Near[]> {
    if (!byIndex)
      return (await this.database.statement(workspaceId, ...sql.nearestOfAll(reach, vector, count))).map(
        nearOf,
      );
    const settings = `set local hnsw.ef_search = ${count}; set local hnsw.iterative_scan = relaxed_order`;
    const [, rows = []] = await this.database.batch(workspaceId, [
      [settings],
      sql.nearestByIndex(reach, vector, count),
    ]);
    return rows.map(nearOf);
  }

  /** Chunks with one of the words; their cosines are not known yet. */
  private async having(workspaceId: string, reach: sql.Reach, words: readonly string[]): Promise<Near[]> {
    const rows = await this.database.statement(workspaceId, ...sql.chunksWith(reach, words));
    return rows.flatMap((row) => {
      const of = { document: String(row['document_no']), generation: Number(row['generation']), cosine: NaN };
      return placesIn(String(row['bits'])).map((place) => ({
        ...of,
        index: Number(row['segment']) * segmentSize + place,
      }));
    });
  }

  private async scored(
    workspaceId: string,
    { baseNo, ...reach }: sql.Reach,
    { vector, words, idf }: Question,
    near: readonly Near[],
    named: readonly Near[],
  ): Promise<Found[]> {
    const all = new Map<string, Near>();
    // The nearest vector of a chunk comes first, and it is the one that counts.
    for (const one of near) if (!all.has(keyOf(one))) all.set(keyOf(one), one);
    const others = [...new Map(named.map((one) => [keyOf(one), one])).values()].filter(
      (one) => !all.has(keyOf(one)),
    );
    const places = placesOf([...all.values(), ...others]);
    const of = { baseNo, ...reach };
    const [cosines = [], having = []] = await this.database.batch(workspaceId, [
      sql.cosinesOf(of, vector, placesOf(others)),
      sql.wordsOf(of, words, places),
    ]);
    for (const one of cosines.map(nearOf)) all.set(keyOf(one), one);
    const presences = new Map(having.map((row) => [`${row['document_no']} ${row['n']}`, presenceOf(row)]));
    const found = [...all].map(([key, { document, generation, index, cosine }]) => {
      const { has, tokens } = presences.get(key) ?? { has: () => false, tokens: 0 };
      const similarity = score(cosine, words, has, idf, tokens);
      return { baseNo, document, generation, index, cosine, similarity };
    });
    return found.toSorted(
      (a, b) => b.similarity - a.similarity || Number(a.document) - Number(b.document) || a.index - b.index,
    );
  }
}

/** The rarest words, as far as few chunks have them; the others can only lift what is near. */
function divided({ words, counts }: Question): { rare: string[]; common: string[] } {
  const known = words.filter((word) => (counts.get(word) ?? 0) > 0);
  const rare: string[] = [];
  let sum = 0;
  for (const word of known.toSorted((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0))) {
    sum += counts.get(word) ?? 0;
    if (sum > byWordMax) break;
    rare.push(word);
  }
  return { rare, common: known.filter((word) => !rare.includes(word)) };
}

/** What `score` asks about one chunk. */
function presenceOf(row: Record<string, unknown>): { has(word: string): Presence; tokens: number } {
  const words = new Set(row['words'] as string[]);
  const titled = new Set(indexedWords(String(row['title'] ?? '')));
  const has = (word: string) => words.has(word) && (!titled.has(word) || 'titled');
  return { has, tokens: Number(row['token_count']) };
}

function placesIn(bits: string): number[] {
  const places: number[] = [];
  for (let at = bits.indexOf('1'); at !== -1; at = bits.indexOf('1', at + 1)) places.push(at);
  return places;
}

function placesOf(all: readonly Near[]): sql.Places {
  return {
    documents: all.map(({ document }) => document),
    generations: all.map(({ generation }) => generation),
    indexes: all.map(({ index }) => index),
  };
}

function nearOf(row: Record<string, unknown>): Near {
  return {
    document: String(row['document_no']),
    generation: Number(row['generation']),
    index: Number(row['n']),
    cosine: Number(row['cosine']),
  };
}

function keyOf({ document, index }: Near): string {
  return `${document} ${index}`;
}
