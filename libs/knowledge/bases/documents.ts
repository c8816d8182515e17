import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { appendEntry } from '#libs/platform/database/audited';
import { Database, send } from '#libs/platform/database/database';
import { repeatedConstraint } from '#libs/platform/database/violations';
import { Conflict, Invalid, NotFound } from '#libs/platform/errors/errors';
import { Files, type NewFile, type StoredFile } from '#libs/platform/files/files';
import { newId } from '#libs/platform/ids/ids';
import { type Base, holdBase, readBase } from './base.ts';
import {
  type BaseRef,
  toDocument,
  type DocumentRef,
  foundDocument,
  type KnowledgeDocument,
  oneDocument,
  readDocument,
  selectDocuments,
} from './document.ts';
import { processAgain } from './process-again.sql.ts';
import { storedTags } from './tags.ts';

const documentsMax = 100_000;

/** The sort keys of a list by their names in the API, as SQL. */
const sortColumns = {
  filename: 'lower(d.filename) collate "C"',
  fileSize: 'd.file_size',
  tokenCount: 'd.token_count',
  chunkCount: 'd.chunk_count',
  uploadedAt: 'd.created_at',
  processingStatus: 'd.status',
  enabled: 'd.enabled',
};
export type DocumentSort = keyof typeof sortColumns;
export const documentSorts = Object.keys(sortColumns) as DocumentSort[];

export interface DocumentList {
  search?: string;
  enabledFilter: 'all' | 'enabled' | 'disabled';
  sortBy: DocumentSort;
  sortOrder: 'asc' | 'desc';
  limit: number;
  offset: number;
}

/** The source of a document: an uploaded file, or a URL from which a worker fetches the file. */
export type DocumentSource = { file: NewFile } | { url: string; filename: string };

export interface NewDocument {
  source: DocumentSource;
  tags?: Record<string, unknown>;
  /** The id of the new document. A retry with the same idempotency key has the same id. */
  id?: string;
}

export interface AddedDocument {
  document: KnowledgeDocument;
  /** True when the base already had the same document. */
  known: boolean;
}

/** The documents of knowledge bases. `add` commits a document, and a worker processes it afterwards. */
@Injectable()
export class KnowledgeDocuments {
  constructor(
    private readonly database: Database,
    private readonly files: Files,
  ) {}

  /**
   * Adds all documents or none. A file with the same content and the same name, or a URL, exists only once in a base; a second call returns
   * the existing document. Throws `NotFound` without the base, and `Invalid` for wrong tags or too many documents.
   */
  async add(
    ref: BaseRef,
    wished: readonly NewDocument[],
    actor: string,
  ): Promise<{ base: Base; added: AddedDocument[] }> {
    return this.database.within(ref.workspaceId, (tx) => this.addWithin(tx, ref, wished, actor));
  }

  async addWithin(
    tx: EntityManager,
    { workspaceId, baseId }: BaseRef,
    wished: readonly NewDocument[],
    actor: string,
  ): Promise<{ base: Base; added: AddedDocument[] }> {
    const base = await holdBase(tx, workspaceId, baseId);
    if (base.docCount + wished.length > documentsMax)
      throw Invalid.field('', `the base may have ${documentsMax} documents`, 'max_documents');
    const added: AddedDocument[] = [];
    for (const one of wished) added.push(await this.addOne(tx, { workspaceId, actor }, base, one));
    return { base, added };
  }

  async list(ref: BaseRef, list: DocumentList) {
    const { no, ...base } = await readBase(this.database, ref.workspaceId, ref.baseId);
    const { search = '', enabledFilter, sortBy, sortOrder, limit, offset } = list;
    const order = `${sortColumns[sortBy]} ${sortOrder}, d.no ${sortOrder}`;
    const enabled = enabledFilter === 'all' ? null : enabledFilter === 'enabled';
    const where = `where d.base_no = $1 and ($2::boolean is null or d.enabled = $2) and strpos(lower(d.filename), lower($3)) > 0`;
    const [rows = [], [count] = []] = await this.database.batch(ref.workspaceId, [
      [
        `${selectDocuments} ${where} order by ${order} limit $4 offset $5`,
        [no, enabled, search, limit, offset],
      ],
      [`select count(*) as n from documents d ${where}`, [no, enabled, search]],
    ]);
    return { base: { no, ...base }, documents: rows.map(toDocument), total: Number(count?.['n'] ?? 0) };
  }

  /** A document with its base. Throws `NotFound` when either does not exist. */
  async get(ref: DocumentRef): Promise<{ base: Base; document: KnowledgeDocument }> {
    const base = await readBase(this.database, ref.workspaceId, ref.baseId);
    return { base, document: await readDocument(this.database, ref) };
  }

  async update(
    ref: DocumentRef,
    change: { filename?: string; enabled?: boolean; tags?: Record<string, unknown> },
  ): Promise<{ base: Base; document: KnowledgeDocument }> {
    try {
      return await this.change(ref, change);
    } catch (error) {
      if (repeatedConstraint(error) !== 'documents_upload') throw error;
      throw new Conflict('The base has the same content under this name already.', 'DOCUMENT_EXISTS');
    }
  }

