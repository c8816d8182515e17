import { UnsupportedMediaTypeException } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Invalid } from '#libs/platform/errors/errors';
import { takesForms } from './page-route.ts';

/** The most bytes of a posted form. */
export const formBytesMax = 1024 * 1024;
const pairsMax = 5000;

/** A posted form: the values of each name, in their order. */
export type Form = ReadonlyMap<string, readonly string[]>;

/** Adds a parser for forms. Fastify has parsers for a whole server, so this one checks whether the route takes forms. */
export function addFormParser(server: FastifyInstance): void {
  const options = { parseAs: 'buffer', bodyLimit: formBytesMax } as const;
  server.addContentTypeParser<Buffer>('application/x-www-form-urlencoded', options, (request, body, done) => {
    try {
      if (!takesForms(request)) throw new UnsupportedMediaTypeException();
      const form = [...parseForm(decodeText(body))];
      done(null, new Map(form.map(([name, values]) => [name, values.map(unifyLineBreaks)])));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

/** The form in a body. Throws for a body of another type. */
export function formOfBody(body: unknown): Form {
  if (body instanceof Map) return body;
  throw Invalid.field('', 'must be sent as application/x-www-form-urlencoded', 'type');
}

/** Returns the text of a field with LF for CRLF: browsers send CRLF, and a limit on characters would count it as two. */
export const unifyLineBreaks = (text: string): string => text.replaceAll('\r\n', '\n');

/** The refusal of a multipart part without a name: no field would hold it. */
export const namelessPart = (): Invalid =>
  Invalid.field('', 'must have name="…" in the Content-Disposition of each part', 'multipart');

/** Decodes a body. Throws when it is not UTF-8, or holds a character that no database stores. */
export function decodeText(bytes: Buffer): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // It is refused below.
  }
  throw Invalid.field('', 'must be text in UTF-8 without NUL characters', 'encoding');
}

/** Parses the fields of a form as they were sent. Throws when there are too many, and for bytes that are not UTF-8. */
export function parseForm(text: string): Form {
  if (text.split('&', pairsMax + 1).length > pairsMax)
    throw Invalid.field('', `must have at most ${pairsMax} fields`, 'too_large');
  requireEscapedUtf8(text);
  const form = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const values = form.get(name);
    if (values) values.push(value);
    else form.set(name, [value]);
  }
  return form;
}

/** Throws for escaped bytes that are not UTF-8, because `URLSearchParams` puts U+FFFD in their place. */
function requireEscapedUtf8(text: string): void {
  try {
    for (const [bytes] of text.matchAll(/(?:%[\da-f]{2})+/gi)) decodeURIComponent(bytes);
  } catch {
    throw Invalid.field('', 'must be a form in UTF-8, with %C3%A9 for é', 'encoding');
  }
}
