import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { appendEntry } from '#libs/platform/database/audited';
import { visibleText } from '#libs/platform/text/invisible';
import { Database, send } from '#libs/platform/database/database';
import { Conflict, NotFound } from '#libs/platform/errors/errors';
import { storedWords } from '../ranking/ranking.ts';
import { buildChunkId, parseChunkId } from './chunk-ids.ts';
import {
  type DocumentRef,
  foundDocument,
  type KnowledgeDocument,
  oneDocument,
  readDocument,
} from './document.ts';
import { Embedding } from '../search/embedding.ts';
import { segmentSize } from '../ingestion/segments.ts';
import { bookEmbedding } from '../ingestion/usage.sql.ts';
import { vectorText } from '../search/vectors.ts';

export interface DocumentChunk {
  id: string;
  index: number;
  content: string;
  /** Offsets into the text of the document; null once a person has changed the content. */
  start: number | null;
  end: number | null;
  headings: string[];
  tokenCount: number;
  enabled: boolean;
}

export interface ChunkRef extends DocumentRef {
  chunkId: string;
}

/** The chunks of documents, as callers see them. */
@Injectable()
export class Chunks {
  constructor(
    private readonly database: Database,
    private readonly embedding: Embedding,
  ) {}

  async list(
    ref: DocumentRef,
    { search = '', enabled = null, limit, offset }: ChunkList,
  ): Promise<{ chunks: DocumentChunk[]; total: number }> {
    const document = await readDocument(this.database, ref);
    const of = [document.no, document.generation, visibleText(search), enabled];
    const [rows = [], [count] = []] = await this.database.batch(ref.workspaceId, [
      [`${selectChunks} ${listed} order by c.n limit $5 offset $6`, [...of, limit, offset]],
      [
        `select count(*) as n from chunks c join documents d on d.base_no = c.base_no and d.no = c.document_no ${listed}`,
        of,
      ],
    ]);
    return { chunks: rows.map((row) => toDocumentChunk(document, row)), total: Number(count?.['n'] ?? 0) };
  }

  async get(ref: ChunkRef): Promise<DocumentChunk> {
    const document = await readDocument(this.database, ref);
    const [row] = await this.database.statement(ref.workspaceId, oneChunk, this.buildKey(document, ref));
    if (!row) throw new NotFound('chunk');
    return toDocumentChunk(document, row);
  }

  /**
   * Changes a chunk, and returns it. Embeds a new content before the transaction starts. A later processing of the document replaces the
   * chunk. Throws `NotFound`, `Conflict` while the document is processed, `Unavailable` for another model, and `EmbeddingRefused`.
   */
  async update(
    ref: ChunkRef,
    { content: given, enabled }: { content?: string; enabled?: boolean },
    actor: string,
  ): Promise<DocumentChunk> {
    const content = given === undefined ? undefined : visibleText(given);
    const before = await this.get(ref);
    const { model } = await readDocument(this.database, ref);
    const made =
      content === undefined || content === before.content
        ? null
        : await this.embed(ref.workspaceId, model, before, content);
    await this.change(ref, async (tx, document, key) => {
      if (made) await this.write(tx, ref, document, { ...made, before, index: Number(key[2]), actor });
      if (enabled !== undefined) {
        await send(tx, enableChunk, [...key, enabled]);
        await send(tx, enableVectors, [...key, enabled]);
      }
      await this.note(tx, ref, 'chunk.updated', {
        content: content === undefined ? 'as before' : 'changed',
        enabled,
      });
    });
    return this.get(ref);
  }

  async delete(ref: ChunkRef): Promise<void> {
    await this.change(ref, async (tx, { no }, key) => {
      await send(tx, dropVectors, key);
      await send(tx, dropChunk, key);
      await send(tx, recount, [no]);
      await this.note(tx, ref, 'chunk.deleted', {});
    });
  }

