import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { allowStatements, Database, send } from '#libs/platform/database/database';
import { Files, type NewFile } from '#libs/platform/files/files';
import type { Chunking } from '../bases/base.ts';
import type { ParsedDocument } from '../parsing/parsed-document.ts';
import type { CutDocument } from './cut.ts';
import * as sql from './ingestion.sql.ts';
import { bookEmbedding } from './usage.sql.ts';
import { vectorText } from '../search/vectors.ts';

/** Identifies a processing of a document. After the document is deleted or must be processed again, this processing can write nothing. */
export interface ProcessingKey {
  workspaceId: string;
  documentId: string;
  revision: number;
}

/** An earlier attempt may have left the words of 100,000 chunks: two million rows, which a single statement deletes. */
const removalMsMax = 300_000;

/** The processing has ended: the document was deleted, or a new processing replaces this one. */
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

/** The number of chunks that one statement writes. */
const rowsMax = 500;

/** The steps by which a worker processes a document. Each step may be retried. Callers see the new chunks only after the last step. */
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

  /** Notes that the attempt ended without a crash of its worker, whatever its result is. Takes its try back. */
  async endedInOrder({ workspaceId, documentId, revision }: ProcessingKey): Promise<void> {
    await this.database.statement(workspaceId, sql.forgetAttempt, [documentId, revision]);
  }

  /** Stores fetched content in place of earlier fetched content, and returns the id of the file. Throws `Superseded`. */
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

  /** Writes all chunks and their words in place of those of earlier attempts. Callers do not see them yet. Throws `Superseded`. */
  async keepChunks(
    processing: Processing,
    { chunks, words }: CutDocument,
    { mediaType, confidence, warnings }: Pick<ParsedDocument, 'mediaType' | 'confidence' | 'warnings'>,
  ): Promise<void> {
    const { workspaceId, no, baseNo, revision } = processing;
    await this.database.within(workspaceId, async (tx) => {
      await this.alone(tx, processing);
      await this.hold(tx, processing);
      const of = [baseNo, no, revision];
      await allowStatements(tx, removalMsMax);
      for (const remove of sql.removeGeneration) await send(tx, remove, [...of, null]);
      for (let from = 0; from < chunks.length; from += rowsMax)
        await send(tx, sql.insertChunks, [...of, workspaceId, chunkRows(chunks.slice(from, from + rowsMax))]);
      for (let from = 0; from < words.length; from += rowsMax * 4)
        await send(tx, sql.insertWords, [
          ...of,
          workspaceId,
          JSON.stringify(words.slice(from, from + rowsMax * 4)),
        ]);
      await send(tx, sql.setTotal, [
        no,
        revision,
        chunks.length,
        mediaType,
        confidence,
        JSON.stringify(warnings),
      ]);
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

  /** Writes vectors and the new checkpoint in one transaction. Throws when another attempt moved the checkpoint, or the processing ended. */
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

  /** Marks the document as failed. Callers still see its earlier chunks. */
  async fail(
    { workspaceId, documentId, revision }: ProcessingKey,
    code: string,
    message: string,
  ): Promise<void> {
    await this.database.statement(workspaceId, sql.failDocument, [documentId, revision, code, message]);
  }

  /** Takes the lock of the document until the end of the transaction, so that two attempts never write at the same time. */
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
      // Postgres cannot store the character NUL, which has no meaning in a text.
      content: content.replaceAll('\0', ' '),
      token_count: tokenCount,
      headings: headingPath,
    })),
  );
}
