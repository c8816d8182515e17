import { Injectable } from '@nestjs/common';
import { isAway, isUnavailable } from '#libs/platform/database/violations';
import type { Json, JsonObject } from '#libs/platform/json/json';
import { Fault, NotFound } from '#libs/platform/errors/errors';
import { digestOf } from '#libs/platform/files/files';
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
  type Work,
} from '../effects/effect-handler.ts';

const topKMax = 100;
const queryCharsMax = 10_000;
const textBytesMax = 10_000_000;

/** Searches knowledge bases, or adds a document. What it adds is committed together with its output, so it is added once. */
@Injectable()
export class KnowledgeBlock implements EffectHandler {
  constructor(
    private readonly bases: KnowledgeBases,
    private readonly searches: KnowledgeSearch,
    private readonly documents: KnowledgeDocuments,
    private readonly room: StorageQuota,
  ) {}

  async carryOut(work: Work): Promise<Json | Committed> {
    try {
      return work.params.operation === 'add' ? await this.add(work) : await this.search(work);
    } catch (error) {
      throw failureOf(error);
    }
  }

  private async search({ params, run: { workspaceId, executionId } }: Work): Promise<Json> {
    const named = params.knowledgeBases;
    if (
      !Array.isArray(named) ||
      named.length < 1 ||
      named.length > 20 ||
      !named.every((one) => typeof one === 'string')
    )
      throw wrong('knowledgeBases must be a list of one to twenty names or ids.');
    const query = textOf(params, 'query', queryCharsMax);
    const { topK = 10, tagFilters = [] } = params;
    if (typeof topK !== 'number' || !Number.isInteger(topK) || topK < 1 || topK > topKMax)
      throw wrong(`topK must be a whole number from 1 to ${topKMax}.`);
    const found = await Promise.all(named.map((one) => this.bases.findBase(workspaceId, one)));
    const actor = await this.bases.actorOf(workspaceId, executionId);
    const baseIds = found.map(({ id }) => id);
    const wanted = { baseIds, query, topK, actor, tagFilters: filtersOf(tagFilters) };
    const results = await this.searches.search(workspaceId, wanted);
    return { results: results.map(shown), totalResults: results.length };
  }

  private async add({ params, run: { workspaceId, executionId }, commitOnce }: Work): Promise<Committed> {
    const base = await this.bases.findBase(workspaceId, textOf(params, 'knowledgeBase', 1000));
    const document = sourceOf(params);
    const actor = await this.bases.actorOf(workspaceId, executionId);
    const place = { workspaceId, baseId: base.id };
    return commitOnce(async (tx) => {
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

function sourceOf(params: JsonObject): NewDocument {
  const { tags = null, text = null, url = null } = params;
  if (tags !== null && !isPlainObject(tags)) throw wrong('tags must be an object.');
  if ((text === null) === (url === null)) throw wrong('Either text or url must be given.');
  if (url !== null) {
    const filename = params.filename === undefined ? undefined : textOf(params, 'filename', 255);
    return { source: sourceOfUrl(textOf(params, 'url', 2000), filename), tags: tags ?? {} };
  }
  const content = Buffer.from(textOf(params, 'text', textBytesMax));
  const filename = textOf(params, 'filename', 255);
  const file = { content, filename, mimeType: 'text/plain', size: content.length, sha256: digestOf(content) };
  return { source: { file }, tags: tags ?? {} };
}

function filtersOf(given: Json): TagFilter[] {
  if (!Array.isArray(given) || given.length > 20)
    throw wrong('tagFilters must be a list of at most 20 filters.');
  return given.map((one) => {
    if (!isPlainObject(one) || typeof one.tagName !== 'string') throw wrong('A filter must have a tagName.');
    const { tagName, operator = 'eq', value, valueTo } = one;
    return { tagName, operator: String(operator), value, valueTo };
  });
}

/** A result as the API shows it; only a document from a URL has one. */
function shown({ sourceUrl, baseId, ...result }: SearchResult): Json {
  return { ...result, knowledgeBaseId: baseId, sourceUrl, tags: { ...result.tags } };
}

function textOf(params: JsonObject, name: string, most: number): string {
  const value = params[name];
  if (typeof value === 'string' && value.length > 0 && value.length <= most) return value;
  throw wrong(`${name} must be text of 1 to ${most} characters.`);
}

function wrong(message: string) {
  return blockFailure('INVALID_VALUE', message, { retryable: false });
}

/** The failure of the block. Only what is away can be better the next time. */
function failureOf(error: unknown): unknown {
  if (error instanceof NotFound)
    return blockFailure('KNOWLEDGE_BASE_NOT_FOUND', error.message, { retryable: false });
  if (error instanceof Fault && (error.kind === 'invalid' || error.kind === 'unpaid'))
    return blockFailure('KNOWLEDGE_REFUSED', error.message, {
      retryable: false,
      details: (error.details ?? []).map((detail) => ({ ...detail })),
    });
  // Not a failure of the block: the whole attempt is made again, as every attempt that meets no database.
  if (isAway(error)) return error;
  if (isUnavailable(error) || (error instanceof Fault && error.kind === 'unavailable'))
    return blockFailure('KNOWLEDGE_UNAVAILABLE', 'The knowledge base could not be reached in time.', {
      retryable: true,
    });
  return error;
}
