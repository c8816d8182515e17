import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, send } from '#libs/platform/database/database';
import { Invalid, NotFound } from '#libs/platform/errors/errors';
import { newId } from '#libs/platform/ids/ids';
import { removeStaleScratch } from './scratch.ts';

/** The most bytes of one file. */
export const fileBytesMax = 100 * 1024 * 1024;
/** The size of a piece. Only one piece is in memory at a time, and one statement writes it. */
const pieceBytes = 1024 * 1024;
/**
 * The limits for the files of one execution, in answers of people. Anybody with a link may answer, even when the workspace has used
 * its storage quota.
 */
const filesPerExecution = 100;
const bytesPerExecution = 5 * fileBytesMax;

/** A file on its way into the database: its bytes, or where they lie on the disk of this machine. */
export interface NewFile {
  /** The id, if the caller needs it before the file is stored. */
  id?: string;
  content: Uint8Array | { path: string };
  filename: string;
  mimeType: string;
  size: number;
  sha256: Buffer;
}

/** A stored file without its content. */
export interface StoredFile {
  id: string;
  no: string;
  filename: string;
  mimeType: string;
  size: number;
  /** The execution of a file that a person gave as an answer. */
  executionId: string | null;
}

/** Stores the files of callers in the database, in pieces. Every machine can read them, and no process needs a whole file in memory. */
@Injectable()
export class Files implements OnModuleInit {
  constructor(private readonly database: Database) {}

  async onModuleInit(): Promise<void> {
    await removeStaleScratch();
  }

  /** Stores the file in the caller's transaction, so that the file exists exactly if the row that names it exists. Resolves to its id. */
  async storeWithin(
    tx: EntityManager,
    workspaceId: string,
    { id = newId('file'), content, filename, mimeType, size, sha256 }: NewFile,
    executionId: string | null = null,
  ): Promise<string> {
    const values = [id, workspaceId, filename, mimeType, size, sha256, executionId];
    const [row] = await send(tx, insertFile, values);
    let n = 0;
    for await (const bytes of piecesOf(content))
      await send(tx, insertPiece, [row?.['no'], n++, workspaceId, bytes]);
    return id;
  }

  /** Stores the files of an answer to an execution, in the caller's transaction. Throws `Invalid` above the limits of an execution. */
  async keepWithin(
    tx: EntityManager,
    workspaceId: string,
    executionId: string,
    files: readonly NewFile[],
  ): Promise<void> {
    // Locks the execution, so that two concurrent calls cannot read the same count.
    const [execution] = await send(tx, 'select 1 from executions where id = $1 for no key update', [
      executionId,
    ]);
    if (!execution) throw new NotFound('execution');
    const [kept] = await send(tx, countFiles, [executionId]);
    if (Number(kept?.['n']) + files.length > filesPerExecution)
      throw Invalid.field('file', `the execution may have ${filesPerExecution} files`, 'max_files');
    const bytes = files.reduce((sum, { size }) => sum + size, Number(kept?.['bytes']));
    if (bytes > bytesPerExecution)
      throw Invalid.field(
        'file',
        `the files of the execution may have ${bytesPerExecution} bytes`,
        'max_bytes',
      );
    for (const file of files) await this.storeWithin(tx, workspaceId, file, executionId);
  }

  /** Throws `NotFound`. */
  async get(workspaceId: string, id: string): Promise<StoredFile> {
    const [row] = await this.database.statement<{
      no: string;
      filename: string;
      mime_type: string;
      size: string;
      execution_id: string | null;
    }>(workspaceId, findFile, [workspaceId, id]);
    if (!row) throw new NotFound('file');
    const { no, filename, mime_type: mimeType, size, execution_id: executionId } = row;
    return { id, no, filename, mimeType, size: Number(size), executionId };
  }

  /** Reads the content in pieces. Throws `NotFound` if the file is deleted during the read. */
  async *read(workspaceId: string, { no, size }: StoredFile): AsyncGenerator<Buffer> {
    let bytes = 0;
    for (let n = 0; bytes < size; n++) {
      const [row] = await this.database.statement<{ bytes: Buffer }>(workspaceId, findPiece, [no, n]);
      if (!row) throw new NotFound('file');
      bytes += row.bytes.length;
      yield row.bytes;
    }
  }

  /** Writes the content to a new file of this machine. */
  async copyTo(workspaceId: string, file: StoredFile, path: string): Promise<void> {
    await pipeline(
      Readable.from(this.read(workspaceId, file)),
      createWriteStream(path, { mode: 0o600, flags: 'wx' }),
    );
  }
}

async function* piecesOf(content: NewFile['content']): AsyncGenerator<Uint8Array> {
  if ('path' in content) yield* createReadStream(content.path, { highWaterMark: pieceBytes });
  else for (let at = 0; at < content.length; at += pieceBytes) yield content.subarray(at, at + pieceBytes);
}

/** The SHA-256 of a file. Equal digests mean equal files. */
export function computeDigest(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

const insertFile = /* sql */ `
insert into files (id, workspace_id, filename, mime_type, size, sha256, execution_id) values ($1, $2, $3, $4, $5, $6, $7)
returning no`;

const countFiles = 'select count(*) as n, coalesce(sum(size), 0) as bytes from files where execution_id = $1';

const insertPiece = 'insert into file_pieces (file_no, n, workspace_id, bytes) values ($1, $2, $3, $4)';

const findFile =
  'select no, filename, mime_type, size, execution_id from files where workspace_id = $1 and id = $2';

const findPiece = 'select bytes from file_pieces where file_no = $1 and n = $2';
