import { Module } from '@nestjs/common';
import type pg from 'pg';
import { type GivenStore, givenStore } from '#libs/platform/database/support/store';
import { TemporalClientModule } from '#libs/platform/temporal-client/temporal-client.module';
import { KnowledgeBases } from '../bases/bases.ts';
import { KnowledgeModule } from '../knowledge.module.ts';
import { KnowledgeSearch } from '../search/search.ts';
import { vectorText } from '../search/vectors.ts';

@Module({ imports: [TemporalClientModule, KnowledgeModule] })
class Rooms {}

export const ours = 'ws_a';
export const dimension = 384;

/** The services of knowledge on a database for a single test file, with a workspace. */
export interface GivenKnowledge extends GivenStore {
  bases: KnowledgeBases;
  search: KnowledgeSearch;
}

export async function givenKnowledge(): Promise<GivenKnowledge> {
  const store = await givenStore(Rooms, (url) => ({ EMBEDDER: 'hash', DATABASE_DIRECT_URL: url }));
  await store.owner.query(`insert into workspaces (id, name) values ('${ours}', 'ours')`);
  return { ...store, bases: store.app.get(KnowledgeBases), search: store.app.get(KnowledgeSearch) };
}

/** A chunk of a test: its words, and its vectors. */
export interface GivenChunk {
  words: string[];
  vectors: Float32Array[];
  enabled?: boolean;
}

/** Writes a processed document directly into the tables, because an embedder would be slow. Returns the number of the document. */
export async function givenDocument(
  { owner }: GivenStore,
  baseId: string,
  chunks: readonly GivenChunk[],
): Promise<string> {
  const { rows } = await owner.query<{ no: string; base_no: string }>(
    `insert into documents (id, base_no, workspace_id, filename, mime_type, file_size, generation, revision, status, model, chunk_count,
       token_count, sha256)
     select 'doc_' || replace(gen_random_uuid()::text, '-', ''), no, workspace_id, 'a.txt', 'text/plain', 1, 1, 1, 'completed', model, $2::int, $2::int,
       uuid_send(gen_random_uuid())
     from knowledge_bases where id = $1 returning no, base_no`,
    [baseId, chunks.length],
  );
  const { no = '', base_no: base = '' } = rows[0] ?? {};
  await writeChunks(owner, { base, no }, chunks);
  await writeWords(owner, { base, no }, chunks);
  return no;
}

interface Place {
  base: string;
  no: string;
}

async function writeWords(
  owner: pg.Client,
  { base, no }: Place,
  chunks: readonly GivenChunk[],
): Promise<void> {
  const words = new Map<string, Set<number>>();
  for (const [n, chunk] of chunks.entries())
    for (const word of chunk.words) words.set(word, (words.get(word) ?? new Set()).add(n));
  await owner.query(
    `with given as (
       select w.word, w.n / 1024 as segment, w.n % 1024 as place
       from unnest($3::text[], $4::int[]) as w (word, n)),
     bits as (
       select word, segment, (select string_agg(case when g.place = any(array_agg(given.place)) then '1' else '0' end, '' order by g.place)
         from generate_series(0, max(given.place)) as g (place))::varbit as chunks
       from given group by word, segment),
     counted as (
       insert into knowledge_words as k (base_no, word, chunks, workspace_id)
       select $1, word, sum(bit_count(chunks)), '${ours}' from bits group by word
       on conflict (base_no, word) do update set chunks = k.chunks + excluded.chunks)
     insert into chunk_words (base_no, document_no, generation, workspace_id, word, segment, chunks)
     select $1, $2, 1, '${ours}', word, segment, chunks from bits`,
    [
      base,
      no,
      [...words].flatMap(([word, of]) => [...of].map(() => word)),
      [...words].flatMap(([, of]) => [...of]),
    ],
  );
}

async function writeChunks(
  owner: pg.Client,
  { base, no }: Place,
  chunks: readonly GivenChunk[],
): Promise<void> {
  await owner.query(
    `insert into chunks (base_no, document_no, generation, n, workspace_id, content, headings, token_count, enabled)
     select $1, $2, 1, c.n - 1, '${ours}', c.content, '[]', c.tokens, c.enabled
     from unnest($3::text[], $4::boolean[], $5::int[]) with ordinality as c (content, enabled, tokens, n)`,
    [base, no, ...chunkColumns(chunks)],
  );
  const vectors = chunks.flatMap(({ vectors: all, enabled = true }, n) =>
    all.map((vector, part) => ({ n, part, enabled, vector: vectorText(vector) })),
  );
  await owner.query(
    `insert into vectors.chunk_vectors (base_no, document_no, generation, dimension, enabled, workspace_id, n, part, embedding)
     select $1, $2, 1, ${dimension}, v.enabled, '${ours}', v.n, v.part, v.embedding::halfvec
     from unnest($3::int[], $4::smallint[], $5::boolean[], $6::text[]) as v (n, part, enabled, embedding)`,
    [
      base,
      no,
      vectors.map(({ n }) => n),
      vectors.map(({ part }) => part),
      vectors.map(({ enabled }) => enabled),
      vectors.map(({ vector }) => vector),
    ],
  );
}

/** Numbers that look random and are the same in every run. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A vector of length 1 near a topic. Vectors of texts group around topics in the same way. */
export function vectorNear(topic: number, next: () => number, spread = 1): Float32Array {
  const towards = random(topic * 7919 + 1);
  const vector = Float32Array.from({ length: dimension }, () => towards() - 0.5 + spread * (next() - 0.5));
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** A number of tokens as in a long text. */
export function countTokens({ words }: GivenChunk): number {
  return words.length * 100;
}

function chunkColumns(chunks: readonly GivenChunk[]): unknown[][] {
  const contents = chunks.map(({ words }) => words.join(' '));
  return [contents, chunks.map(({ enabled = true }) => enabled), chunks.map(countTokens)];
}
