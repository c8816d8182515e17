import type { Base } from '#libs/knowledge/bases/base';
import { tagFiltersMax, tagOperators } from '#libs/knowledge/search/tag-filters';
import { type TagDefinition, tagsMax, type TagType, tagTypes } from '#libs/knowledge/bases/tags';
import type { SearchResult } from '#libs/knowledge/search/search';
import { Anything, Int, ListOf, Num, Obj, One, OneOf, Text, Texts, Time } from '../http/fields.ts';
import { WorkspaceId } from '../http/workspace-query.ts';

const maxSizeNote = 'The maximum number of tokens in a chunk, with the overlap.';
const minSizeNote =
  'The minimum number of characters. A smaller piece joins its neighbour when maxSize allows it.';
const overlapNote =
  'The number of tokens that a chunk repeats from the previous chunk, in whole sentences; below maxSize.';

export class ChunkingBody {
  @Int({ optional: true, min: 100, max: 4000, default: 1024, description: maxSizeNote }) maxSize?: number;
  @Int({ optional: true, min: 1, max: 2000, default: 100, description: minSizeNote }) minSize?: number;
  @Int({ optional: true, min: 0, max: 500, default: 200, description: overlapNote }) overlap?: number;
}

export class CreateKnowledgeBody {
  @WorkspaceId() workspaceId?: string;
  @Text({
    min: 1,
    max: 255,
    description: 'The name, which no other knowledge base of the workspace may have.',
  })
  name!: string;
  @Text({ optional: true, max: 10_000, description: 'A description of the content; empty when left out.' })
  description?: string;
  @One(() => ChunkingBody, {
    optional: true,
    description: 'The settings for cutting documents into chunks. Each member has a default.',
  })
  chunkingConfig?: ChunkingBody;
}

export class UpdateKnowledgeBody {
  @WorkspaceId() workspaceId?: string;
  @Text({ optional: true, min: 1, max: 255, description: 'The new name. Left out: no change.' })
  name?: string;
  @Text({ optional: true, max: 10_000, description: 'The new description. Left out: no change.' })
  description?: string;
  @One(() => ChunkingBody, {
    optional: true,
    description:
      'The settings for cutting documents into chunks. After a change all documents are processed again. Until then searches find the old chunks.',
  })
  chunkingConfig?: ChunkingBody;
  @Text({
    optional: true,
    max: 200,
    description:
      'The model of the installation. A base with another model is bound to it, and all documents are embedded again.',
  })
  embeddingModel?: string;
}

export class ChunkingView {
  @Int({ description: maxSizeNote }) maxSize!: number;
  @Int({ description: minSizeNote }) minSize!: number;
  @Int({ description: overlapNote }) overlap!: number;
}

export class KnowledgeBaseView {
  @Text({ description: 'The id of the knowledge base, which begins with `kb_`.' }) id!: string;
  @Text({ description: 'The name, which is unique in the workspace.' }) name!: string;
  @Text({ description: 'The description of the content; empty when there is none.' }) description!: string;
  @Int({ description: 'The number of its documents, with the disabled documents.' }) docCount!: number;
  @Int({ description: 'The number of tokens in all chunks of its documents.' }) tokenCount!: number;
  @Text({ description: 'The model to which the base is bound.' }) embeddingModel!: string;
  @Int({ description: 'The number of dimensions of the vectors of the model.' }) embeddingDimension!: number;
  @One(() => ChunkingView, { description: 'The settings for cutting its documents into chunks.' })
  chunkingConfig!: ChunkingView;
  @Time({ description: 'The time of creation, in ISO 8601 and UTC.' }) createdAt!: string;
  @Time({ description: 'The time of the last change, in ISO 8601 and UTC.' }) updatedAt!: string;

  static of(base: Base): KnowledgeBaseView {
    const { id, name, description, docCount, tokenCount, model, dimension, chunking } = base;
    return {
      id,
      name,
      description,
      docCount,
      tokenCount,
      embeddingModel: model,
      embeddingDimension: dimension,
      chunkingConfig: chunking,
      createdAt: base.createdAt.toISOString(),
      updatedAt: base.updatedAt.toISOString(),
    };
  }
}

