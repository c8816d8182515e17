import type { Base } from '#libs/knowledge/bases/base';
import type { DocumentChunk } from '#libs/knowledge/bases/chunks';
import {
  documentStatuses,
  type DocumentStatus,
  type KnowledgeDocument,
} from '#libs/knowledge/bases/document';
import { type DocumentSort, documentSorts } from '#libs/knowledge/bases/documents';
import { tagsToShow } from '#libs/knowledge/bases/tags';
import { PageLimit, PageOffset } from '../http/cursor-query.ts';
import { Bool, Int, Num, Obj, One, OneOf, Text, Texts, Time } from '../http/fields.ts';
import { contentUrl } from './knowledge.dto.ts';
import { WorkspaceId } from '../http/workspace-query.ts';

const tagsNote = 'Values by tag name. The knowledge base defines the tags.';
const wait = {
  query: true,
  optional: true,
  min: 0,
  max: 60,
  default: 0,
  description: 'Seconds to wait until the document has been processed.',
};

export class DocumentListQuery {
  @WorkspaceId({ required: true }) workspaceId!: string;
  @PageLimit('documents', 50) limit: number = 50;
  @PageOffset('documents') offset: number = 0;
  @Text({ optional: true, max: 255, description: 'A part of the filename, in upper or lower case.' })
  search?: string;
  @OneOf(['all', 'enabled', 'disabled'], {
    optional: true,
    default: 'all',
    description: 'The documents to list.',
  })
  enabledFilter: 'all' | 'enabled' | 'disabled' = 'all';
  @OneOf(documentSorts, { optional: true, default: 'uploadedAt', description: 'The sort key.' })
  sortBy: DocumentSort = 'uploadedAt';
  @OneOf(['asc', 'desc'], { optional: true, default: 'desc', description: 'The sort direction.' })
  sortOrder: 'asc' | 'desc' = 'desc';
}

export class WaitQuery {
  @WorkspaceId() workspaceId?: string;
  @Int(wait) wait: number = 0;
}

export class AddDocumentBody {
  @WorkspaceId() workspaceId?: string;
  @Text({
    optional: true,
    min: 1,
    max: 10_000_000,
    mayBeBlank: true,
    description: 'The text of the document.',
  })
  text?: string;
  @Text({
    optional: true,
    min: 1,
    max: 2000,
    description: 'The URL from which a worker fetches the document.',
  })
  url?: string;
  @Text({
    optional: true,
    min: 1,
    max: 255,
    description:
      'The name of the document. For a URL it may be left out: the last part of the path is the name.',
  })
  filename?: string;
  @Obj({ optional: true, description: tagsNote }) tags?: Record<string, unknown>;
}

export class UpdateDocumentBody {
  @WorkspaceId() workspaceId?: string;
  @Text({ optional: true, min: 1, max: 255, description: 'The new name. Left out: no change.' })
  filename?: string;
  @Bool({ optional: true, description: 'False: searches do not find the document.' }) enabled?: boolean;
  @Obj({ optional: true, description: `${tagsNote} Null removes a value.` }) tags?: Record<string, unknown>;
}

export class ProgressView {
  @Int({ description: 'The number of embedded chunks.' }) chunksDone!: number;
  @Int({ nullable: true, description: 'The number of all chunks; null until the document has been read.' })
  chunksTotal!: number | null;
}

export class DocumentView {
  @Text({ description: 'The id of the document, which begins with `doc_`.' }) id!: string;
  @Text({ description: 'The id of its knowledge base.' }) knowledgeBaseId!: string;
  @Text({ description: 'The name of the file.' }) filename!: string;
  @Int({ description: 'The size of the content in bytes; 0 until the URL has been fetched.' })
  fileSize!: number;
  @Text({ description: 'The media type of its content.' }) mimeType!: string;
  @OneOf(documentStatuses, {
    description:
      '`pending` until a worker begins. `completed` and `failed` are final. Searches find only completed documents.',
  })
  processingStatus!: DocumentStatus;
  @Text({ nullable: true, description: 'The reason of the failure, in a sentence.' }) processingError!:
    | string
    | null;
  @Text({ nullable: true, description: 'The reason of the failure, as a stable word for programs.' })
  processingErrorCode!: string | null;
  @One(() => ProgressView, { description: 'The progress of the embedding.' }) progress!: ProgressView;
  @Int({ description: 'The number of its chunks; 0 until it has been processed.' })
  chunkCount!: number;
  @Int({ description: 'The number of tokens in all its chunks; 0 until it has been processed.' })
  tokenCount!: number;
  @Int({ description: 'The number of characters in its text; 0 until it has been processed.' })
  characterCount!: number;
  @Num({
    nullable: true,
    description:
      'How surely its text is what a person reads in the file, from 0 to 1: the share of pages with text, without characters that are damaged or read in a wrong encoding. Null until it has been read.',
  })
  confidence!: number | null;
  @Texts({
    description: 'What may be missing or wrong in its text, a sentence each, such as pages without text.',
  })
  warnings!: string[];
  @Bool({ description: 'False for a document that searches leave out.' }) enabled!: boolean;
  @Obj({ description: tagsNote }) tags!: Record<string, unknown>;
  @Text({ description: 'The URL of origin. For an uploaded document: the URL to download its content.' })
  sourceUrl!: string;
  @Time({
    nullable: true,
    description: 'The time at which a worker began, in ISO 8601 and UTC; null until then.',
  })
  processingStartedAt!: string | null;
  @Time({
    nullable: true,
    description: 'The time at which the worker was done, in ISO 8601 and UTC; null until then.',
  })
  processingCompletedAt!: string | null;
  @Time({ description: 'The time at which it was added, in ISO 8601 and UTC.' }) createdAt!: string;