  /** Writes an audit entry without the content of the chunk, because a reader of the audit log may have no right to read it. */
  private async note(
    tx: EntityManager,
    { workspaceId, documentId, chunkId }: ChunkRef,
    action: string,
    changes: object,
  ): Promise<void> {
    const shown = JSON.stringify({ documentId, ...changes });
    await send(tx, appendEntry, [workspaceId, action, 'chunk', chunkId, shown]);
  }

  private async embed(
    workspaceId: string,
    model: string | null,
    { headings }: DocumentChunk,
    content: string,
  ) {
    const embedder = await this.embedding.findEmbedder(model ?? '');
    const windows = embedder.windows({ content, headingPath: headings });
    const vectors = await embedder.embedDocuments(windows, undefined, workspaceId);
    const { dimension } = embedder;
    return {
      content,
      vectors,
      dimension,
      tokenCount: embedder.countTokens(content),
      cost: this.embedding.computeCost(embedder, windows),
    };
  }

  /** Changes a visible chunk with the row of its document locked. A switch to new chunks waits for it, or has already happened. */
  private async change(
    ref: ChunkRef,
    work: (tx: EntityManager, document: KnowledgeDocument, key: unknown[]) => Promise<void>,
  ): Promise<void> {
    await this.database.within(ref.workspaceId, async (tx) => {
      const document = foundDocument((await send(tx, ...oneDocument(ref, 'for no key update of d')))[0]);
      if (document.status === 'pending' || document.status === 'processing')
        throw new Conflict('The document is being processed, which makes new chunks.', 'DOCUMENT_PROCESSING');
      const key = this.buildKey(document, ref);
      if ((await send(tx, oneChunk, key)).length === 0) throw new NotFound('chunk');
      await work(tx, document, key);
    });
  }

  private async write(
    tx: EntityManager,
    ref: ChunkRef,
    { no, generation }: KnowledgeDocument,
    made: Awaited<ReturnType<Chunks['embed']>> & { before: DocumentChunk; index: number; actor: string },
  ): Promise<void> {
    const { content, vectors, dimension, tokenCount, cost, before, index } = made;
    const key = [no, generation, index];
    await send(tx, writeChunk, [...key, content, tokenCount]);
    const texts = vectors.map(vectorText);
    await send(tx, dropVectors, key);
    await send(tx, writeVectors, [...key, dimension, texts]);
    const words = (text: string) => storedWords([...before.headings, text].join('\n'));
    const [former, next] = [words(before.content), words(content)];
    const gone = former.filter((word) => !next.includes(word)).toSorted();
    const fresh = next.filter((word) => !former.includes(word)).toSorted();
    await send(tx, takeWords, [...key, gone]);
    await send(tx, countLess, [no, gone]);
    await send(tx, giveWords, [...key, fresh]);
    await send(tx, countMore, [no, fresh]);
    await send(tx, recount, [no]);
    if (cost > 0) await send(tx, bookEmbedding, [ref.workspaceId, made.actor, cost]);
  }

  private buildKey({ no, id, generation }: KnowledgeDocument, { chunkId }: ChunkRef): unknown[] {
    const parts = parseChunkId(chunkId);
    if (!parts || parts.document !== id || parts.generation !== generation) throw new NotFound('chunk');
    return [no, generation, parts.index];
  }
}

export interface ChunkList {
  search?: string;
  enabled?: boolean | null;
  limit: number;
  offset: number;
}

function toDocumentChunk({ id, generation }: KnowledgeDocument, row: Record<string, unknown>): DocumentChunk {
  const index = Number(row['n']);
  return {
    id: buildChunkId(id, generation ?? 0, index),
    index,
    content: String(row['content']),
    start: row['start_at'] as number | null,
    end: row['end_at'] as number | null,
    headings: row['headings'] as string[],
    tokenCount: Number(row['token_count']),
    enabled: row['enabled'] === true,
  };
}

const selectChunks = /* sql */ `
select c.n, c.start_at, c.end_at, c.content, c.headings, c.token_count, c.enabled
from chunks c join documents d on d.base_no = c.base_no and d.no = c.document_no`;

