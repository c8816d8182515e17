import { fork } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { KeyedSemaphore } from '#libs/platform/semaphore/keyed-semaphore';
import type { DocumentFile } from './parse-here.ts';
import type { LoneReading } from './parse-process.ts';
import type { Parsed, WorkbookFile, WorkbookRows } from './parse-thread.ts';
import { DocumentError, type ParsedDocument } from './parsed-document.ts';
import { outOfMemory, type ParseLimits, programPath } from './reading.ts';

export type { DocumentFile } from './parse-here.ts';
export type { WorkbookFile, WorkbookRows } from './parse-thread.ts';
export type { ParseLimits } from './reading.ts';

const defaults: ParseLimits = {
  bytesMax: 100 * 1024 * 1024,
  msMax: 120_000,
  heapMegabytesMax: 768,
  growthMegabytesMax: 1536,
};

/** Two files are read at the same time, because each may take much memory. The workspaces that wait take turns. */
const openQueue = () =>
  new KeyedSemaphore({ most: 1, all: 2, refuse: () => new Error('unreachable: no wait ends') });
/** A caller waits for a workbook, so it does not queue behind documents. */
const [documents, workbooks] = [openQueue(), openQueue()];

/**
 * Reads the text of a file with its headings, in a process of its own: a file that fills the heap of a thread ends the whole process.
 * The process ends when it takes too long, needs too much memory, or the signal aborts. The content decides the format of a file; the
 * filename only distinguishes text formats.
 * Throws `DocumentError` for a file that cannot become a document, the reason of the signal, or `Error` for a crash.
 */
export async function parseFile(
  file: DocumentFile,
  signal?: AbortSignal,
  { workspaceId = '', ...given }: Partial<ParseLimits> & { workspaceId?: string } = {},
): Promise<ParsedDocument> {
  const limits = { ...defaults, ...given };
  signal?.throwIfAborted();
  const { size } = await stat(file.path);
  if (size === 0) throw new DocumentError('EMPTY', 'The file is empty.');
  if (size > limits.bytesMax)
    throw new DocumentError('TOO_LARGE', `The file has ${size} bytes; at most ${limits.bytesMax} are read.`);
  const { path, filename, mimeType } = file;
  const task = { path, filename, mimeType };
  const read = () => readAlone(task, limits, signal);
  return resultOf(await documents.run(workspaceId, read, signal ? { signal } : {}));
}

/** Bounds on reading one workbook, which a caller waits for. */
const workbookLimits: ParseLimits = { ...defaults, msMax: 30_000 };

/**
 * Writes the rows of a sheet to a file, in a process that reads nothing else, so that a workbook delays and fills no process that serves.
 * The workspaces that wait take turns. Throws `DocumentError`, or `Error` for a crash.
 */
export async function parseWorkbook(file: WorkbookFile, workspaceId: string): Promise<WorkbookRows> {
  return resultOf(await workbooks.run(workspaceId, () => readAlone<WorkbookRows>(file, workbookLimits)));
}

function resultOf<Read>(outcome: Parsed<Read>): Read {
  if ('parsed' in outcome) return outcome.parsed;
  if ('fault' in outcome) throw new DocumentError(outcome.fault.code, outcome.fault.message);
  throw new Error(`Reading the file failed: ${outcome.crash}`);
}

/** Reads a file in a process that reads nothing else, so that only the file itself can make it grow. */
async function readAlone<Read = ParsedDocument>(
  file: DocumentFile | WorkbookFile,
  limits: ParseLimits,
  signal?: AbortSignal,
): Promise<Parsed<Read>> {
  // The child reads an untrusted file, so it gets no environment of this process.
  const child = fork(programPath('parse-process.js'), {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { PATH: process.env['PATH'], SystemRoot: process.env['SystemRoot'] },
    execArgv: [],
  });
  const watch = new AbortController();
  const ends = AbortSignal.any(signal ? [signal, watch.signal] : [watch.signal]);
  try {
    const task: LoneReading = { file, limits };
    child.send(task);
    const [parsed] = await Promise.race([
      once(child, 'message', { signal: ends }),
      once(child, 'exit', { signal: ends }).then(([code, by]): [Parsed<Read>] => [
        // Node aborts a process in which one step fills the heap of a thread.
        by === 'SIGABRT' ? outOfMemory : { crash: `its process ended with ${String(by ?? code)}` },
      ]),
    ]);
    return parsed as Parsed<Read>;
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  } finally {
    watch.abort();
    child.kill('SIGKILL');
  }
}
