import { DocumentError } from './parsed-document.ts';
import type { Zip } from './office/zip.ts';

/** The kind of a file, by its content. */
export type FileContainer = 'pdf' | 'zip' | 'compound' | 'bytes';
export type TextKind = 'markdown' | 'html' | 'json' | 'csv' | 'plain';
export type OfficeKind = 'word' | 'spreadsheet' | 'slides' | 'openDocument' | 'book';
/** Formats that are written in text, and name the encodings of their parts inside. */
export type CodedKind = 'richText' | 'mail' | 'mailbox' | 'webArchive' | 'flatSheet' | 'flatDocument';

/** All kinds of files that are read. */
type FileKind = TextKind | OfficeKind | CodedKind | 'pdf' | 'oldSheet' | 'notebook';

export const mediaTypes: Record<FileKind, string> = {
  markdown: 'text/markdown',
  html: 'text/html',
  json: 'application/json',
  csv: 'text/csv',
  plain: 'text/plain',
  word: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  spreadsheet: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  slides: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  openDocument: 'application/vnd.oasis.opendocument.text',
  book: 'application/epub+zip',
  richText: 'application/rtf',
  mail: 'message/rfc822',
  mailbox: 'application/mbox',
  webArchive: 'multipart/related',
  flatSheet: 'application/xml',
  flatDocument: 'application/vnd.oasis.opendocument.text-flat-xml',
  oldSheet: 'application/vnd.ms-excel',
  pdf: 'application/pdf',
  notebook: 'application/x-ipynb+json',
};

