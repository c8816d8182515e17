import pg from 'pg';
import { findSessions, untilSessions } from '#libs/platform/database/support/sessions';
import { TurnBounds } from '#libs/platform/database/bounded-deletion';
import { HashEmbedder } from '../embedder/hash-embedder.ts';
import { indexedWords, nearness, markOften, score } from '../ranking/ranking.ts';
import { CandidateSearch, buildIdf } from './candidates.ts';
import {
  type GivenChunk,
  givenDocument,
  givenKnowledge,
  type GivenKnowledge,
  ours,
  random,
  countTokens,
  vectorNear,
} from '../support/store.ts';
import { VectorIndexes } from './vector-indexes.ts';

let given: GivenKnowledge;
beforeAll(async () => {
  given = await givenKnowledge();
});
afterAll(() => given.stop());

const embedder = new HashEmbedder();
const vocabulary = Array.from({ length: 300 }, (_, i) => `word${i}`);
let made = 0;
const givenBase = async () => (await given.bases.create(ours, { name: `base ${made++}` })).id;

/** Chunks with a few common and many rare words. Each has one to three vectors. */
function chunksOf(count: number, seed: number, topics = 20): GivenChunk[] {
  const next = random(seed);
  return Array.from({ length: count }, () => ({
    words: [
      ...new Set(
        Array.from(
          { length: 8 },
          () => vocabulary[Math.floor(next() ** 3 * vocabulary.length)] ?? '',
        ).flatMap((word) => (next() < 0.3 ? [word, markOften(word)] : [word])),
      ),
    ],
    vectors: Array.from({ length: 1 + Math.floor(next() * 3) }, () =>
      vectorNear(Math.floor(next() * topics), next),
    ),
    enabled: next() > 0.1,
  }));
}

