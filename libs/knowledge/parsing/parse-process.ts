import type { DocumentFile } from './parse-here.ts';
import type { Parsed, WorkbookFile } from './parse-thread.ts';
import { type ParseLimits, DocumentReading } from './reading.ts';

/** The file that a process reads alone, and its bounds. */
export interface LoneReading {
  file: DocumentFile | WorkbookFile;
  limits: ParseLimits;
}

// The parent kills this process when it needs it no more.
process.once('message', ({ file, limits }: LoneReading) => {
  void new DocumentReading(file, limits)
    .outcome()
    .catch((error: unknown): Parsed<never> => ({ crash: String(error) }))
    .then((parsed) => process.send?.(parsed));
});
process.once('disconnect', () => process.exit());
