import { parentPort, workerData } from 'node:worker_threads';
import { parseHere, type DocumentFile } from './parse-here.ts';
import { DocumentError, type DocumentErrorCode, type ParsedDocument } from './parsed-document.ts';

/** A workbook whose rows are written to a file. Without the name of a sheet, it is the first sheet with cells. */
export interface WorkbookFile {
  path: string;
  sheet?: string | undefined;
  rowsTo: string;
}

export interface WorkbookRows {
  format: 'xlsx' | 'xls' | 'ods';
  /** The sheet whose rows were written. */
  sheet: string;
  sheets: string[];
}

/** The result of the thread: what it read, an error, or the message of a crash. */
export type Parsed<Read = ParsedDocument> =
  | { parsed: Read }
  | { fault: { code: DocumentErrorCode; message: string } }
  | { crash: string };

async function outcome(file: DocumentFile | WorkbookFile): Promise<Parsed<ParsedDocument | WorkbookRows>> {
  try {
    if (!('rowsTo' in file)) return { parsed: await parseHere(file) };
    const { writeWorkbookRows } = await import('./office/workbook-rows.ts');
    return { parsed: await writeWorkbookRows(file) };
  } catch (error) {
    if (error instanceof DocumentError) return { fault: { code: error.code, message: error.message } };
    return { crash: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.postMessage(await outcome(workerData as DocumentFile | WorkbookFile), []);
