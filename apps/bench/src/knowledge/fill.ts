import type pg from 'pg';
import { insertChunks, insertVectors, insertWords } from '#libs/knowledge/ingestion/ingestion.sql';
import type { Corpus, Made } from './corpus.ts';

const perDocument = 500;

/**
 * Writes the chunks as processed documents of the base, with the statements of the product, because embedding them
 * would take hours. They appear all at once, so that a worker builds the index over all of them.
 */
export async function fill(owner: pg.Client, baseId: string, { chunks }: Corpus): Promise<void> {
  await owner.query('begin');
  for (let from = 0; from < chunks.length; from += perDocument)
    await document(owner, baseId, chunks.slice(from, from + perDocument));
  await owner.query('commit');
}

/** Does what autovacuum would do after so many new rows, without waiting for it. */
export async function settle(owner: pg.Client): Promise<void> {
  for (const name of ['chunks', 'chunk_words', 'knowledge_words', 'documents', 'vectors.chunk_vectors'])
    await owner.query(`vacuum analyze ${name}`);
}

async function document(owner: pg.Client, baseId: string, chunks: readonly Made[]): Promise<void> {
  const { rows } = await owner.query<{ no: string; base_no: string; workspace_id: string }>(makeDocument, [
    baseId,
    chunks.length,
  ]);
  const { no, base_no: base, workspace_id: workspace } = rows[0] ?? { no: '', base_no: '', workspace_id: '' };
  const texts = chunks.map(({ words }, n) => {
    const content = words.join(' ');
    return { n, start_at: 0, end_at: content.length, content, token_count: words.length, headings: [] };
  });
  await owner.query(insertChunks, [base, no, 1, workspace, JSON.stringify(texts)]);
  await owner.query(insertWords, [base, no, 1, workspace, JSON.stringify(wordsOf(chunks))]);
  await owner.query(insertVectors, [
    base,
    no,
    1,
    chunks[0]?.vector.length ?? 0,
    workspace,
    chunks.map((_, n) => n),
    chunks.map(() => 0),
    chunks.map(({ vector }) => `[${Array.from(vector, (value) => value.toFixed(6)).join(',')}]`),
  ]);
}

function wordsOf(chunks: readonly Made[]): { word: string; segment: number; bits: string }[] {
  const byWord = new Map<string, Set<number>>();
  for (const [n, { words }] of chunks.entries())
    for (const word of words) byWord.set(word, (byWord.get(word) ?? new Set()).add(n));
  return [...byWord].map(([word, of]) => {
    const bits = Array.from({ length: Math.max(...of) + 1 }, (_, n) => (of.has(n) ? '1' : '0')).join('');
    return { word, segment: 0, bits };
  });
}

const makeDocument = /* sql */ `
insert into documents (id, base_no, workspace_id, filename, mime_type, file_size, generation, revision, status, model, chunk_count,
  token_count, sha256)
select 'doc_' || replace(gen_random_uuid()::text, '-', ''), no, workspace_id, 'a.txt', 'text/plain', 1, 1, 1, 'completed', model, $2::int,
  $2::int, uuid_send(gen_random_uuid())
from knowledge_bases where id = $1 returning no, base_no, workspace_id`;
