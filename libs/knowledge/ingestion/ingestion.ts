import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, send } from '#libs/platform/database/database';
import { Files, type NewFile } from '#libs/platform/files/files';
import type { Chunking } from '../bases/base.ts';
import type { CutDocument } from './cut.ts';
import * as sql from './ingestion.sql.ts';
import { bookEmbedding } from './usage.sql.ts';
import { vectorText } from '../search/vectors.ts';

/** One processing of a document. Once the document is deleted, or is to be processed anew, nothing of it can be written. */
export interface ProcessingKey {
  workspaceId: string;
  documentId: string;
  revision: number;
}

/** The processing ended: the document was deleted, or another processing of it was asked for. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

/** The data with which a worker processes a document. */
export interface Processing extends ProcessingKey {
  no: string;
  baseNo: string;
  filename: string;
  mimeType: string;
  fileId: string | null;
  sourceUrl: string | null;
  chunking: Chunking;
  model: string;
  tries: number;
  /** The caller who asked for the processing. */
  actor: string;
}

export interface Progress {
  done: number;
  total: number;
}

interface EmbeddedChunk {
  n: number;
  vectors: Float32Array[];
}

/** Chunks whose text one statement writes. */
const rowsMax = 500;

/** The steps by which a worker processes a document. Each may be repeated, and none shows anything before the last. */
@Injectable()
export class Ingestion {
  constructor(
    private readonly database: Database,
    private readonly files: Files,
  ) {}

  /** Counts an attempt that begins. Throws `Superseded`. */
  async beginProcessing(key: ProcessingKey): Promise<Processing> {
    const [row] = await this.database.statement(key.workspaceId, sql.beginProcessing, [
      key.documentId,
      key.revision,
    ]);
    if (!row) throw new Superseded();
    return {
      ...key,
      no: String(row['no']),
      baseNo: String(row['base_no']),
      actor: String(row['actor']),
      filename: String(row['filename']),
      mimeType: String(row['mime_type']),
      fileId: row['file_id'] as string | null,
      sourceUrl: row['source_url'] as string | null,
      chunking: {
        maxSize: Number(row['max_size']),
        minSize: Number(row['min_size']),
        overlap: Number(row['overlap']),
      },
      model: String(row['model']),
      tries: Number(row['tries']),
    };
  }

  /** The attempt ended in order, whatever came of it: it was not the document that ended its worker. */
  async endedInOrder({ workspaceId, documentId, revision }: ProcessingKey): Promise<void> {
    await this.database.statement(workspaceId, sql.forgetAttempt, [documentId, revision]);
  }

  /** Keeps what was fetched, in place of what was fetched before. */
  async keepFetched(processing: Processing, file: NewFile): Promise<string> {
    return this.database.within(processing.workspaceId, async (tx) => {
      const held = await this.hold(tx, processing);
      const id = await this.files.storeWithin(tx, processing.workspaceId, file);
      await send(tx, sql.setFile, [held.no, id, file.mimeType, file.size, file.sha256]);
      if (held.fileId !== null) await send(tx, 'delete from files where id = $1', [held.fileId]);
      return id;
    });
  }

  async copyTo({ workspaceId }: ProcessingKey, fileId: string, path: string): Promise<void> {
    await this.files.copyTo(workspaceId, await this.files.get(workspaceId, fileId), path);
  }

  /** Writes the text of all chunks, unseen, in place of what an attempt before may have written. */
  async keepChunks(processing: Processing, { chunks, words }: CutDocument, mediaType: string): Promise<void> {
    const { workspaceId, no, baseNo, revision } = processing;
    await this.database.within(workspaceId, async (tx) => {
      await this.alone(tx, processing);
      await this.hold(tx, processing);
      const of = [baseNo, no, revision];
      // The words of 100,000 chunks are two million lines, which one statement removes where an attempt before has left them.
      await send(tx, `set local statement_timeout = '5min'`);
      for (const remove of sql.removeGeneration) await send(tx, remove, [...of, null]);
      for (let from = 0; from < chunks.length; from += rowsMax)
        await send(tx, sql.insertChunks, [...of, workspaceId, chunkRows(chunks.slice(from, from + rowsMax))]);
      for (let from = 0; from < words.length; from += rowsMax * 4)
        await send(tx, sql.insertWords, [
          ...of,
          workspaceId,
          JSON.stringify(words.slice(from, from + rowsMax * 4)),
        ]);
      await send(tx, sql.setTotal, [no, revision, chunks.length, mediaType]);
    });
  }

