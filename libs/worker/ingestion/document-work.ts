import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { isUnavailable } from '#libs/platform/database/violations';
import { parseFile } from '#libs/knowledge/parsing/parse-file';
import { DocumentError } from '#libs/knowledge/parsing/parsed-document';
import { EmbeddingRefused } from '#libs/knowledge/embedder/embedding-refused';
import { ApiError } from '#libs/platform/errors/errors';
import { newScratch } from '#libs/platform/files/scratch';
import { Chunker } from '#libs/knowledge/ingestion/chunker';
import { Embedding } from '#libs/knowledge/search/embedding';
import { Ingestion, type Processing, Superseded } from '#libs/knowledge/ingestion/ingestion';
import type { DocumentKey, IngestionActivities } from '#temporal/activities';
import { DocumentFetch } from './document-fetch.ts';

/** The maximum number of consecutive attempts that end without a report, for example because the document crashes its worker. */
const triesMax = 5;
const chunksMax = 100_000;
/** The number of chunks that are embedded between two checkpoints. After a crash at most this many are embedded again. */
const batch = 32;
const beatMs = 3000;

/** The activities of the document workflow. */
@Injectable()
export class DocumentWork implements IngestionActivities {
  constructor(
    private readonly ingestion: Ingestion,
    private readonly fetch: DocumentFetch,
    private readonly cutter: Chunker,
    private readonly embedding: Embedding,
  ) {}

  readDocument(key: DocumentKey): Promise<{ characters: number; chunks: number }> {
    return this.attempt(key, async (processing, signal) => {
      const folder = await newScratch();
      try {
        const file = await this.fetch.place(processing, join(folder, 'content'), signal);
        const parsed = await parseFile(file, signal, { workspaceId: key.workspaceId });
        const cut = await this.cutter.chunkDocument({ parsed, chunking: processing.chunking }, signal);
        if (cut.chunks.length === 0) throw new DocumentError('EMPTY', 'The document holds no text.');
        if (cut.chunks.length > chunksMax)
          throw new DocumentError('TOO_LARGE', `The document has more than ${chunksMax} chunks.`);
        await this.ingestion.keepChunks(processing, cut, parsed);
        return { characters: parsed.text.length, chunks: cut.chunks.length };
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  }

  embedDocument(key: DocumentKey): Promise<void> {
    return this.attempt(key, async (processing, signal, beat) => {
      const embedder = await this.embedding.findEmbedder(processing.model);
      for (;;) {
        const progress = await this.ingestion.progress(key);
        beat(progress);
        if (progress.done >= progress.total) return;
        const chunks = await this.ingestion.chunks(processing, progress.done, batch);
        const windows = chunks.map((chunk) => embedder.windows(chunk));
        const texts = windows.flat();
        const vectors = await embedder.embedDocuments(texts, signal, key.workspaceId);
        let from = 0;
        const embedded = chunks.map(({ n }, i) => {
          const count = windows[i]?.length ?? 0;
          return { n, vectors: vectors.slice(from, (from += count)) };
        });
        const about = { dimension: embedder.dimension, cost: this.embedding.computeCost(embedder, texts) };
        await this.ingestion.keepVectors(processing, progress, embedded, about);
      }
    });
  }

  showDocument(key: DocumentKey, characters: number): Promise<void> {
    return lasting(() => this.ingestion.showProgress(key, characters));
  }

  failDocument(key: DocumentKey, code: string, message: string): Promise<void> {
    return lasting(() => this.ingestion.fail(key, code, message));
  }

  /**
   * Runs an attempt of a long step. It counts the attempt as a crash at its start, and takes the count back at its end. A crashed
   * attempt could not count itself.
   */
  private async attempt<T>(
    key: DocumentKey,
    work: (processing: Processing, signal: AbortSignal, beat: (details: unknown) => void) => Promise<T>,
  ): Promise<T> {
    const context = Context.current();
    let details: unknown;
    const beat = setInterval(() => context.heartbeat(details), beatMs);
    const tell = (newDetails: unknown) => context.heartbeat((details = newDetails));
    try {
      return await lasting(async () => {
        const processing = await this.ingestion.beginProcessing(key);
        if (processing.tries > triesMax) throw new Crashed();
        try {
          const done = await work(processing, context.cancellationSignal, tell);
          await this.ingestion.endedInOrder(key);
          return done;
        } catch (error) {
          if (isPassing(error) || context.cancellationSignal.aborted)
            await this.ingestion.endedInOrder(key).catch(() => undefined);
          throw error;
        }
      });
    } finally {
      clearInterval(beat);
    }
  }
}

class Crashed extends Error {}

/** True for a failure that a retry may not meet again, for example because a service was unavailable. */
function isPassing(error: unknown): boolean {
  if (error instanceof EmbeddingRefused) return error.passing;
  return isUnavailable(error) || error instanceof ApiError;
}

/** Runs the work. Throws a non-retryable failure in place of an error that every attempt would meet. */
async function lasting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Superseded)
      throw ApplicationFailure.nonRetryable('There is nothing left to do.', 'SUPERSEDED');
    if (error instanceof DocumentError) throw ApplicationFailure.nonRetryable(error.message, error.code);
    if (error instanceof EmbeddingRefused && !error.passing)
      throw ApplicationFailure.nonRetryable(error.message, 'EMBEDDING_REFUSED');
    if (error instanceof Crashed)
      throw ApplicationFailure.nonRetryable(
        `The processing broke off ${triesMax} times; the document may be what ends it.`,
        'PROCESSING_CRASHED',
      );
    throw error;
  }
}