/** The kind of a file by its first bytes. A PDF may begin after some other bytes. */
export function detectContainer(bytes: Buffer): FileContainer {
  if (bytes.subarray(0, 1024).includes('%PDF-')) return 'pdf';
  if (bytes.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004', 'latin1'))) return 'zip';
  if (bytes.subarray(0, 8).equals(Buffer.from('d0cf11e0a1b11ae1', 'hex'))) return 'compound';
  return 'bytes';
}

/** The office formats by the content types and the parts of a zip. */
const parts: [RegExp, string, OfficeKind][] = [
  [
    /wordprocessingml\.(document|template)\.main|ms-word\.(document|template)\.macroEnabled/,
    'word/document.xml',
    'word',
  ],
  [/spreadsheetml\.(sheet|template)\.main|ms-excel\.(sheet|template)/, 'xl/workbook.xml', 'spreadsheet'],
  [/presentationml\.(presentation|template|slideshow)\.main|ms-powerpoint/, 'ppt/presentation.xml', 'slides'],
];

/** The office format of a zip. Throws `DocumentError` for another zip. */
export async function detectOfficeKind(zip: Zip): Promise<OfficeKind> {
  const types = await zip.text('[Content_Types].xml');
  const part = parts.find(([type, name]) => type.test(types) || zip.has(name));
  if (part) return part[2];
  const mimetype = await zip.text('mimetype');
  // A locked file has its parts in the list still, and only bytes in them.
  if (
    mimetype.includes('opendocument') &&
    (await zip.text('META-INF/manifest.xml')).includes('encryption-data')
  )
    throw locked();
  if (mimetype.includes('opendocument.spreadsheet')) return 'spreadsheet';
  if (mimetype.includes('opendocument') && zip.has('content.xml')) return 'openDocument';
  if (mimetype.includes('epub') || zip.has('META-INF/container.xml')) return 'book';
  if (zip.names.some((name) => name.endsWith('.iwa') || name.endsWith('Index.zip')))
    throw new DocumentError(
      'UNSUPPORTED',
      'The file is of Pages, Numbers or Keynote; export it as PDF or in a format of Office.',
    );
  throw new DocumentError('UNSUPPORTED', 'The file is an archive of other files; send each of them.');
}

const locked = () => new DocumentError('ENCRYPTED', 'The file is protected by a password.');

/** The entries of the old container format of Office, by their names, with the reason why a file that has one is not read. */
const compounds: [string, string][] = [
  [
    'WordDocument',
    'The file is a document of Word before 2007 (.doc); save it as .docx in Word or LibreOffice.',
  ],
  [
    'PowerPoint Document',
    'The file is a presentation of PowerPoint before 2007 (.ppt); save it as .pptx in PowerPoint or LibreOffice.',
  ],
  [
    '__substg1.0_',
    'The file is a message of Outlook (.msg); save it as HTML or text in Outlook, or download it as .eml in Outlook on the web.',
  ],
];

/** True for a workbook of Excel before 2007. Throws `DocumentError` for any other file in the old container format of Office. */
export function requireOldSheet(bytes: Buffer): void {
  const has = (name: string) => bytes.includes(Buffer.from(name, 'utf16le'));
  if (has('EncryptedPackage')) throw locked();
  const found = compounds.find(([name]) => has(name));
  if (found) throw new DocumentError('UNSUPPORTED', found[1]);
  if (has('Workbook\0') || has('Book\0')) return;
  throw new DocumentError(
    'UNSUPPORTED',
    'The file has a format of Office before 2007; save it as .docx, .xlsx or .pptx.',
  );
}

const codedEndings: Record<string, CodedKind> = {
  eml: 'mail',
  mbox: 'mailbox',
  mht: 'webArchive',
  mhtml: 'webArchive',
};
const codedTypes: Record<string, CodedKind> = {
  'message/rfc822': 'mail',
  'application/mbox': 'mailbox',
  'multipart/related': 'webArchive',
  'application/x-mimearchive': 'webArchive',
};

/** The kind of a file whose format is written in text and names its encodings inside; undefined for any other. */
export function detectCodedKind(bytes: Buffer, filename: string, mimeType = ''): CodedKind | undefined {
  const head = bytes
    .subarray(0, 8192)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  if (head.startsWith('{\\rtf')) return 'richText';
  if (head.startsWith('<?xml')) {
    if (/progid="Excel\.Sheet"|urn:schemas-microsoft-com:office:spreadsheet/.test(head)) return 'flatSheet';
    if (!/<office:document\s/.test(head)) return undefined;
    return head.includes('opendocument.spreadsheet') ? 'flatSheet' : 'flatDocument';
  }
  const isBox = /^From [^\r\n]+\r?\n[\w-]+:/.test(head);
  if (!isBox && !/^[\w-]+:/.test(head)) return undefined;
  const headers = head.split(/\r?\n\r?\n/, 1)[0] ?? '';
  const isMail =
    /^MIME-Version:/im.test(headers) || (/^Received:/im.test(headers) && /^From:/im.test(headers));
  if (
    isMail &&
    /^Content-Type:\s*multipart\/related/im.test(headers) &&
    /^(Snapshot-Content-Location|From: *<Saved by)/im.test(headers)
  )
    return 'webArchive';
  if (isBox) return 'mailbox';
  return codedEndings[getEnding(filename)] ?? codedTypes[bareType(mimeType)] ?? (isMail ? 'mail' : undefined);
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
const binary = /^(pdf|docx|xlsx|pptx|odt|ods|odp|doc|xls|ppt|msg|epub|png|jpe?g|gif|zip)$/;

/** The kind of a text by its filename, its declared type and its beginning. Throws `DocumentError` when the filename names a binary format. */
export function detectTextKind(text: string, filename: string, mimeType = ''): TextKind {
  const ending = getEnding(filename);
  const begin = text.slice(0, 1000).trimStart().toLowerCase();
  if (/^(<\?xml[^>]*>)?\s*<(!doctype html|html[\s>])/.test(withoutComments(begin))) return 'html';
  // Programs that export tables often name them as workbooks.
  if (ending === 'xls' && begin.startsWith('<table')) return 'html';
  if (ending === 'xls' && /^[^\n]*[\t;,]/.test(begin)) return 'csv';
  if (binary.test(ending))
    throw new DocumentError('MISLABELLED', `The file is named .${ending} and holds plain text instead.`);
  const named = endings[ending] ?? types[bareType(mimeType)];
  return named ?? (/^[{[]/.test(begin) ? 'json' : 'plain');
}

/** The media type of a text by the name of its file. */
export function toMediaType(filename: string): string {
  return mediaTypes[endings[getEnding(filename)] ?? 'plain'];
}

function withoutComments(text: string): string {
  return text
    .split('<!--')
    .map((part, at) => (at === 0 ? part : (part.split('-->')[1] ?? '')))
    .join('')
    .trimStart();
}

function bareType(mimeType: string): string {
  return mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function getEnding(filename: string): string {
  return /\.([a-z0-9]+)$/.exec(filename.toLowerCase())?.[1] ?? '';
}
