import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { DocumentFile } from './parse-here.ts';
import type { Parsed } from './parse-thread.ts';
import { DocumentError, type DocumentErrorCode, type ParsedDocument } from './parsed-document.ts';

export type { DocumentFile } from './parse-here.ts';

/** Bounds on reading one file. */
export interface ParseLimits {
  bytesMax: number;
  msMax: number;
  /** Of objects and texts in the thread. */
  heapMegabytesMax: number;
  /** By which the process may grow; buffers are outside of the heap. */
  growthMegabytesMax: number;
}

const defaults: ParseLimits = {
  bytesMax: 100 * 1024 * 1024,
  msMax: 120_000,
  heapMegabytesMax: 768,
  growthMegabytesMax: 1536,
};
const lookEveryMs = 100;
const maxYoungGenerationSizeMb = 16;
const megabyte = 1024 * 1024;

const program = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts')
      ? '../../../dist/libs/knowledge/parsing/parse-thread.js'
      : './parse-thread.js',
    import.meta.url,
  ),
);

/**
 * The text of a file with its headings, read in a thread that is ended when it takes too long, needs too much memory, or
 * the signal says so. The content says what a file is; its name only tells texts apart. Throws `DocumentError` for a file
 * that cannot become a document.
 */
export async function parseFile(
  file: DocumentFile,
  signal?: AbortSignal,
  given: Partial<ParseLimits> = {},
): Promise<ParsedDocument> {
  const limits = { ...defaults, ...given };
  signal?.throwIfAborted();
  const { size } = await stat(file.path);
  if (size === 0) throw new DocumentError('EMPTY', 'The file is empty.');
  if (size > limits.bytesMax)
    throw new DocumentError('TOO_LARGE', `The file has ${size} bytes; at most ${limits.bytesMax} are read.`);
  const read = () => new Reading(file, limits, signal).outcome();
  let outcome = await beside(read);
  // Another document may have made the process grow. The one to blame is known when each is read alone.
  if (outcome === grownTooMuch) outcome = await alone(read);
  if ('parsed' in outcome) return outcome.parsed;
  if ('fault' in outcome) throw new DocumentError(outcome.fault.code, outcome.fault.message);
  throw new Error(`Reading the file failed: ${outcome.crash}`);
}

/** One thread, from its start to its end. */
class Reading {
  private readonly thread: Worker;
  private readonly resident = process.memoryUsage.rss();

  constructor(
    { path, filename, mimeType }: DocumentFile,
    private readonly limits: ParseLimits,
    private readonly signal?: AbortSignal,
  ) {
    this.thread = new Worker(program, {
      workerData: { path, filename, mimeType },
      // Parsed text is used for a short time only. A small young heap gives its memory back at once.
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytesMax, maxYoungGenerationSizeMb },
      // It reads files of strangers and needs nothing that this process knows.
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
    });
  }

  async outcome(): Promise<Parsed> {
    const watch = new AbortController();
    try {
      return await Promise.race([
        this.message(),
        this.tooSlow(watch.signal),
        this.tooLarge(watch.signal),
        this.aborted(watch.signal),
      ]);
    } finally {
      watch.abort();
      await this.thread.terminate();
    }
  }

  private message(): Promise<Parsed> {
    return new Promise((resolve, reject) => {
      this.thread.once('message', resolve);
      this.thread.once('error', (error: Error & { code?: string }) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve(outOfMemory);
        else reject(error);
      });
      this.thread.once('exit', (code) => reject(new Error(`The thread that reads ended with code ${code}.`)));
    });
  }

  private tooSlow(end: AbortSignal): Promise<Parsed> {
    const { msMax } = this.limits;
    const message = `The file was not read within ${msMax / 1000} s.`;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(faultOf('TOO_SLOW', message)), msMax);
      end.addEventListener('abort', () => clearTimeout(timer));
    });
  }

  private tooLarge(end: AbortSignal): Promise<Parsed> {
    const most = this.resident + this.limits.growthMegabytesMax * megabyte;
    return new Promise((resolve) => {
      const look = setInterval(() => process.memoryUsage.rss() > most && resolve(grownTooMuch), lookEveryMs);
      end.addEventListener('abort', () => clearInterval(look));
    });
  }

  private aborted(end: AbortSignal): Promise<never> {
    return new Promise((_, reject) => {
      const refuse = () => reject(this.signal?.reason as Error);
      this.signal?.addEventListener('abort', refuse);
      end.addEventListener('abort', () => this.signal?.removeEventListener('abort', refuse));
    });
  }
}

const faultOf = (code: DocumentErrorCode, message: string): Parsed => ({ fault: { code, message } });
const tooMuchMemory = 'Reading the file takes more memory than a document may use.';
/** The heap of the thread was too small. */
const outOfMemory = faultOf('TOO_MUCH_MEMORY', tooMuchMemory);
/** The whole process has grown too much since the thread began. */
const grownTooMuch = faultOf('TOO_MUCH_MEMORY', tooMuchMemory);

/** The documents that are read now, and the one that is read alone. */
const readers = new Set<Promise<unknown>>();
const only: { reading: Promise<unknown> | null } = { reading: null };

/** Reads beside others, once nobody reads alone. */
async function beside<T>(read: () => Promise<T>): Promise<T> {
  while (only.reading) await only.reading.catch(() => undefined);
  const mine = read();
  readers.add(mine);
  try {
    return await mine;
  } finally {
    readers.delete(mine);
  }
}

/** Reads once all others have ended; those that come meanwhile wait. */
async function alone<T>(read: () => Promise<T>): Promise<T> {
  while (only.reading) await only.reading.catch(() => undefined);
  const before = Promise.allSettled(readers);
  const mine = before.then(read);
  only.reading = mine;
  try {
    return await mine;
  } finally {
    only.reading = null;
  }
}