/** Every enabled chunk with its score, the best first, computed without the database. */
async function bruteForce(
  documents: GivenChunk[][],
  query: string,
): Promise<{ words: string; score: number }[]> {
  const asked = await embedder.embedQuery(query);
  const words = indexedWords(query);
  const counts = new Map<string, number>();
  for (const chunk of documents.flat())
    for (const word of chunk.words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const idf = buildIdf(documents.flat().length, counts);
  const cosine = (vector: Float32Array) => vector.reduce((sum, value, i) => sum + value * (asked[i] ?? 0), 0);
  return documents
    .flat()
    .filter(({ enabled }) => enabled !== false)
    .map((chunk) => ({
      words: chunk.words.join(' '),
      score: score(
        nearness(...nearest(chunk.vectors.map(cosine))),
        words,
        (word) => (chunk.words.includes(markOften(word)) ? 'often' : chunk.words.includes(word)),
        idf,
        countTokens(chunk),
      ),
    }))
    .toSorted((a, b) => b.score - a.score);
}

function nearest(cosines: number[]): [number, number?] {
  const [best = NaN, next] = cosines.toSorted((a, b) => b - a);
  return [best, next];
}

/** The share of results with a score among the true best. It compares scores, because chunks with equal scores may come in any order. */
function recall(found: { similarity: number }[], all: { score: number }[]): number {
  const least = all[found.length - 1]?.score ?? 0;
  return found.filter(({ similarity }) => similarity >= least - 2e-3).length / Math.max(1, found.length);
}

const queries = [
  'word3 word250',
  'word299',
  'word1 word2 word4',
  'nothing of this is there',
  'word120 word7 word88 word9',
];

describe('a search', () => {
  test('a search finds the results of scoring every chunk, for any number of results', async () => {
    const base = await givenBase();
    const documents = Array.from({ length: 10 }, (_, i) => chunksOf(100, i));
    for (const chunks of documents) await givenDocument(given, base, chunks);
    for (const query of queries) {
      const all = await bruteForce(documents, query);
      for (const topK of [1, 10, 100]) {
        const found = await given.search.search(ours, { baseIds: [base], actor: 'usr_a', query, topK });
        expect([query, topK, found.length, recall(found, all)]).toEqual([query, topK, topK, 1]);
        const scores = found.map(({ similarity }) => similarity);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        for (const [i, one] of scores.entries())
          expect(Math.abs(one - (all[i]?.score ?? 0))).toBeLessThan(2e-3);
      }
    }
  });

  test('a search finds the same for a query that an invisible character breaks', async () => {
    const base = await givenBase();
    await givenDocument(given, base, chunksOf(50, 7));
    const find = (query: string) =>
      given.search.search(ours, { baseIds: [base], actor: 'usr_a', query, topK: 20 });
    expect(await find('wo\u00ADrd3 wor\u200Bd250')).toEqual(await find('word3 word250'));
  });

  test('a search finds the same when some words are on too many lines to be read', async () => {
    const base = await givenBase();
    const documents = Array.from({ length: 10 }, (_, i) => chunksOf(50, 500 + i));
    for (const chunks of documents) await givenDocument(given, base, chunks);
    const { linesMax } = given.app.get(CandidateSearch);
    const exact = linesMax.exact;
    try {
      for (linesMax.exact of [0, 12])
        for (const query of queries) {
          const all = await bruteForce(documents, query);
          const found = await given.search.search(ours, { baseIds: [base], actor: 'usr_a', query, topK: 10 });
          expect([query, linesMax.exact, recall(found, all)]).toEqual([query, linesMax.exact, 1]);
          for (const [i, { similarity }] of found.entries())
            expect(Math.abs(similarity - (all[i]?.score ?? 0))).toBeLessThan(2e-3);
        }
    } finally {
      linesMax.exact = exact;
    }
  });

  test('a search gives all requested results, and the best, from a base with 1 % of all vectors', async () => {
    const [small, crowded] = [await givenBase(), await givenBase()];
    const documents = [chunksOf(20, 1000)];
    await givenDocument(given, small, documents[0] ?? []);
    for (let i = 0; i < 4; i++) await givenDocument(given, crowded, chunksOf(500, 2000 + i));
    await given.owner.query('analyze');
    for (const query of queries) {
      const found = await given.search.search(ours, { baseIds: [small], actor: 'usr_a', query, topK: 10 });
      expect([found.length, recall(found, await bruteForce(documents, query))]).toEqual([10, 1]);
    }
  });

  test('a search gives all enabled chunks when there are fewer than requested', async () => {
    const base = await givenBase();
    const chunks = chunksOf(40, 5);
    await givenDocument(given, base, chunks);
    const enabled = chunks.filter((chunk) => chunk.enabled).length;
    const found = await given.search.search(ours, {
      baseIds: [base],
      actor: 'usr_a',
      query: 'word1',
      topK: 100,
    });
    expect([enabled < 40, found.length]).toEqual([true, enabled]);
  });

  test('a search finds nearly all by the index of a large base, and still gives all requested results', async () => {
    const base = await givenBase();
    const documents = Array.from({ length: 3 }, (_, i) => chunksOf(300, 3000 + i));
    for (const chunks of documents) await givenDocument(given, base, chunks);
    const indexes = given.app.get(VectorIndexes);
    expect(await indexes.buildDueIndexes(undefined, 1500)).toBeGreaterThan(0);
    expect((await given.bases.get(ours, base)).indexState).toBe('ready');
    const recalls: number[] = [];
    for (const query of queries) {
      const all = await bruteForce(documents, query);
      for (const topK of [10, 100]) {
        const found = await given.search.search(ours, { baseIds: [base], actor: 'usr_a', query, topK });
        expect(found).toHaveLength(topK);
        recalls.push(recall(found, all));
      }
    }
    const mean = recalls.reduce((sum, one) => sum + one, 0) / recalls.length;
    expect(mean).toBeGreaterThanOrEqual(0.95);
    // With most documents disabled, the index returns too few chunks, and the search compares all vectors.
    await given.owner.query(
      `update documents d set enabled = false from knowledge_bases b where b.no = d.base_no and b.id = $1
       and d.no <> (select max(no) from documents)`,
      [base],
    );
    const found = await given.search.search(ours, {
      baseIds: [base],
      actor: 'usr_a',
      query: 'word3',
      topK: 100,
    });
    expect(found).toHaveLength(100);
    await given.owner.query(
      `delete from documents where base_no = (select no from knowledge_bases where id = $1)`,
      [base],
    );
    await given.owner.query(
      'delete from vectors.chunk_vectors where base_no = (select no from knowledge_bases where id = $1)',
      [base],
    );
    expect(await indexes.buildDueIndexes(undefined, 1500)).toBe(1);
    expect((await given.bases.get(ours, base)).indexState).toBeNull();
  });

  test('a search does not keep a process that stops waiting for the index of a large base, which the next turn builds', async () => {
    const base = await givenBase();
    for (let i = 0; i < 3; i++) await givenDocument(given, base, chunksOf(300, 4000 + i));
    const indexes = given.app.get(VectorIndexes);
    const other = new pg.Client({ connectionString: given.url });
    await other.connect();
    // The build waits for every earlier transaction that has written the table.
    await other.query(
      `begin; update vectors.chunk_vectors set enabled = enabled where base_no = (select no from knowledge_bases where id = '${base}')`,
    );
    const stop = new AbortController();
    const turn = indexes.buildDueIndexes(new TurnBounds(Infinity, stop.signal), 1500);
    await untilSessions(given.owner, building);
    stop.abort();
    expect(await turn).toBe(0);
    expect(await findSessions(given.owner, building)).toEqual([]);
    await other.query('rollback');
    await other.end();
    expect(await indexes.buildDueIndexes(undefined, 1500)).toBe(1);
    expect((await given.bases.get(ours, base)).indexState).toBe('ready');
  });
});

const building = `state = 'active' and query like 'create index concurrently%'`;
