import { Injectable } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import { Invalid, NotFound } from '#libs/platform/errors/errors';
import { visibleText } from '#libs/platform/text/invisible';
import { indexedWords, markOften } from '../ranking/ranking.ts';
import { type Base, toBase, selectBases } from '../bases/base.ts';
import {
  CandidateSearch,
  type ScoredChunk,
  buildIdf,
  type SearchQuestion,
  type SearchContext,
} from './candidates.ts';
import { buildChunkId } from '../bases/chunk-ids.ts';
import { Embedding } from './embedding.ts';
import * as sql from './search.sql.ts';
import { buildCondition, type TagFilter } from './tag-filters.ts';
import { tagsToShow, type TagDefinition, type TagValue } from '../bases/tags.ts';
import { bookEmbedding } from '../ingestion/usage.sql.ts';
import { vectorText } from './vectors.ts';

export interface SearchRequest {
  baseIds: readonly string[];
  query?: string;
  topK: number;
  /** The caller: a user or a key. */
  actor: string;
  tagFilters?: readonly TagFilter[];
}

/** A chunk that answers a query. */
export interface SearchResult {
  baseId: string;
  documentId: string;
  documentName: string;
  /** Null for a document that was uploaded. */
  sourceUrl: string | null;
  chunkId: string;
  chunkIndex: number;
  content: string;
  /** In [0, 1]; results come in its order. */
  similarity: number;
  /** The similarity by vectors alone: mainly of the nearest vector, and partly of the second nearest. Null without a query. */
  cosine: number | null;
  start: number | null;
  end: number | null;
  headings: string[];
  tokenCount: number;
  tags: Record<string, TagValue>;
}

/** Finds the chunks that answer a query, over one or several bases. */
@Injectable()
export class KnowledgeSearch {
  constructor(
    private readonly database: Database,
    private readonly embedding: Embedding,
    private readonly candidates: CandidateSearch,
  ) {}

  /**
   * The best chunks, at most `topK`. Without a query: chunks of the documents that the filters match. Throws `NotFound` with the id of a
   * missing base, `Invalid` for wrong filters, `QueriesBusy`, and `Unavailable` when this installation has another model.
   */
  async search(
    workspaceId: string,
    { baseIds, query: asked, topK, actor, tagFilters = [] }: SearchRequest,
  ): Promise<SearchResult[]> {
    const query = asked === undefined ? undefined : visibleText(asked);
    const words = indexedWords(query ?? '').slice(0, queryWordsMax);
    const { bases, models, counts } = await this.loadBases(workspaceId, baseIds, words);
    const [only] = bases;
    if (tagFilters.length > 0 && bases.length > 1)
      throw Invalid.field('tagFilters', 'can be used with one knowledge base only', 'one_base');
    const where: sql.DocumentReach['where'] = (add) => buildCondition(only?.tags ?? [], tagFilters, add);
    // Checks the filters now, so that a wrong filter is refused even when the base has no documents.
    where(() => '');
    const reaches = await this.reaches(bases, models, where);
    const found =
      query === undefined
        ? await this.listed(workspaceId, reaches, topK)
        : await this.ranked(workspaceId, reaches, { query, words, counts }, topK);
    if (query !== undefined && reaches.length > 0) await this.book(workspaceId, actor, query);
    return this.shown(workspaceId, found);
  }

  /** Reads the bases, the models of their documents, and the counts of the words, in one round trip. */
  private async loadBases(workspaceId: string, ids: readonly string[], words: readonly string[]) {
    const wanted = [...new Set(ids)];
    const given = [workspaceId, wanted];
    const [rows = [], models = [], counts = []] = await this.database.batch(workspaceId, [
      [`${selectBases} where b.workspace_id = $1 and b.id = any($2)`, given],
      [sql.selectModels, given],
      [sql.selectCounts, [...given, [...words, ...words.map(markOften)]]],
    ]);
    const bases = rows.map(toBase);
    const missing = wanted.find((id) => !bases.some((base) => base.id === id));
    if (missing !== undefined) throw new NotFound(`knowledge base: ${missing}`);
    return {
      bases,
      models,
      counts: new Map(counts.map((row) => [String(row['word']), Number(row['chunks'])])),
    };
  }