  static of({ id: baseId, tags }: Base, document: KnowledgeDocument, publicUrl: string): DocumentView {
    const { id, filename, fileSize, mimeType, status, chunkCount, tokenCount, characterCount } = document;
    return {
      id,
      knowledgeBaseId: baseId,
      filename,
      fileSize,
      mimeType,
      processingStatus: status,
      processingError: document.error,
      processingErrorCode: document.errorCode,
      progress: { chunksDone: document.chunksDone, chunksTotal: document.chunksTotal },
      chunkCount,
      tokenCount,
      characterCount,
      confidence: document.confidence,
      warnings: document.warnings,
      enabled: document.enabled,
      tags: tagsToShow(tags, document.tags),
      sourceUrl: document.sourceUrl ?? contentUrl(publicUrl, baseId, id),
      processingStartedAt: document.processingStartedAt?.toISOString() ?? null,
      processingCompletedAt: document.processingCompletedAt?.toISOString() ?? null,
      createdAt: document.createdAt.toISOString(),
    };
  }
}

export class OffsetPageView {
  @Int({ description: 'The number of all items that match.' }) total!: number;
  @Int({ description: 'The maximum number of items on a page.' }) limit!: number;
  @Int({ description: 'The number of items before the page.' }) offset!: number;
  @Bool({ description: 'True when items come after the page.' }) hasMore!: boolean;

  static of(
    total: number,
    { limit, offset }: { limit: number; offset: number },
    shown: number,
  ): OffsetPageView {
    return { total, limit, offset, hasMore: offset + shown < total };
  }
}

export class ChunkListQuery {
  @WorkspaceId() workspaceId?: string;
  @PageLimit('chunks', 50) limit: number = 50;
  @PageOffset('chunks') offset: number = 0;
  @Text({ optional: true, max: 255, description: 'A part of the content, in upper or lower case.' })
  search?: string;
  @OneOf(['all', 'enabled', 'disabled'], {
    optional: true,
    default: 'all',
    description: 'The chunks to list.',
  })
  enabledFilter: 'all' | 'enabled' | 'disabled' = 'all';
}

export class UpdateChunkBody {
  @WorkspaceId() workspaceId?: string;
  @Text({
    optional: true,
    min: 1,
    max: 20_000,
    description: 'The new text. It is embedded before the call is answered.',
  })
  content?: string;
  @Bool({ optional: true, description: 'False: searches do not find the chunk.' }) enabled?: boolean;
}

export class ChunkView {
  @Text({ description: 'The id of the chunk, which begins with `chk_`.' }) id!: string;
  @Int({ description: 'The place of the chunk in the document, from 0.' }) chunkIndex!: number;
  @Text({ description: 'The text of the chunk.' }) content!: string;
  @Int({
    nullable: true,
    description: 'Its start in the text of the document; null after an edit.',
  })
  startOffset!: number | null;
  @Int({ nullable: true, description: 'Its end in the text of the document; null after an edit.' })
  endOffset!: number | null;
  @Texts({ description: 'The headings above the chunk, which are embedded with it.' }) headings!: string[];
  @Int({ description: 'The number of its tokens.' }) tokenCount!: number;
  @Bool({ description: 'False for a chunk that searches leave out.' }) enabled!: boolean;

  static of({ id, index, content, start, end, headings, tokenCount, enabled }: DocumentChunk): ChunkView {
    return {
      id,
      chunkIndex: index,
      content,
      startOffset: start,
      endOffset: end,
      headings,
      tokenCount,
      enabled,
    };
  }
}