  /** Reads the progress of the embedding. Throws `Superseded`. */
  async progress({ workspaceId, documentId, revision }: ProcessingKey): Promise<Progress> {
    const [row] = await this.database.statement(workspaceId, sql.readProgress, [documentId, revision]);
    if (!row) throw new Superseded();
    return { done: Number(row['chunks_done']), total: Number(row['chunks_total']) };
  }

  async chunks({ workspaceId, baseNo, no, revision }: Processing, from: number, count: number) {
    const rows = await this.database.statement<{ n: number; content: string; headings: string[] }>(
      workspaceId,
      sql.readChunks,
      [baseNo, no, revision, from, from + count],
    );
    return rows.map(({ n, content, headings }) => ({ n, content, headingPath: headings }));
  }

  /** Writes vectors, and how far they go, at once. Throws when another attempt has come further, or the processing has ended. */
  async keepVectors(
    processing: Processing,
    { done }: Progress,
    embedded: readonly EmbeddedChunk[],
    { dimension, cost }: { dimension: number; cost: number },
  ): Promise<void> {
    const { workspaceId, documentId, baseNo, no, revision } = processing;
    const rows = embedded.flatMap(({ n, vectors }) => vectors.map((vector, part) => ({ n, part, vector })));
    await this.database.within(workspaceId, async (tx) => {
      await this.alone(tx, processing);
      const moved = await send(tx, sql.moveOn, [documentId, revision, done, done + embedded.length]);
      if (moved.length === 0) throw new Error('The processing has gone on elsewhere.');
      await send(tx, sql.insertVectors, [
        baseNo,
        no,
        revision,
        dimension,
        workspaceId,
        rows.map(({ n }) => n),
        rows.map(({ part }) => part),
        rows.map(({ vector }) => vectorText(vector)),
      ]);
      if (cost > 0) await send(tx, bookEmbedding, [workspaceId, processing.actor, cost]);
    });
  }

  /** Shows the new chunks instead of the old ones. Throws `Superseded`. */
  async showProgress(key: ProcessingKey, characters: number): Promise<void> {
    const { workspaceId, documentId, revision } = key;
    const [row] = await this.database.statement(workspaceId, sql.switchGeneration, [
      documentId,
      revision,
      characters,
    ]);
    if (!row) throw new Superseded();
  }

  /** The document has failed. What callers saw of it before stays. */
  async fail(
    { workspaceId, documentId, revision }: ProcessingKey,
    code: string,
    message: string,
  ): Promise<void> {
    await this.database.statement(workspaceId, sql.failDocument, [documentId, revision, code, message]);
  }

  /** The processor of a document holds this lock until the end of the transaction, so that a late attempt waits for the next one. */
  private async alone(tx: EntityManager, { no }: Processing): Promise<void> {
    await send(tx, 'select pg_advisory_xact_lock($1, hashint8($2))', [advisoryClass, no]);
  }

  private async hold(
    tx: EntityManager,
    { documentId, revision }: ProcessingKey,
  ): Promise<{ no: string; fileId: string | null }> {
    const [row] = await send(tx, sql.holdDocument, [documentId, revision]);
    if (!row) throw new Superseded();
    return { no: String(row['no']), fileId: row['file_id'] as string | null };
  }
}

const advisoryClass = 4_715_204;

function chunkRows(chunks: CutDocument['chunks']): string {
  return JSON.stringify(
    chunks.map(({ index, start, end, content, tokenCount, headingPath }) => ({
      n: index,
      start_at: start,
      end_at: end,
      // Postgres cannot hold the character, and it says nothing.
      content: content.replaceAll('\0', ' '),
      token_count: tokenCount,
      headings: headingPath,
    })),
  );
}
