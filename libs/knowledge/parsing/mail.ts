import { type MimeNode, Splitter, type SplitterChunk } from '@zone-eu/mailsplit';
import { Libmime } from 'libmime';
import libqp from 'libqp';
import { decode, declaredLabel } from './encoding.ts';
import { parseHtml } from './html.ts';
import { DocumentError, type ParsedText } from './parsed-document.ts';
import { parseRtf } from './rtf.ts';
import { TextBuilder } from './text-builder.ts';

const partsMax = 1000;
/** The maximum depth of mails inside of mails. A deeper one is named as an attachment. */
const mailsDeepMax = 10;

const words = new Libmime();

/** A part of a mail. */
interface MailPart {
  node: MimeNode;
  type: string;
  bytes: Buffer;
  parts: MailPart[];
}

/** The text of a mail with its subject as the title: sender, receivers, date, the text, and the names of the attachments. */
export async function parseMail(bytes: Buffer): Promise<ParsedText> {
  const to = new TextBuilder();
  await new ParsedMail(to, 1).readMail(bytes);
  return { text: to.text, headings: to.headings };
}

/** The mails of a mailbox, one below the other. */
export async function parseMailbox(bytes: Buffer): Promise<ParsedText> {
  const to = new TextBuilder();
  const refused: DocumentError[] = [];
  let mails = 0;
  for (const mail of mailsIn(bytes)) {
    mails++;
    await new ParsedMail(to, 1).readMail(mail).catch((error: unknown) => {
      if (!(error instanceof DocumentError) || error.code !== 'ENCRYPTED') throw error;
      refused.push(error);
    });
  }
  if (refused[0] && refused.length === mails) throw refused[0];
  const warnings =
    refused.length > 0 ? [`${refused.length} of ${mails} mails are encrypted, and not read.`] : [];
  return { text: to.text, headings: to.headings, warnings };
}

/** The page that a browser has saved in one file with its pictures, without the data of the saving. */
export async function parseWebArchive(bytes: Buffer): Promise<ParsedText> {
  const root = await parseParts(bytes);
  const page = find(root, ({ type }) => /^(text\/html|application\/xhtml\+xml)$/.test(type));
  if (!page) return parseMail(bytes);
  return parseHtml(await decodeText(page));
}

/** Mails begin with a line `From ` after an empty line. Such lines of their texts have a `>` before them. */
function* mailsIn(bytes: Buffer): Generator<Buffer> {
  const text = bytes.toString('latin1');
  const starts: number[] = [];
  for (let at = 0; at !== -1; at = text.indexOf('\nFrom ', at + 1)) {
    const header = text.indexOf('\n', at + 1) + 1;
    const isAfterBlank = at === 0 || text[at - 1] === '\n' || text.startsWith('\n\r', at - 2);
    if (isAfterBlank && isHeader(text, header)) starts.push(header);
  }
  for (const [at, start] of starts.entries()) {
    const next = starts[at + 1];
    const end = next === undefined ? text.length : text.lastIndexOf('\nFrom ', next);
    yield Buffer.from(text.slice(start, end).replace(/^>(>*From )/gm, '$1'), 'latin1');
  }
}

const headerLine = /[\w-]+:/y;

function isHeader(text: string, at: number): boolean {
  headerLine.lastIndex = at;
  return headerLine.test(text);
}

class ParsedMail {
  private readonly attachments: string[] = [];

  constructor(
    private readonly to: TextBuilder,
    /** The level of the heading: 1 for a mail, 2 for a mail inside of it. */
    private readonly level: number,
  ) {}

  async readMail(bytes: Buffer): Promise<void> {
    const root = await parseParts(bytes);
    this.to.heading(this.level, getHeader(root, 'Subject'));
    for (const name of ['From', 'To', 'Cc', 'Date']) {
      const value = getHeader(root, name);
      if (value !== '') this.to.line().addText(`${name}: ${value}`).line();
    }
    this.to.block();
    await this.part(root);
    if (this.attachments.length > 0) this.to.block().addText(`Attachments: ${this.attachments.join(', ')}`);
    this.to.block();
  }

