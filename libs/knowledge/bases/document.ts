import { type Database, type Statement } from '#libs/platform/database/database';
import { NotFound } from '#libs/platform/errors/errors';
import type { TagValue } from './tags.ts';

export const documentStatuses = ['pending', 'processing', 'completed', 'failed'] as const;
export type DocumentStatus = (typeof documentStatuses)[number];

/** A document of a base as it is at one moment. It counts the chunks that callers see, not the chunks of a processing that still runs. */
export interface KnowledgeDocument {
  id: string;
  no: string;
  filename: string;
  mimeType: string;
  fileSize: number;
  fileId: string | null;
  /** The URL from which it was fetched; null when it was uploaded. */
  sourceUrl: string | null;
  enabled: boolean;
  tags: Record<string, TagValue>;
  status: DocumentStatus;
  error: string | null;
  errorCode: string | null;
  revision: number;
  generation: number | null;
  model: string | null;
  chunkCount: number;
  tokenCount: number;
  characterCount: number;
  /** How surely its text is what a person reads in the file, from 0 to 1; null until it has been read. */
  confidence: number | null;
  warnings: string[];
  chunksTotal: number | null;
  chunksDone: number;
  processingStartedAt: Date | null;
  processingCompletedAt: Date | null;
  createdAt: Date;
}

/** The place of a document: the workspace, and the base by its id. */
export interface BaseRef {
  workspaceId: string;
  baseId: string;
}
export interface DocumentRef extends BaseRef {
  documentId: string;
}

const columns = `d.id, d.no, d.filename, d.mime_type, d.file_size, d.file_id, d.source_url, d.enabled, d.tags, d.status, d.error,
  d.error_code, d.revision, d.generation, d.model, d.chunk_count, d.token_count, d.character_count, d.confidence, d.warnings, d.chunks_total, d.chunks_done,
  d.processing_started_at, d.processing_completed_at, d.created_at`;

export const selectDocuments = `select ${columns} from documents d join knowledge_bases b on b.no = d.base_no`;

/** The statement that reads one document of a base. */
export function oneDocument({ workspaceId, baseId, documentId }: DocumentRef, lock = ''): Statement {
  return [
    `${selectDocuments} where b.workspace_id = $1 and b.id = $2 and d.id = $3 ${lock}`,
    [workspaceId, baseId, documentId],
  ];
}

/** The document as it is now. Throws `NotFound`. */
export async function readDocument(database: Database, ref: DocumentRef): Promise<KnowledgeDocument> {
  const [row] = await database.statement(ref.workspaceId, ...oneDocument(ref));
  return foundDocument(row);
}

export function foundDocument(row: Record<string, unknown> | undefined): KnowledgeDocument {
  if (!row) throw new NotFound('document');
  return toDocument(row);
}

export function toDocument(row: Record<string, unknown>): KnowledgeDocument {
  return {
    id: String(row['id']),
    no: String(row['no']),
    filename: String(row['filename']),
    mimeType: String(row['mime_type']),
    fileSize: Number(row['file_size']),
    fileId: row['file_id'] as string | null,
    sourceUrl: row['source_url'] as string | null,
    enabled: row['enabled'] === true,
    tags: row['tags'] as KnowledgeDocument['tags'],
    status: row['status'] as DocumentStatus,
    error: row['error'] as string | null,
    errorCode: row['error_code'] as string | null,
    revision: Number(row['revision']),
    generation: row['generation'] as number | null,
    model: row['model'] as string | null,
    chunkCount: Number(row['chunk_count']),
    tokenCount: Number(row['token_count']),
    characterCount: Number(row['character_count']),
    confidence: row['confidence'] === null ? null : Number(row['confidence']),
    warnings: row['warnings'] as string[],
    chunksTotal: row['chunks_total'] as number | null,
    chunksDone: Number(row['chunks_done']),
    processingStartedAt: row['processing_started_at'] as Date | null,
    processingCompletedAt: row['processing_completed_at'] as Date | null,
    createdAt: row['created_at'] as Date,
  };
}
