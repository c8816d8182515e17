import { Injectable } from '@nestjs/common';
import { Database, setLocal } from '#libs/platform/database/database';
import {
  coverageFor,
  indexedWords,
  lifted,
  nearness,
  markOften,
  rarity,
  score,
  computeShares,
} from '../ranking/ranking.ts';
import { type PostedChunk, Postings } from './postings.ts';
import * as sql from './search.sql.ts';

/** A chunk that was found in a base. */
export interface ScoredChunk {
  baseNo: string;
  document: string;
  generation: number;
  index: number;
  cosine: number | null;
  similarity: number;
}

/** The question for a base. */
export interface SearchQuestion {
  /** The vector of the question in the text form of Postgres. */
  vector: string;
  words: readonly string[];
  idf: (word: string) => number;
  /** The number of chunks with each word. No chunk has a word that is missing here. */
  counts: ReadonlyMap<string, number>;
}

/** The searched base, and its size. */
export interface SearchContext extends sql.DocumentReach {
  chunks: number;
  /** The number of segments: parts of documents for which a word has one row in `chunk_words`. */
  segments: number;
  indexed: boolean;
}

interface Candidate extends PostedChunk {
  /** When exact: the nearness of the chunk. Otherwise the cosine of its nearest vector, which is not lower. */
  cosine: number;
  isExact: boolean;
  /** Null until the title and the length of the chunk are known. */
  similarity: number | null;
}

/** A question for a base, and the candidates that are known so far. */
interface CandidateQuery {
  workspaceId: string;
  reach: SearchContext;
  question: SearchQuestion;
  topK: number;
  postings: Postings;
  /** Frequent words whose postings are skipped. They are checked for candidates only. */
  unread: readonly string[];
  /** The share of the question that the unread words have together. */
  unreadShare: number;
  known: Map<string, Candidate>;
}

interface Near {
  count: number;
  byIndex: boolean;
}

const nearMin = 100;
/** The number of vectors to read for each wanted result, because a chunk may have several vectors. */
const nearPerResult = 10;
/** The numbers of vectors to read by the index, first and then second. pgvector returns at most 1,000. */
const nearByIndex = [200, 1000];
/** The numbers of chunks that become candidates by their words alone, in the first round and at most. */
const byWordsMin = 300;
const byWordsMax = 4000;

/** The weight of each word, computed from the chunks of all searched bases. */
export function buildIdf(total: number, counts: ReadonlyMap<string, number>): (word: string) => number {
  return (word) => rarity(total, counts.get(word) ?? 0);
}

/**
 * Finds the best chunks of a base. A score combines cosines and words, so the candidates are the nearest vectors and the chunks with the
 * most words of the question. They give an upper bound for the score of every other chunk. While this bound could reach the best results,
 * the search reads more candidates. So the result is the same as with a score for every chunk, except in a large base: there the search
 * uses an index, which may miss vectors.
 */
@Injectable()
export class CandidateSearch {
  /** The maximum number of rows of `chunk_words` that a question reads. A search with an index must be fast, otherwise it must be exact. */
  readonly linesMax = { indexed: 10_000, exact: 200_000 };

  constructor(private readonly database: Database) {}

  async best(
    workspaceId: string,
    reach: SearchContext,
    question: SearchQuestion,
    topK: number,
  ): Promise<ScoredChunk[]> {
    const { read, unread } = divided(
      question,
      reach.segments,
      reach.indexed ? this.linesMax.indexed : this.linesMax.exact,
    );
    const weights = computeShares(question.words, question.idf);
    const unreadShare = toBothKinds(unread).reduce((sum, word) => sum + (weights.get(word) ?? 0), 0);
    const reading = this.postings(workspaceId, reach, read, weights);
    const ask = async (near: Near, known: CandidateQuery['known']) => {
      const nearest = this.nearest(workspaceId, reach, question, near);
      const [vectors, postings] = await Promise.all([nearest, reading]);
      const query = { workspaceId, reach, question, topK, postings, unread, unreadShare, known };
      return this.round(query, vectors, near);
    };
    const known: CandidateQuery['known'] = new Map();
    const wanted = topK * nearPerResult;
    for (const count of reach.indexed ? nearByIndex : []) {
      const { found, isBest } = await ask({ count, byIndex: true }, known);
      const isEnough = isBest || count === nearByIndex.at(-1);
      // Disabled documents and filters remove some of the vectors that the index returns.
      if (isEnough && found.length >= Math.min(topK, reach.chunks)) return found;
    }
    for (let count = Math.max(nearMin, wanted); ; count *= 10) {
      const { found, isBest } = await ask({ count, byIndex: false }, known);
      if (isBest) return found;
    }
  }

