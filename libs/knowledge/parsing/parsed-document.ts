/** A heading of a document; `at` is the offset in `text` at which the line of the heading begins. */
export interface Heading {
  at: number;
  /** 1 for the highest. */
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
}

/**
 * Why a file became no document. Message and code are meant for whoever sent the file, and another attempt would end the
 * same; anything else that is thrown is a crash.
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
