import { Parser, type ParserOptions } from 'htmlparser2';
import { DocumentError } from './parsed-document.ts';

/** Takes the parts of a text in HTML or XML, one after the other. */
export interface MarkupReader {
  onopentag(name: string, attributes: Record<string, string>): void;
  ontext(text: string): void;
  onclosetag(name: string): void;
}

/** The maximum depth. The parser moves the open elements at each tag, so a file of unclosed tags would take minutes. */
const depthMax = 5000;
const pieceLength = 65_536;

/** Reads a text in HTML or XML. Throws `DocumentError` for one that is nested too deep. */
export function readMarkup(text: string, reader: MarkupReader, options: ParserOptions): void {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > depthMax)
          throw new DocumentError('UNREADABLE', `The file is nested more than ${depthMax} deep.`);
        reader.onopentag(name, attributes);
      },
      ontext: (part) => reader.ontext(part),
      onclosetag(name) {
        depth--;
        reader.onclosetag(name);
      },
    },
    options,
  );
  // Parses in pieces, because a single event for a text of a hundred megabytes would copy it.
  for (let at = 0; at < text.length; at += pieceLength) parser.write(text.slice(at, at + pieceLength));
  parser.end();
}

export const readXml = (xml: string, reader: MarkupReader): void =>
  readMarkup(xml, reader, { xmlMode: true });