  /** The best candidates by vectors and by words. `isBest` is true when no other chunk can have a higher score. */
  private async round(
    query: CandidateQuery,
    near: readonly Candidate[],
    { count, byIndex }: Near,
  ): Promise<{ found: ScoredChunk[]; isBest: boolean }> {
    const { known, postings, topK, unreadShare, question } = query;
    // The nearest vector of a chunk comes first in `near`, and only this vector is kept.
    for (const one of near) if (!known.has(toKey(one))) known.set(toKey(one), one);
    const last = near.at(-1)?.cosine ?? 0;
    const isAll = near.length < count && !byIndex;
    // `known` keeps the computed scores, so no score is computed twice.
    for (let seen = postings.computeShare(byWordsMin); ;) {
      await this.learn(query, postings.from(seen));
      const found = await this.scored(query);
      const needed = coverageFor(last, found[topK - 1]?.similarity ?? 0, question.words) - unreadShare;
      if (isAll || needed >= Math.max(0, seen)) return { found, isBest: true };
      const next = Math.max(needed, postings.computeShare(byWordsMax));
      if (next >= seen) return { found, isBest: false };
      seen = next;
    }
  }

  private async postings(
    workspaceId: string,
    reach: SearchContext,
    words: readonly string[],
    weights: ReadonlyMap<string, number>,
  ): Promise<Postings> {
    const rows =
      words.length > 0
        ? await this.database.statement(workspaceId, ...sql.selectPostings(reach, toBothKinds(words)))
        : [];
    return new Postings(new Map(rows.map((row) => [String(row['word']), row['lines'] as Buffer])), weights);
  }

  private async nearest(
    workspaceId: string,
    reach: sql.DocumentReach,
    { vector }: SearchQuestion,
    { count, byIndex }: Near,
  ): Promise<Candidate[]> {
    if (!byIndex) {
      const near = sql.nearestOfAll(reach, vector, count);
      return (await this.database.statement(workspaceId, ...near)).map(toCandidate);
    }
    const settings = [
      setLocal('hnsw.ef_search', String(count)),
      setLocal('hnsw.iterative_scan', 'relaxed_order'),
    ];
    const near = sql.nearestByIndex(reach, vector, count);
    const results = await this.database.batch(workspaceId, [...settings, near]);
    return (results.at(-1) ?? []).map(toCandidate);
  }

  /** Adds chunks to the known candidates with their exact cosines. Leaves out disabled chunks. */
  private async learn(
    { workspaceId, reach, question, known }: CandidateQuery,
    places: readonly PostedChunk[],
  ): Promise<void> {
    const others = places.filter((one) => !known.has(toKey(one)));
    if (others.length === 0) return;
    const statement = sql.selectCosines(reach, question.vector, toCandidateColumns(others));
    const rows = await this.database.statement(workspaceId, ...statement);
    for (const row of rows) {
      const one = { ...toCandidate(row), cosine: toCosine(row), isExact: true };
      known.set(toKey(one), one);
    }
  }

  /** The best of the known candidates. Reads titles and lengths only for candidates that may be among the best. */
  private async scored(query: CandidateQuery): Promise<ScoredChunk[]> {
    const { known, postings, unreadShare, topK, reach, question } = query;
    const bounds = new Map(
      [...known.values()].map((one) => [
        one,
        one.similarity ?? lifted(one.cosine, postings.share(one) + unreadShare, question.words),
      ]),
    );
    const all = [...known.values()].toSorted((a, b) => (bounds.get(b) ?? 0) - (bounds.get(a) ?? 0));
    let [from, found]: [number, Candidate[]] = [0, []];
    const mayBeBetter = (one: Candidate) => (bounds.get(one) ?? 0) > (found[topK - 1]?.similarity ?? -1);
    for (let next = all[from]; next && mayBeBetter(next); next = all[from]) {
      const some = all.slice(from, from + Math.max(scoredMin, topK, 2 * from));
      await this.score(query, some);
      found = [...found, ...some].toSorted(better).slice(0, topK);
      from += some.length;
    }
    return found.map(({ document, generation, index, cosine, similarity }) => ({
      baseNo: reach.baseNo,
      document,
      generation,
      index,
      cosine,
      similarity: similarity ?? 0,
    }));
  }