  private async part(part: MailPart): Promise<boolean> {
    const { node, type, parts } = part;
    if (
      type === 'multipart/encrypted' ||
      (type.endsWith('pkcs7-mime') &&
        !/signed-data/i.test(node.headers ? node.headers.getFirst('Content-Type') : ''))
    )
      throw new DocumentError(
        'ENCRYPTED',
        'The mail is encrypted; save it without encryption, and send it again.',
      );
    // Of the same text in several forms the last is the richest.
    if (type === 'multipart/alternative') {
      for (const one of parts.toReversed()) if (await this.part(one)) return true;
      return false;
    }
    // The other parts of a page are its pictures.
    if (type === 'multipart/related') {
      for (const one of parts.slice(1)) if (one.node.disposition === 'attachment') this.name(one);
      return parts[0] ? this.part(parts[0]) : false;
    }
    if (node.multipart) {
      let isSaid = false;
      for (const one of parts) isSaid = (await this.part(one)) || isSaid;
      return isSaid;
    }
    if (type === 'message/rfc822' && this.level < mailsDeepMax) {
      await new ParsedMail(this.to, this.level + 1).readMail(decodeBody(part));
      return true;
    }
    if (node.disposition === 'attachment' || (node.filename && node.disposition !== 'inline'))
      return this.name(part);
    return this.text(part);
  }

  private async text(part: MailPart): Promise<boolean> {
    const readers: Record<string, () => Promise<ParsedText>> = {
      'text/plain': async () => ({ text: await decodeText(part), headings: [] }),
      'text/html': async () => parseHtml(await decodeText(part)),
      'text/rtf': async () => parseRtf(decodeBody(part)),
      'text/richtext': async () => ({
        text: (await decodeText(part)).replace(/<[^<>]{1,60}>/g, ''),
        headings: [],
      }),
    };
    const read =
      readers[
        part.type
          .replace('application/', 'text/')
          .replace('enriched', 'richtext')
          .replace('xhtml+xml', 'html')
      ];
    if (!read) return this.name(part);
    const parsed = await read();
    this.to.insert(parsed, this.level);
    return parsed.text.trim() !== '';
  }

  private name({ node, type }: MailPart): false {
    const name = node.filename || (type === 'message/rfc822' ? 'mail' : '');
    if (name !== '') this.attachments.push(name);
    return false;
  }
}

async function parseParts(bytes: Buffer): Promise<MailPart> {
  // The parts of a mail inside of a mail are read by a call of their own.
  const splitter = new Splitter({ maxChildNodes: partsMax, ignoreEmbedded: true });
  splitter.end(bytes);
  const parts = new Map<MimeNode, MailPart>();
  const bodies = new Map<MimeNode, Buffer[]>();
  let root: MailPart | undefined;
  try {
    for await (const chunk of splitter as AsyncIterable<SplitterChunk>) {
      if (chunk.type === 'body') bodies.get(chunk.node)?.push(chunk.value ?? Buffer.alloc(0));
      if (chunk.type !== 'node') continue;
      const node = chunk;
      const above = node.parentNode ? parts.get(node.parentNode) : undefined;
      const isMail =
        above?.type === 'multipart/digest' && !(node.headers && node.headers.hasHeader('Content-Type'));
      const part = {
        node,
        type: isMail ? 'message/rfc822' : node.contentType || 'text/plain',
        bytes: Buffer.alloc(0),
        parts: [],
      };
      parts.set(node, part);
      bodies.set(node, []);
      above?.parts.push(part);
      root ??= part;
    }
  } catch (error) {
    const isLarge = Object(error).code === 'EMAXLEN';
    throw isLarge
      ? new DocumentError(
          'TOO_LARGE',
          `The mail has more than ${partsMax} parts, or a header of more than 1 MB.`,
        )
      : error;
  }
  for (const [node, part] of parts) part.bytes = Buffer.concat(bodies.get(node) ?? []);
  if (!root) throw new DocumentError('EMPTY', 'The mail is empty.');
  return root;
}

function find(part: MailPart, is: (part: MailPart) => boolean): MailPart | undefined {
  if (is(part)) return part;
  for (const one of part.parts) {
    const found = find(one, is);
    if (found) return found;
  }
  return undefined;
}

function getHeader({ node }: MailPart, name: string): string {
  const value = node.headers ? node.headers.getFirst(name) : '';
  try {
    return words.decodeWords(value);
  } catch {
    return value;
  }
}

function decodeBody({ node: { encoding }, bytes }: MailPart): Buffer {
  if (encoding === 'base64') return Buffer.from(bytes.toString('latin1'), 'base64');
  return encoding === 'quoted-printable' ? libqp.decode(bytes.toString('latin1')) : bytes;
}

async function decodeText(part: MailPart): Promise<string> {
  const bytes = decodeBody(part);
  const { charset, flowed, delSp } = part.node;
  const text = await decode(
    bytes,
    charset || undefined,
    /html/.test(part.type) ? await declaredLabel(bytes) : undefined,
  );
  return flowed ? words.decodeFlowed(text, delSp) : text;
}
