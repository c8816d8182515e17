import { parentPort, workerData } from 'node:worker_threads';
import { parseHere, type DocumentFile } from './parse-here.ts';
import { DocumentError, type DocumentErrorCode, type ParsedDocument } from './parsed-document.ts';

/** The result of the thread: a document, an error, or the message of a crash. */
export type Parsed =
  | { parsed: ParsedDocument }
  | { fault: { code: DocumentErrorCode; message: string } }
  | { crash: string };

async function outcome(file: DocumentFile): Promise<Parsed> {
  try {
    return { parsed: await parseHere(file) };
  } catch (error) {
    if (error instanceof DocumentError) return { fault: { code: error.code, message: error.message } };
    return { crash: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.postMessage(await outcome(workerData as DocumentFile), []);