  private change(
    ref: DocumentRef,
    change: { filename?: string; enabled?: boolean; tags?: Record<string, unknown> },
  ): Promise<{ base: Base; document: KnowledgeDocument }> {
    return this.database.within(ref.workspaceId, async (tx) => {
      const base = await holdBase(tx, ref.workspaceId, ref.baseId);
      const { no } = await this.hold(tx, ref);
      const tags = JSON.stringify(storedTags(base.tags, change.tags ?? {}));
      const { filename = null, enabled = null } = change;
      await send(tx, updateDocument, [no, filename, enabled, tags]);
      const document = foundDocument((await send(tx, ...oneDocument(ref)))[0]);
      if (change.tags) await send(tx, appendEntry, tagged(ref, Object.keys(change.tags)));
      return { base, document };
    });
  }

  /** Deletes a document, also during its processing. Callers no longer see it from now on, and a worker removes its chunks later. */
  async delete(ref: DocumentRef): Promise<void> {
    await this.database.within(ref.workspaceId, async (tx) => {
      const { no, fileId } = await this.hold(tx, ref);
      await send(tx, deleteDocument, [no]);
      if (fileId !== null) await send(tx, 'delete from files where id = $1', [fileId]);
    });
  }

  /** Marks a failed document to be processed again. Throws `Conflict` for a document that has not failed, and `NotFound`. */
  async retry(ref: DocumentRef, actor: string): Promise<{ base: Base; document: KnowledgeDocument }> {
    return this.database.within(ref.workspaceId, async (tx) => {
      const base = await holdBase(tx, ref.workspaceId, ref.baseId);
      const { no, status } = await this.hold(tx, ref);
      if (status !== 'failed')
        throw new Conflict(`The document is ${status}; only a failed one is processed again.`, 'NOT_FAILED');
      await send(tx, processAgain('no'), [no, actor]);
      return { base, document: foundDocument((await send(tx, ...oneDocument(ref)))[0]) };
    });
  }

  /** The original file of the document. Throws `NotFound` when its URL has not been fetched yet. */
  async content(ref: DocumentRef): Promise<{ file: StoredFile; bytes: AsyncGenerator<Buffer> }> {
    const { fileId } = (await this.get(ref)).document;
    if (fileId === null) throw new NotFound('content of this document yet');
    const file = await this.files.get(ref.workspaceId, fileId);
    return { file, bytes: this.files.read(ref.workspaceId, file) };
  }

  private async addOne(
    tx: EntityManager,
    { workspaceId, actor }: { workspaceId: string; actor: string },
    base: Base,
    { source, tags = {}, id = newId('doc') }: NewDocument,
  ): Promise<AddedDocument> {
    const ref = { workspaceId, baseId: base.id };
    const same =
      'url' in source ? [null, null, source.url] : [source.file.sha256, source.file.filename, null];
    const known = async () => (await send(tx, findSame, [base.no, ...same]))[0]?.['id'];
    const found = await known();
    if (found !== undefined) return this.shown(tx, { ...ref, documentId: String(found) }, true);
    const fileId = 'url' in source ? null : await this.files.storeWithin(tx, workspaceId, source.file);
    const { filename } = 'url' in source ? source : source.file;
    const about =
      'url' in source ? ['', 0, null] : [source.file.mimeType, source.file.size, source.file.sha256];
    const stored = JSON.stringify(withoutNulls(storedTags(base.tags, tags)));
    const url = 'url' in source ? source.url : null;
    const values = [id, base.no, workspaceId, filename, ...about, fileId, url, stored, actor];
    const [made] = await send(tx, insertDocument, values);
    if (made) return this.shown(tx, { ...ref, documentId: id }, false);
    // Another transaction added the same document at this moment. The insert has waited for its commit.
    if (fileId !== null) await send(tx, 'delete from files where id = $1', [fileId]);
    return this.shown(tx, { ...ref, documentId: String(await known()) }, true);
  }

  private async shown(tx: EntityManager, ref: DocumentRef, known: boolean): Promise<AddedDocument> {
    return { document: foundDocument((await send(tx, ...oneDocument(ref)))[0]), known };
  }

  private async hold(tx: EntityManager, ref: DocumentRef): Promise<KnowledgeDocument> {
    return foundDocument((await send(tx, ...oneDocument(ref, 'for no key update of d')))[0]);
  }
}

/** The audit entry for set and removed tags, without their values. */
function tagged({ workspaceId, documentId }: DocumentRef, tags: string[]): unknown[] {
  return [workspaceId, 'document.tagged', 'document', documentId, JSON.stringify({ tags })];
}

function withoutNulls<T>(record: Record<string, T | null>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter((one): one is [string, T] => one[1] !== null));
}

const findSame = /* sql */ `
select id from documents where base_no = $1
  and case when $4::text is null then source_url is null and sha256 = $2::bytea and filename = $3::text else source_url = $4 end`;

const insertDocument = /* sql */ `
insert into documents (id, base_no, workspace_id, filename, mime_type, file_size, sha256, file_id, source_url, tags, actor)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb, $11) on conflict do nothing returning 1`;

const updateDocument = /* sql */ `
update documents set filename = coalesce($2, filename), enabled = coalesce($3, enabled),
  tags = jsonb_strip_nulls(tags || $4::jsonb), updated_at = now() where no = $1`;

const deleteDocument = /* sql */ `
with gone as (delete from documents where no = $1 returning base_no, no, workspace_id)
insert into knowledge_orphans (base_no, document_no, workspace_id) select base_no, no, workspace_id from gone`;
