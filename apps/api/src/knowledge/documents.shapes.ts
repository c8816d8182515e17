import type { Base } from '#libs/knowledge/bases/base';
import type { DocumentChunk } from '#libs/knowledge/bases/chunks';
import {
  documentStatuses,
  type DocumentStatus,
  type KnowledgeDocument,
} from '#libs/knowledge/bases/document';
import { type DocumentSort, documentSorts } from '#libs/knowledge/bases/documents';
import { tagsToShow } from '#libs/knowledge/bases/tags';
import { Bool, Int, Obj, One, OneOf, Text, Texts, Time } from '../http/fields.ts';
import { contentUrl } from './knowledge.shapes.ts';
import { WorkspaceId } from '../http/workspace-query.ts';

const tagsNote = 'Values by the names of the tags that the base defines.';
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
  @Int({ query: true, optional: true, min: 1, max: 100, default: 50, description: 'Documents of a page.' })
  limit: number = 50;
  @Int({
    query: true,
    optional: true,
    min: 0,
    max: 1_000_000,
    default: 0,
    description: 'Documents to leave out.',
  })
  offset: number = 0;
  @Text({ optional: true, max: 255, description: 'A part of the filename, in upper or lower case.' })
  search?: string;
  @OneOf(['all', 'enabled', 'disabled'], { optional: true, default: 'all', description: 'Which documents.' })
  enabledFilter: 'all' | 'enabled' | 'disabled' = 'all';
  @OneOf(documentSorts, { optional: true, default: 'uploadedAt', description: 'What to sort by.' })
  sortBy: DocumentSort = 'uploadedAt';
  @OneOf(['asc', 'desc'], { optional: true, default: 'desc', description: 'In which direction.' })
  sortOrder: 'asc' | 'desc' = 'desc';
}

export class WaitQuery {
  @WorkspaceId() workspaceId?: string;
  @Int(wait) wait: number = 0;
}

export class AddDocumentBody {
  @WorkspaceId() workspaceId?: string;
  @Text({ optional: true, min: 1, max: 10_000_000, description: 'The text of the document.' }) text?: string;
  @Text({ optional: true, min: 1, max: 2000, description: 'Where a worker fetches the document.' })
  url?: string;
  @Text({
    optional: true,
    min: 1,
    max: 255,
    description: 'Its name; of a URL, the last part of its path when left out.',
  })
  filename?: string;
  @Obj({ optional: true, description: tagsNote }) tags?: Record<string, unknown>;
}

export class UpdateDocumentBody {
  @WorkspaceId() workspaceId?: string;
  @Text({ optional: true, min: 1, max: 255, description: 'The new name; left out, it stays.' })
  filename?: string;
  @Bool({ optional: true, description: 'A document that is not enabled is never found.' }) enabled?: boolean;
  @Obj({ optional: true, description: `${tagsNote} Null takes a value away.` }) tags?: Record<
    string,
    unknown
  >;
}

export class ProgressView {
  @Int({ description: 'Chunks that are embedded.' }) chunksDone!: number;
  @Int({ nullable: true, description: 'All chunks; null until the document has been read.' })
  chunksTotal!: number | null;
}

export class DocumentView {
  @Text({ description: 'The id of the document, which begins with `doc_`.' }) id!: string;
  @Text({ description: 'The id of its knowledge base.' }) knowledgeBaseId!: string;
  @Text({ description: 'The name of the file.' }) filename!: string;
  @Int({ description: 'Bytes of what was sent or fetched; 0 until a URL has been fetched.' })
  fileSize!: number;
  @Text({ description: 'The media type of its content.' }) mimeType!: string;
  @OneOf(documentStatuses, {
    description:
      '`pending` until a worker begins; `completed` and `failed` are ends. Only completed documents are found.',
  })
  processingStatus!: DocumentStatus;
  @Text({ nullable: true, description: 'Why it failed, in a sentence.' }) processingError!: string | null;
  @Text({ nullable: true, description: 'The same as a stable word.' }) processingErrorCode!: string | null;
  @One(() => ProgressView, { description: 'How much of it is embedded.' }) progress!: ProgressView;
  @Int({ description: 'How many chunks it was cut into; 0 until it has been processed.' })
  chunkCount!: number;
  @Int({ description: 'How many tokens they have together; 0 until it has been processed.' })
  tokenCount!: number;
  @Int({ description: 'How many characters its text has; 0 until it has been processed.' })
  characterCount!: number;
  @Bool({ description: 'False for a document that searches leave out.' }) enabled!: boolean;
  @Obj({ description: tagsNote }) tags!: Record<string, unknown>;
  @Text({ description: 'Where it came from; of an uploaded one, where its content can be downloaded.' })
  sourceUrl!: string;
  @Time({ nullable: true, description: 'When a worker began, in ISO 8601 and UTC; null until then.' })
  processingStartedAt!: string | null;
  @Time({ nullable: true, description: 'When the worker was done, in ISO 8601 and UTC; null until then.' })
  processingCompletedAt!: string | null;
  @Time({ description: 'When it was added, in ISO 8601 and UTC.' }) createdAt!: string;

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
  @Int({ description: 'How many items match in all.' }) total!: number;
  @Int({ description: 'How many items the page may have.' }) limit!: number;
  @Int({ description: 'How many items come before the page.' }) offset!: number;
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
  @Int({ query: true, optional: true, min: 1, max: 100, default: 50, description: 'Chunks of a page.' })
  limit: number = 50;
  @Int({
    query: true,
    optional: true,
    min: 0,
    max: 1_000_000,
    default: 0,
    description: 'Chunks to leave out.',
  })
  offset: number = 0;
  @Text({ optional: true, max: 255, description: 'A part of the content, in upper or lower case.' })
  search?: string;
  @OneOf(['all', 'enabled', 'disabled'], { optional: true, default: 'all', description: 'Which chunks.' })
  enabledFilter: 'all' | 'enabled' | 'disabled' = 'all';
}

export class UpdateChunkBody {
  @WorkspaceId() workspaceId?: string;
  @Text({ optional: true, min: 1, max: 20_000, description: 'Is embedded before the call is answered.' })
  content?: string;
  @Bool({ optional: true, description: 'A chunk that is not enabled is never found.' }) enabled?: boolean;
}

export class ChunkView {
  @Text({ description: 'The id of the chunk, which begins with `chk_`.' }) id!: string;
  @Int({ description: 'The place of the chunk in the document, from 0.' }) chunkIndex!: number;
  @Text({ description: 'The text of the chunk.' }) content!: string;
  @Int({
    nullable: true,
    description: 'Where it begins in the text of the document; null once it was edited.',
  })
  startOffset!: number | null;
  @Int({ nullable: true, description: 'Where it ends in the text of the document; null once it was edited.' })
  endOffset!: number | null;
  @Texts({ description: 'The titles above it, which are embedded with it.' }) headings!: string[];
  @Int({ description: 'How many tokens it has.' }) tokenCount!: number;
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
