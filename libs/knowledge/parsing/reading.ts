import { Worker } from 'node:worker_threads';
import { compiledProgram } from '#libs/platform/threads/compiled-program';
import type { DocumentFile } from './parse-here.ts';
import type { Parsed, WorkbookFile } from './parse-thread.ts';
import type { DocumentErrorCode, ParsedDocument } from './parsed-document.ts';

/** Bounds on reading one file. */
export interface ParseLimits {
  bytesMax: number;
  msMax: number;
  /** The maximum size of the JavaScript heap of the thread. */
  heapMegabytesMax: number;
  /** The maximum growth of the memory of the process. It limits buffers too, which are outside of the heap. */
  growthMegabytesMax: number;
}

const lookEveryMs = 100;
const maxYoungGenerationSizeMb = 16;
const megabyte = 1024 * 1024;

/** Returns the path of a compiled program of this folder. */
export const programPath = (name: string) => compiledProgram(name, import.meta.url);

/** The life of a thread that reads a file, in a process that does nothing else. The parent ends the process, and the thread with it. */
export class DocumentReading<Read = ParsedDocument> {
  private readonly thread: Worker;
  private readonly resident = process.memoryUsage.rss();

  constructor(
    file: DocumentFile | WorkbookFile,
    private readonly limits: ParseLimits,
  ) {
    this.thread = new Worker(programPath('parse-thread.js'), {
      workerData: file,
      // Parsed text is used for a short time only. A small young heap gives its memory back at once.
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytesMax, maxYoungGenerationSizeMb },
      // The thread reads untrusted files, so it gets no environment of this process.
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
    });
  }

  async outcome(): Promise<Parsed<Read>> {
    const watch = new AbortController();
    try {
      return await Promise.race([this.message(), this.tooSlow(watch.signal), this.tooLarge(watch.signal)]);
    } finally {
      watch.abort();
    }
  }

  private message(): Promise<Parsed<Read>> {
    return new Promise((resolve, reject) => {
      this.thread.once('message', resolve);
      this.thread.once('error', (error: Error & { code?: string }) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve(outOfMemory);
        else reject(error);
      });
      this.thread.once('exit', (code) => reject(new Error(`The thread that reads ended with code ${code}.`)));
    });
  }

  private tooSlow(end: AbortSignal): Promise<Parsed<Read>> {
    const { msMax } = this.limits;
    const message = `The file was not read within ${msMax / 1000} s.`;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(toParseFault('TOO_SLOW', message)), msMax);
      end.addEventListener('abort', () => clearTimeout(timer));
    });
  }

  private tooLarge(end: AbortSignal): Promise<Parsed<Read>> {
    const residentMax = this.resident + this.limits.growthMegabytesMax * megabyte;
    return new Promise((resolve) => {
      const look = setInterval(
        () => process.memoryUsage.rss() > residentMax && resolve(outOfMemory),
        lookEveryMs,
      );
      end.addEventListener('abort', () => clearInterval(look));
    });
  }
}

const toParseFault = (code: DocumentErrorCode, message: string): Parsed<never> => ({
  fault: { code, message },
});
export const outOfMemory = toParseFault(
  'TOO_MUCH_MEMORY',
  'Reading the file takes more memory than a document may use.',
);