  private async score(query: CandidateQuery, all: readonly Candidate[]): Promise<void> {
    const { workspaceId, reach, question, postings, unread } = query;
    const { words, idf } = question;
    const fresh = all.filter(({ similarity }) => similarity === null);
    const worded = toCandidateColumns(fresh.filter((one) => unread.length > 0 || postings.share(one) > 0));
    const statements = [
      sql.selectCosines(reach, question.vector, toCandidateColumns(fresh.filter(({ isExact }) => !isExact))),
      sql.selectTitles(reach, worded),
      ...(unread.length > 0 ? [sql.selectWords(reach, toBothKinds(unread), worded)] : []),
    ];
    const answers = fresh.length > 0 ? await this.database.batch(workspaceId, statements) : [];
    const [cosines, titles, others] = [0, 1, 2].map(
      (i) => new Map(answers[i]?.map((row) => [`${row['document_no']} ${row['n']}`, row])),
    );
    for (const one of fresh) {
      const key = toKey(one);
      const cosineRow = cosines?.get(key);
      if (cosineRow) one.cosine = toCosine(cosineRow);
      const row = titles?.get(key);
      const more = new Set(others?.get(key)?.['words'] as string[] | undefined);
      const titled = new Set(indexedWords(String(row?.['title'] ?? '')));
      const isThere = (word: string) => postings.has(one, word) || more.has(word);
      const has = (word: string) => {
        if (!isThere(word)) return false;
        if (titled.has(word)) return 'titled';
        return !isThere(markOften(word)) || 'often';
      };
      one.similarity = score(one.cosine, words, has, idf, Number(row?.['token_count'] ?? 0));
    }
  }
}

/** The minimum number of candidates whose titles and lengths are read together. */
const scoredMin = 100;

/** Divides the words: `read` takes the rarest words within `linesMax` rows. `unread` has the others, which are checked only for candidates. */
function divided(
  { words, counts }: SearchQuestion,
  segments: number,
  linesMax: number,
): { read: string[]; unread: string[] } {
  const known = words.filter((word) => (counts.get(word) ?? 0) > 0);
  const countLines = (word: string) =>
    toBothKinds([word]).reduce((sum, one) => sum + Math.min(segments, counts.get(one) ?? 0), 0);
  let lines = 0;
  const read = new Set<string>();
  for (const word of known.toSorted((a, b) => countLines(a) - countLines(b))) {
    lines += countLines(word);
    if (lines > linesMax) break;
    read.add(word);
  }
  return { read: [...read], unread: known.filter((word) => !read.has(word)) };
}

/** The words, and the same words with the mark for frequent words. */
function toBothKinds(words: readonly string[]): string[] {
  return [...words, ...words.map(markOften)];
}

function better(a: Candidate, b: Candidate): number {
  const bySimilarity = (b.similarity ?? 0) - (a.similarity ?? 0);
  return bySimilarity || Number(a.document) - Number(b.document) || a.index - b.index;
}

function toCandidateColumns(all: readonly PostedChunk[]): sql.CandidateColumns {
  return {
    documents: all.map(({ document }) => document),
    generations: all.map(({ generation }) => generation),
    indexes: all.map(({ index }) => index),
  };
}

function toCandidate(row: Record<string, unknown>): Candidate {
  return {
    document: String(row['document_no']),
    generation: Number(row['generation']),
    index: Number(row['n']),
    cosine: Number(row['cosine']),
    isExact: false,
    similarity: null,
  };
}

function toCosine(row: Record<string, unknown>): number {
  const { best, next } = row;
  return nearness(Number(best), next === null ? undefined : Number(next));
}

function toKey({ document, index }: PostedChunk): string {
  return `${document} ${index}`;
}