  /** The searches to run: for each base, a search for each model of its documents. */
  private reaches(
    bases: readonly Base[],
    models: Record<string, unknown>[],
    where: sql.DocumentReach['where'],
  ) {
    return Promise.all(
      models.map(async (row) => {
        const [baseNo, model] = [String(row['base_no']), String(row['model'])];
        const { dimension } = await this.embedding.findEmbedder(model);
        const indexed = bases.some(({ no, indexState }) => no === baseNo && indexState === 'ready');
        const size = { chunks: Number(row['chunks']), segments: Number(row['segments']) };
        return { baseNo, model, dimension, where, indexed, ...size };
      }),
    );
  }

  private async ranked(
    workspaceId: string,
    reaches: SearchContext[],
    { query, words, counts }: { query: string; words: string[]; counts: ReadonlyMap<string, number> },
    topK: number,
  ): Promise<ScoredChunk[]> {
    const total = reaches.reduce((sum, { chunks }) => sum + chunks, 0);
    const found: ScoredChunk[] = [];
    for (const reach of reaches) {
      const vector = vectorText(await this.embedding.embedQuery(workspaceId, reach.model, query));
      const question: SearchQuestion = { vector, words, idf: buildIdf(total, counts), counts };
      found.push(...(await this.candidates.best(workspaceId, reach, question, topK)));
    }
    return found.toSorted((a, b) => b.similarity - a.similarity).slice(0, topK);
  }

  private async listed(
    workspaceId: string,
    reaches: readonly sql.DocumentReach[],
    topK: number,
  ): Promise<ScoredChunk[]> {
    const found: ScoredChunk[] = [];
    for (const reach of reaches) {
      const rows = await this.database.statement(
        workspaceId,
        ...sql.selectChunks(reach, topK - found.length),
      );
      for (const { document_no: document, generation, n } of rows)
        found.push({
          baseNo: reach.baseNo,
          document: String(document),
          generation: Number(generation),
          index: Number(n),
          cosine: null,
          similarity: 1,
        });
    }
    return found;
  }

  private async shown(workspaceId: string, found: readonly ScoredChunk[]): Promise<SearchResult[]> {
    const rows = await this.database.statement(workspaceId, sql.selectContents, [
      found.map(({ baseNo }) => baseNo),
      found.map(({ document }) => document),
      found.map(({ generation }) => generation),
      found.map(({ index }) => index),
    ]);
    const byPlace = new Map(rows.map((row) => [`${row['document_no']} ${row['n']}`, row]));
    return found.flatMap((one) => {
      const row = byPlace.get(`${one.document} ${one.index}`);
      return row ? [toResult(one, row)] : [];
    });
  }

  private async book(workspaceId: string, actor: string, query: string): Promise<void> {
    const cost = this.embedding.computeCost(await this.embedding.current(), [query]);
    if (cost > 0) await this.database.statement(workspaceId, bookEmbedding, [workspaceId, actor, cost]);
  }
}

const queryWordsMax = 64;

function toResult(
  { similarity, cosine, generation, index }: ScoredChunk,
  row: Record<string, unknown>,
): SearchResult {
  const documentId = String(row['id']);
  return {
    baseId: String(row['base_id']),
    documentId,
    documentName: String(row['filename']),
    sourceUrl: row['source_url'] as string | null,
    chunkId: buildChunkId(documentId, generation, index),
    chunkIndex: index,
    content: String(row['content']),
    similarity,
    cosine,
    start: row['start_at'] as number | null,
    end: row['end_at'] as number | null,
    headings: row['headings'] as string[],
    tokenCount: Number(row['token_count']),
    tags: tagsToShow(row['definitions'] as TagDefinition[], row['tags'] as Record<string, TagValue>),
  };
}
