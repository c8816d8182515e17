import type { Base } from '#libs/knowledge/base';
import { tagFiltersMax, tagOperators } from '#libs/knowledge/tag-filters';
import { type TagDefinition, tagsMax, type TagType, tagTypes } from '#libs/knowledge/tags';
import type { SearchResult } from '#libs/knowledge/search';
import { Anything, Int, ListOf, Num, Obj, One, OneOf, Text, Texts, Time } from '../http/fields.ts';
import { WorkspaceId } from '../http/workspace-query.ts';

const maxSizeNote = 'Tokens that a chunk has at most, overlap included.';
const minSizeNote = 'Characters; a smaller piece joins its neighbour where maxSize lets it.';
const overlapNote = 'Tokens that a chunk repeats from the one before it, in whole sentences; below maxSize.';

export class ChunkingBody {
  @Int({ optional: true, min: 100, max: 4000, default: 1024, description: maxSizeNote }) maxSize?: number;
  @Int({ optional: true, min: 1, max: 2000, default: 100, description: minSizeNote }) minSize?: number;
  @Int({ optional: true, min: 0, max: 500, default: 200, description: overlapNote }) overlap?: number;
}

export class CreateKnowledgeBody {
  @WorkspaceId() workspaceId?: string;
  @Text({ min: 1, max: 255 }) name!: string;
  @Text({ optional: true, max: 10_000 }) description?: string;
  @One(() => ChunkingBody, { optional: true }) chunkingConfig?: ChunkingBody;
}

export class UpdateKnowledgeBody {
  @WorkspaceId() workspaceId?: string;
  @Text({ optional: true, min: 1, max: 255 }) name?: string;
  @Text({ optional: true, max: 10_000 }) description?: string;
  @One(() => ChunkingBody, {
    optional: true,
    description: 'Documents are indexed anew when it changes; until then their old chunks are found.',
  })
  chunkingConfig?: ChunkingBody;
  @Text({
    optional: true,
    max: 200,
    description:
      'The model that the installation is set to now: binds a base of another model to it, and documents are embedded anew.',
  })
  embeddingModel?: string;
}

export class ChunkingView {
  @Int({ description: maxSizeNote }) maxSize!: number;
  @Int({ description: minSizeNote }) minSize!: number;
  @Int({ description: overlapNote }) overlap!: number;
}

export class KnowledgeBaseView {
  @Text() id!: string;
  @Text() name!: string;
  @Text() description!: string;
  @Int() docCount!: number;
  @Int() tokenCount!: number;
  @Text({ description: 'The model to which the base is bound.' }) embeddingModel!: string;
  @Int() embeddingDimension!: number;
  @One(() => ChunkingView) chunkingConfig!: ChunkingView;
  @Time() createdAt!: string;
  @Time() updatedAt!: string;

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
  @Text({ optional: true, max: 100, description: 'Of a tag that is there, to rename it.' }) id?: string;
  @Text({ min: 1, max: 100 }) name!: string;
  @OneOf(tagTypes) type!: TagType;
}

export class DefineTagsBody {
  @WorkspaceId() workspaceId?: string;
  @ListOf(() => TagBody, {
    max: tagsMax,
    description: 'All tags; one that is left out is taken from all documents.',
  })
  tags!: TagBody[];
}

export class TagView {
  @Text() id!: string;
  @Text() name!: string;
  @OneOf(tagTypes) type!: TagType;

  static all(tags: readonly TagDefinition[]): TagView[] {
    return tags.map(({ id, name, type }) => ({ id, name, type }));
  }
}

export class TagFilterBody {
  @Text({ min: 1, max: 100 }) tagName!: string;
  @OneOf(tagOperators, { optional: true, default: 'eq' }) operator?: string;
  @Anything({ description: 'As the type of the tag has it; a date like 2026-01-31.' }) value: unknown;
  @Anything({ optional: true, description: 'The upper end of `between`.' }) valueTo?: unknown;
}

export class SearchKnowledgeBody {
  @WorkspaceId() workspaceId?: string;
  @Texts({ description: 'One to twenty ids of knowledge bases.' }) knowledgeBaseIds!: string[];
  @Text({ optional: true, min: 1, max: 10_000, description: 'May be left out where tagFilters are given.' })
  query?: string;
  @Int({ optional: true, min: 1, max: 100, default: 10, description: 'How many results are wanted.' })
  topK: number = 10;
  @ListOf(() => TagFilterBody, {
    optional: true,
    max: tagFiltersMax,
    description: 'All of them must hold. With one knowledge base only.',
  })
  tagFilters?: TagFilterBody[];
}

export class SearchItemView {
  @Text() documentId!: string;
  @Text() documentName!: string;
  @Text({
    description: 'Where the document came from; of an uploaded one, where its content can be downloaded.',
  })
  sourceUrl!: string;
  @Text() content!: string;
  @Int() chunkIndex!: number;
  @Num({ description: 'From 0 to 1; results come in its order.' }) similarity!: number;
  @Obj({
    description:
      'knowledgeBaseId, chunkId, the offsets start and end in the text of the document, headings, tokenCount, tags, and cosine, the similarity of the vectors alone.',
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

/** Where the content of a document can be downloaded. */
export function contentUrl(publicUrl: string, baseId: string, documentId: string): string {
  return `${publicUrl}/api/v1/knowledge/${baseId}/documents/${documentId}/content`;
}

export class SearchView {
  @ListOf(() => SearchItemView) results!: SearchItemView[];
  @Text({ description: 'Empty when none was given.' }) query!: string;
  @Texts() knowledgeBaseIds!: string[];
  @Int() topK!: number;
  @Int({ description: 'As many as were found, up to topK.' }) totalResults!: number;
}
