import type { Base } from '#libs/knowledge/bases/base';
import { tagFiltersMax, tagOperators } from '#libs/knowledge/search/tag-filters';
import { type TagDefinition, tagsMax, type TagType, tagTypes } from '#libs/knowledge/bases/tags';
import type { SearchResult } from '#libs/knowledge/search/search';
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
  @Text({
    min: 1,
    max: 255,
    description: 'The name, which no other knowledge base of the workspace may have.',
  })
  name!: string;
  @Text({ optional: true, max: 10_000, description: 'What it holds; empty when left out.' })
  description?: string;
  @One(() => ChunkingBody, {
    optional: true,
    description: 'How its documents are cut; each member has a default.',
  })
  chunkingConfig?: ChunkingBody;
}

export class UpdateKnowledgeBody {
  @WorkspaceId() workspaceId?: string;
  @Text({ optional: true, min: 1, max: 255, description: 'The new name; left out, it stays.' }) name?: string;
  @Text({ optional: true, max: 10_000, description: 'The new description; left out, it stays.' })
  description?: string;
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
  @Text({ description: 'The id of the knowledge base, which begins with `kb_`.' }) id!: string;
  @Text({ description: 'The name, which is unique in the workspace.' }) name!: string;
  @Text({ description: 'What it holds; empty when nobody has said.' }) description!: string;
  @Int({ description: 'How many documents it has, disabled ones too.' }) docCount!: number;
  @Int({ description: 'How many tokens the chunks of its documents have together.' }) tokenCount!: number;
  @Text({ description: 'The model to which the base is bound.' }) embeddingModel!: string;
  @Int({ description: 'How many numbers a vector of that model has.' }) embeddingDimension!: number;
  @One(() => ChunkingView, { description: 'How its documents are cut.' }) chunkingConfig!: ChunkingView;
  @Time({ description: 'When it was created, in ISO 8601 and UTC.' }) createdAt!: string;
  @Time({ description: 'When it was changed last, in ISO 8601 and UTC.' }) updatedAt!: string;

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
  @Text({ min: 1, max: 100, description: 'The name by which documents and filters say it.' }) name!: string;
  @OneOf(tagTypes, { description: 'The type of its values, which cannot be changed later.' })
  type!: TagType;
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
  @Text({ description: 'The id of the tag, by which it is renamed.' }) id!: string;
  @Text({ description: 'The name by which documents and filters say it.' }) name!: string;
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
      'How the value of a document compares; which ones are allowed depends on the type of the tag.',
  })
  operator?: string;
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
  @Text({ description: 'The id of the document that was found.' }) documentId!: string;
  @Text({ description: 'The name of its file.' }) documentName!: string;
  @Text({
    description: 'Where the document came from; of an uploaded one, where its content can be downloaded.',
  })
  sourceUrl!: string;
  @Text({ description: 'The text of the chunk.' }) content!: string;
  @Int({ description: 'The place of the chunk in the document, from 0.' }) chunkIndex!: number;
  @Num({ description: 'From 0 to 1; results come in its order.' }) similarity!: number;
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
  @Text({ description: 'Empty when none was given.' }) query!: string;
  @Texts({ description: 'The knowledge bases that were searched.' }) knowledgeBaseIds!: string[];
  @Int({ description: 'How many results were wanted.' }) topK!: number;
  @Int({ description: 'As many as were found, up to topK.' }) totalResults!: number;
}