const listed = /* sql */ `
where c.document_no = $1 and c.generation = $2 and strpos(lower(c.content), lower($3)) > 0
  and ($4::boolean is null or c.enabled = $4)`;

const oneChunk = `${selectChunks} where c.document_no = $1 and c.generation = $2 and c.n = $3`;

/** SQL: the condition on rows of a chunk. $1 document, $2 generation, $3 index. The number of the base selects the partition. */
const keyed = (
  line: string,
) => `from documents d where d.no = $1 and ${line}.base_no = d.base_no and ${line}.document_no = $1
  and ${line}.generation = $2 and ${line}.n = $3`;

const enableChunk = `update chunks c set enabled = $4 ${keyed('c')}`;
const enableVectors = `update vectors.chunk_vectors v set enabled = $4 ${keyed('v')}`;

const writeChunk = `update chunks c set content = $4, token_count = $5, start_at = null, end_at = null ${keyed('c')}`;

const dropVectors = /* sql */ `
delete from vectors.chunk_vectors v using documents d
where d.no = $1 and v.base_no = d.base_no and v.document_no = $1 and v.generation = $2 and v.n = $3`;

const dropChunk = /* sql */ `
delete from chunks c using documents d
where d.no = $1 and c.base_no = d.base_no and c.document_no = $1 and c.generation = $2 and c.n = $3`;

const writeVectors = /* sql */ `
insert into vectors.chunk_vectors (base_no, document_no, generation, n, part, dimension, enabled, workspace_id, embedding)
select c.base_no, c.document_no, c.generation, c.n, v.part - 1, $4, c.enabled, c.workspace_id, v.embedding::halfvec
from documents d join chunks c on c.base_no = d.base_no and c.document_no = d.no and c.generation = $2 and c.n = $3,
  unnest($5::text[]) with ordinality as v (embedding, part)
where d.no = $1`;

const recount = /* sql */ `
update documents d set chunk_count = c.n, token_count = c.tokens, updated_at = now()
from documents o, lateral (
  select count(*) as n, coalesce(sum(token_count), 0) as tokens from chunks
  where base_no = o.base_no and document_no = o.no and generation = o.generation) c
where d.no = $1 and o.no = d.no`;

const takeWords = /* sql */ `
update chunk_words w set chunks = set_bit(w.chunks, $3 % ${segmentSize}, 0) from documents d
where d.no = $1 and w.base_no = d.base_no and w.document_no = $1 and w.generation = $2 and w.segment = $3 / ${segmentSize}
  and w.word = any($4::text[]) and length(w.chunks) > $3 % ${segmentSize}`;

/** SQL: a 0 bit for each chunk of the segment before the chunk, and a 1 bit for the chunk. */
const firstBits = `repeat('0', $3::int % ${segmentSize})::varbit || B'1'`;

const giveWords = /* sql */ `
insert into chunk_words as w (base_no, word, document_no, generation, segment, chunks, workspace_id)
select d.base_no, given.word, d.no, $2, $3::int / ${segmentSize}, ${firstBits}, d.workspace_id
from documents d, unnest($4::text[]) as given (word) where d.no = $1
on conflict (base_no, word, document_no, generation, segment) do update set chunks =
  case when length(w.chunks) > $3::int % ${segmentSize} then set_bit(w.chunks, $3::int % ${segmentSize}, 1)
  else w.chunks || repeat('0', $3::int % ${segmentSize} - length(w.chunks))::varbit || B'1' end`;

const countLess = /* sql */ `
update knowledge_words k set chunks = k.chunks - 1 from documents d
where d.no = $1 and k.base_no = d.base_no and k.word = any($2::text[])`;

const countMore = /* sql */ `
insert into knowledge_words as k (base_no, word, chunks, workspace_id)
select d.base_no, given.word, 1, d.workspace_id from documents d, unnest($2::text[]) as given (word) where d.no = $1
on conflict (base_no, word) do update set chunks = k.chunks + 1`;
