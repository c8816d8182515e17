import { DocumentError } from './parsed-document.ts';
import type { Zip } from './zip.ts';

/** The kind of a file, by its content. */
export type FileContainer = 'pdf' | 'zip' | 'compound' | 'bytes';
export type TextKind = 'markdown' | 'html' | 'json' | 'csv' | 'plain';
export type OfficeKind = 'word' | 'spreadsheet' | 'slides' | 'openDocument';

export const mediaTypes: Record<TextKind | OfficeKind | 'pdf', string> = {
  markdown: 'text/markdown',
  html: 'text/html',
  json: 'application/json',
  csv: 'text/csv',
  plain: 'text/plain',
  word: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  spreadsheet: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  slides: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  openDocument: 'application/vnd.oasis.opendocument.text',
  pdf: 'application/pdf',
};

/** The kind of a file by its first bytes. A PDF may begin after some other bytes. */
export function containerOf(bytes: Buffer): FileContainer {
  if (bytes.subarray(0, 1024).includes('%PDF-')) return 'pdf';
  if (bytes.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004', 'latin1'))) return 'zip';
  if (bytes.subarray(0, 8).equals(Buffer.from('d0cf11e0a1b11ae1', 'hex'))) return 'compound';
  return 'bytes';
}

const parts: [string, OfficeKind][] = [
  ['word/document.xml', 'word'],
  ['xl/workbook.xml', 'spreadsheet'],
  ['ppt/presentation.xml', 'slides'],
];

/** The office format of a zip. Throws `DocumentError` for another zip. */
export async function officeKindOf(zip: Zip): Promise<OfficeKind> {
  const part = parts.find(([name]) => zip.has(name));
  if (part) return part[1];
  const mimetype = await zip.text('mimetype');
  if (mimetype.includes('opendocument.spreadsheet')) return 'spreadsheet';
  if (mimetype.includes('opendocument') && zip.has('content.xml')) return 'openDocument';
  throw new DocumentError('UNSUPPORTED', 'The file is an archive of other files; send each of them.');
}

/** The error for a file in the old container format of Office. Office also uses this container for encrypted new files. */
export function compoundError(bytes: Buffer): DocumentError {
  const isEncrypted = bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'));
  return isEncrypted
    ? new DocumentError('ENCRYPTED', 'The file is protected by a password.')
    : new DocumentError(
        'UNSUPPORTED',
        'The file has a format of Office before 2007; save it in a newer one.',
      );
}

const endings: Record<string, TextKind> = {
  md: 'markdown',
  markdown: 'markdown',
  mdx: 'markdown',
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  json: 'json',
  csv: 'csv',
  tsv: 'csv',
  tab: 'csv',
};
const types: Record<string, TextKind> = {
  'text/markdown': 'markdown',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'application/json': 'json',
  'text/csv': 'csv',
  'text/tab-separated-values': 'csv',
};
const binary = /^(pdf|docx|xlsx|pptx|odt|ods|odp|doc|xls|ppt|png|jpe?g|gif|zip)$/;

/** The kind of a text by its filename, its declared type and its beginning. Throws `DocumentError` when the filename names a binary format. */
export function textKindOf(text: string, filename: string, mimeType = ''): TextKind {
  const ending = endingOf(filename);
  if (binary.test(ending))
    throw new DocumentError('MISLABELLED', `The file is named .${ending} and holds plain text instead.`);
  const begin = text.slice(0, 1000).trimStart().toLowerCase();
  if (begin.startsWith('<!doctype html') || begin.startsWith('<html')) return 'html';
  const named = endings[ending] ?? types[mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? ''];
  return named ?? (/^[{[]/.test(begin) ? 'json' : 'plain');
}

/** The media type of a text by the name of its file. */
export function textTypeOf(filename: string): string {
  return mediaTypes[endings[endingOf(filename)] ?? 'plain'];
}

function endingOf(filename: string): string {
  return /\.([a-z0-9]+)$/.exec(filename.toLowerCase())?.[1] ?? '';
}