export class TagBody {
  @Text({
    optional: true,
    max: 100,
    description: 'The id of an existing tag, to rename it or to keep its values.',
  })
  id?: string;
  @Text({ min: 1, max: 100, description: 'The name of the tag in documents and filters.' }) name!: string;
  @OneOf(tagTypes, { description: 'The type of its values, which cannot be changed later.' })
  type!: TagType;
}

export class DefineTagsBody {
  @WorkspaceId() workspaceId?: string;
  @ListOf(() => TagBody, {
    max: tagsMax,
    description: 'All tags. A tag that is left out is removed from all documents.',
  })
  tags!: TagBody[];
}

export class TagView {
  @Text({ description: 'The id of the tag, by which it is renamed.' }) id!: string;
  @Text({ description: 'The name of the tag in documents and filters.' }) name!: string;
  @OneOf(tagTypes, { description: 'The type of its values; it decides which operators a filter may use.' })
  type!: TagType;

  static all(tags: readonly TagDefinition[]): TagView[] {
    return tags.map(({ id, name, type }) => ({ id, name, type }));
  }
}

export class TagFilterBody {
  @Text({ min: 1, max: 100, description: 'The name of a tag that the knowledge base defines.' })
  tagName!: string;
  @OneOf(tagOperators, {
    optional: true,
    default: 'eq',
    description:
      'The comparison with the value of a document. The type of the tag decides the allowed operators.',
  })
  operator?: string;
  @Anything({ description: 'A value of the type of the tag. A date has the form 2026-01-31.' })
  value: unknown;
  @Anything({ optional: true, description: 'The upper end of `between`.' }) valueTo?: unknown;
}

export class SearchKnowledgeBody {
  @WorkspaceId() workspaceId?: string;
  @Texts({ description: 'One to twenty ids of knowledge bases.' }) knowledgeBaseIds!: string[];
  @Text({
    optional: true,
    min: 1,
    max: 10_000,
    description: 'The question. It may be left out when tagFilters are given.',
  })
  query?: string;
  @Int({ optional: true, min: 1, max: 100, default: 10, description: 'The maximum number of results.' })
  topK: number = 10;
  @ListOf(() => TagFilterBody, {
    optional: true,
    max: tagFiltersMax,
    description:
      'Conditions on the tags. A document must match all of them. Only for a search in one knowledge base.',
  })
  tagFilters?: TagFilterBody[];
}

export class SearchItemView {
  @Text({ description: 'The id of the document.' }) documentId!: string;
  @Text({ description: 'The name of the file.' }) documentName!: string;
  @Text({
    description: 'The URL of origin. For an uploaded document: the URL to download its content.',
  })
  sourceUrl!: string;
  @Text({ description: 'The text of the chunk.' }) content!: string;
  @Int({ description: 'The place of the chunk in the document, from 0.' }) chunkIndex!: number;
  @Num({ description: 'The similarity, from 0 to 1. Results are in this order.' }) similarity!: number;
  @Obj({
    description:
      'Holds knowledgeBaseId, chunkId, the offsets start and end in the text of the document, headings, tokenCount, tags, and cosine, the similarity of the vectors alone.',
  })
  metadata!: Record<string, unknown>;

  static of(result: SearchResult, publicUrl: string): SearchItemView {
    const { documentId, documentName, content, chunkIndex, similarity, baseId, sourceUrl, ...more } = result;
    const { chunkId, start, end, headings, tokenCount, tags, cosine } = more;
    return {
      documentId,
      documentName,
      sourceUrl: sourceUrl ?? contentUrl(publicUrl, baseId, documentId),
      content,
      chunkIndex,
      similarity,
      metadata: { knowledgeBaseId: baseId, chunkId, start, end, headings, tokenCount, tags, cosine },
    };
  }
}

export function contentUrl(publicUrl: string, baseId: string, documentId: string): string {
  return `${publicUrl}/api/v1/knowledge/${baseId}/documents/${documentId}/content`;
}

export class SearchView {
  @ListOf(() => SearchItemView, { description: 'The chunks that were found, the most similar first.' })
  results!: SearchItemView[];
  @Text({ description: 'The query; empty when none was given.' }) query!: string;
  @Texts({ description: 'The knowledge bases that were searched.' }) knowledgeBaseIds!: string[];
  @Int({ description: 'The requested maximum number of results.' }) topK!: number;
  @Int({ description: 'The number of results, up to topK.' }) totalResults!: number;
}
