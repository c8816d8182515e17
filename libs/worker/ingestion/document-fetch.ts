import { writeFile } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { ApplicationFailure } from '@temporalio/common';
import type { DocumentFile } from '#libs/knowledge/parsing/parse-file';
import { Egress, EgressFailed, EgressRefused, type EgressResponse } from '#libs/platform/egress/egress';
import { computeDigest, fileBytesMax } from '#libs/platform/files/files';
import { Ingestion, type Processing } from '#libs/knowledge/ingestion/ingestion';

const fetchMsMax = 120_000;
/** The number of tries to fetch a URL whose server answers with an error. */
const fetchesMax = 3;

/** Writes the content of a document to the disk of this machine. It fetches content at a URL first. */
@Injectable()
export class DocumentFetch {
  constructor(
    private readonly ingestion: Ingestion,
    private readonly egress: Egress,
  ) {}

  /**
   * Writes the content to `path`, and returns the file. It stores fetched content too, so that callers can download it later.
   * Throws a non-retryable failure when the URL cannot be fetched, and another error when a retry may succeed.
   */
  async place(processing: Processing, path: string, signal: AbortSignal): Promise<DocumentFile> {
    const { filename, mimeType, sourceUrl, fileId } = processing;
    if (sourceUrl === null) {
      await this.ingestion.copyTo(processing, fileId ?? '', path);
      return { path, filename, mimeType };
    }
    const { body, headers } = await this.get(processing, sourceUrl, signal);
    const declared = headers['content-type'] ?? '';
    const type = declared.split(';')[0]?.trim().toLowerCase() || 'application/octet-stream';
    const file = { content: body, filename, mimeType: type, size: body.length, sha256: computeDigest(body) };
    await this.ingestion.keepFetched(processing, file);
    await writeFile(path, body, { mode: 0o600, flag: 'wx' });
    // The reader needs the charset too.
    return { path, filename, mimeType: declared || type };
  }

  private async get({ tries }: Processing, url: string, signal: AbortSignal): Promise<EgressResponse> {
    const answer = await this.ask(url, signal).catch((error: unknown) => {
      if (error instanceof EgressRefused) throw refused('FETCH_REFUSED', error.message);
      if (!(error instanceof EgressFailed)) throw error;
      const isFinal = error.code === 'RESPONSE_TOO_LARGE' || error.code === 'TOO_MANY_REDIRECTS';
      if (isFinal || tries >= fetchesMax) throw refused('FETCH_FAILED', error.message);
      throw error;
    });
    const { status } = answer;
    if (status >= 200 && status < 300) return answer;
    const message = `The server answered ${status}.`;
    if ((status < 500 && status !== 429) || tries >= fetchesMax) throw refused('FETCH_FAILED', message);
    throw new Error(message);
  }

  private ask(url: string, signal: AbortSignal): Promise<EgressResponse> {
    const about = { timeoutMs: fetchMsMax, responseBytesMax: fileBytesMax };
    return this.egress.request({ method: 'GET', url, signal, ...about });
  }
}

function refused(code: string, message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, code);
}
