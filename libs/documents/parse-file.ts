import { readFile } from 'node:fs/promises';
import { markdownHeadings } from './markdown.ts';
import { DocumentFault, type ParsedDocument } from './parsed-document.ts';

export interface DocumentFile {
  path: string;
  filename: string;
  mimeType?: string;
}

/** The text of a file with its headings. Throws `DocumentFault` for a file that cannot become a document. */
export async function parseFile(file: DocumentFile, signal?: AbortSignal): Promise<ParsedDocument> {
  const text = await readFile(file.path, { encoding: 'utf8', signal });
  if (text.trim() === '') throw new DocumentFault('EMPTY', 'The file holds no text.');
  const isMarkdown = /\.(md|markdown)$/i.test(file.filename);
  return isMarkdown
    ? { text, headings: markdownHeadings(text), mediaType: 'text/markdown' }
    : { text, headings: [], mediaType: 'text/plain' };
}
