/** A heading of a document; `at` is the offset in `text` at which the line of the heading begins. */
export interface Heading {
  at: number;
  /** The level, from 1 for the highest. The title of the whole document has level 0. */
  level: number;
  title: string;
}

/** The content of a file as one text. All offsets of headings and chunks count UTF-16 units of this text. */
export interface ParsedDocument {
  text: string;
  /** In the order of the text. */
  headings: Heading[];
  /** The media type by the content of the file, not by its name. */
  mediaType: string;
  pages?: number;
  /** The numbers of the pages without text that can be read, from 1. */
  pagesWithoutText?: number[];
  /** The title that the file has beside its text. */
  title?: string;
  /** What may be missing or wrong in the text, a sentence each. */
  warnings: string[];
  /** How surely the text is what a person reads in the file, from 0 to 1. */
  confidence: number;
}

/** What a reader of one format finds in a file. */
export type ParsedText = Omit<ParsedDocument, 'mediaType' | 'confidence' | 'warnings'> & {
  warnings?: string[];
};

/**
 * The reason why a file cannot become a document, for the person who sent the file. A retry would fail in the same way.
 * Any other error of the parsing is a crash.
 */
export class DocumentError extends Error {
  override readonly name = 'DocumentFault';

  constructor(
    readonly code: DocumentErrorCode,
    message: string,
  ) {
    super(message);
  }
}

export const documentErrorCodes = [
  'EMPTY',
  'UNSUPPORTED',
  'UNREADABLE',
  'ENCRYPTED',
  'MISLABELLED',
  'TOO_LARGE',
  'TOO_MANY_PAGES',
  'TOO_SLOW',
  'TOO_MUCH_MEMORY',
  'NO_TEXT',
] as const;
export type DocumentErrorCode = (typeof documentErrorCodes)[number];
