import { Injectable } from '@nestjs/common';
import { isAway, isUnavailable } from '#libs/platform/database/violations';
import type { EffectParams } from '#libs/language/definition/blocks/registry';
import { isAbsent, type Json } from '#libs/platform/json/json';
import { ApiError, NotFound } from '#libs/platform/errors/errors';
import { computeDigest } from '#libs/platform/files/files';
import { KnowledgeBases } from '#libs/knowledge/bases/bases';
import { KnowledgeDocuments, type NewDocument } from '#libs/knowledge/bases/documents';
import { KnowledgeSearch, type SearchResult } from '#libs/knowledge/search/search';
import { sourceOfUrl } from '#libs/knowledge/bases/source-url';
import type { TagFilter } from '#libs/knowledge/search/tag-filters';
import { StorageQuota } from '#libs/workspace/limits/storage-quota';
import {
  blockFailure,
  type Committed,
  type EffectHandler,
  isPlainObject,
  invalidValue,
  type EffectContext,
} from '../effects/effect-handler.ts';

type SearchParams = Extract<EffectParams<'knowledge'>, { operation: 'search' }>;
type AddParams = Extract<EffectParams<'knowledge'>, { operation: 'add' }>;

/** Searches knowledge bases, or adds a document. A document is committed together with the output, so it is added once. */
@Injectable()
export class KnowledgeHandler implements EffectHandler<'knowledge'> {
  constructor(
    private readonly bases: KnowledgeBases,
    private readonly searches: KnowledgeSearch,
    private readonly documents: KnowledgeDocuments,
    private readonly room: StorageQuota,
  ) {}

  async execute(context: EffectContext<'knowledge'>): Promise<Json | Committed> {
    try {
      const { params } = context;
      return params.operation === 'add'
        ? await this.add(params, context)
        : await this.search(params, context);
    } catch (error) {
      throw knowledgeFailure(error);
    }
  }

  private async search(
    params: SearchParams,
    { run: { workspaceId, executionId } }: Pick<EffectContext, 'run'>,
  ): Promise<Json> {
    const { knowledgeBases: names, query, topK = 10, tagFilters = [] } = params;
    const bases = await Promise.all(names.map((one) => this.bases.findBase(workspaceId, one)));
    const actor = await this.bases.findActor(workspaceId, executionId);
    const baseIds = bases.map(({ id }) => id);
    const wanted = { baseIds, query, topK, actor, tagFilters: filtersOf(tagFilters) };
    const results = await this.searches.search(workspaceId, wanted);
    return { results: results.map(viewOf), totalResults: results.length };
  }

  private async add(
    params: AddParams,
    { run: { workspaceId, executionId }, writes }: Pick<EffectContext, 'run' | 'writes'>,
  ): Promise<Committed> {
    const base = await this.bases.findBase(workspaceId, params.knowledgeBase);
    const document = sourceOf(params);
    const actor = await this.bases.findActor(workspaceId, executionId);
    const place = { workspaceId, baseId: base.id };
    return writes.commitOnce(async (tx) => {
      await this.room.require(workspaceId);
      const { added } = await this.documents.addWithin(tx, place, [document], actor);
      const [one] = added;
      if (!one) throw new Error('Nothing was added.');
      const { id, filename, status } = one.document;
      return {
        document: { id, knowledgeBaseId: base.id, filename, processingStatus: status },
        duplicate: one.known,
      };
    });
  }
}

function sourceOf({ text, url, filename, tags }: AddParams): NewDocument {
  if (isAbsent(text) === isAbsent(url)) throw invalidValue('Either text or url must be given.');
  if (!isAbsent(url)) return { source: sourceOfUrl(url, filename), tags: tags ?? {} };
  if (filename === undefined) throw invalidValue('filename: A text needs it.');
  const content = Buffer.from(text ?? '');
  const file = {
    content,
    filename,
    mimeType: 'text/plain',
    size: content.length,
    sha256: computeDigest(content),
  };
  return { source: { file }, tags: tags ?? {} };
}

function filtersOf(filters: Json[]): TagFilter[] {
  return filters.map((one) => {
    if (!isPlainObject(one) || typeof one.tagName !== 'string')
      throw invalidValue('A filter must have a tagName.');
    const { tagName, operator = 'eq', value, valueTo } = one;
    return { tagName, operator: String(operator), value, valueTo };
  });
}

/** A result as the API shows it. Only a document from a URL has `sourceUrl`. */
function viewOf({ sourceUrl, baseId, ...result }: SearchResult): Json {
  return { ...result, knowledgeBaseId: baseId, sourceUrl, tags: { ...result.tags } };
}

/** The failure of the block. A retry can only help when something was away. */
function knowledgeFailure(error: unknown): unknown {
  if (error instanceof NotFound)
    return blockFailure('KNOWLEDGE_BASE_NOT_FOUND', error.message, { retryable: false });
  if (error instanceof ApiError && (error.kind === 'invalid' || error.kind === 'unpaid'))
    return blockFailure('KNOWLEDGE_REFUSED', error.message, {
      retryable: false,
      details: (error.details ?? []).map((detail) => ({ ...detail })),
    });
  // This is no failure of the block: the whole attempt is repeated, like every attempt without a database.
  if (isAway(error)) return error;
  if (isUnavailable(error) || (error instanceof ApiError && error.kind === 'unavailable'))
    return blockFailure('KNOWLEDGE_UNAVAILABLE', 'The knowledge base could not be reached in time.', {
      retryable: true,
    });
  return error;
}
