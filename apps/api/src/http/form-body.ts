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
  const options = { parseAs: 'string', bodyLimit: formBytesMax } as const;
  server.addContentTypeParser('application/x-www-form-urlencoded', options, (request, body, done) => {
    try {
      if (!takesForms(request)) throw new UnsupportedMediaTypeException();
      done(null, parseForm(String(body)));
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

/** Parses the fields of a form. Throws when there are too many. */
export function parseForm(text: string): Form {
  if (text.split('&', pairsMax + 1).length > pairsMax)
    throw Invalid.field('', `must have at most ${pairsMax} fields`, 'too_large');
  const form = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    // Browsers send CRLF for a line break, and a limit on characters would count it as two.
    const clean = value.replaceAll('\r\n', '\n');
    const values = form.get(name);
    if (values) values.push(clean);
    else form.set(name, [clean]);
  }
  return form;
}
