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
  /** The maximum size of the JavaScript heap of the thread. */
  heapMegabytesMax: number;
  /** The maximum growth of the memory of the process. It limits buffers too, which are outside of the heap. */
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
 * Reads the text of a file with its headings, in a thread. The thread ends when it takes too long, needs too much memory, or the signal
 * aborts. The content decides the format of a file; the filename only distinguishes text formats.
 * Throws `DocumentError` for a file that cannot become a document, the reason of the signal, or `Error` for a crash.
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
  // Another document may have made the process grow. So this document is read again, alone.
  if (outcome === grownTooMuch) outcome = await alone(read);
  if ('parsed' in outcome) return outcome.parsed;
  if ('fault' in outcome) throw new DocumentError(outcome.fault.code, outcome.fault.message);
  throw new Error(`Reading the file failed: ${outcome.crash}`);
}

/** The life of a thread that reads a file. */
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
      // The thread reads untrusted files, so it gets no environment of this process.
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

/** The documents that are read at the same time, and the document that is read alone. */
const readers = new Set<Promise<unknown>>();
const only: { reading: Promise<unknown> | null } = { reading: null };

/** Reads at the same time as others. Waits first until no document is read alone. */
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

/** Waits until all other reads have ended, and then reads. Later reads wait for its end. */
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
