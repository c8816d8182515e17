import { UnsupportedMediaTypeException } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Invalid } from '#libs/faults/faults';
import { takesForms } from './page-route.ts';

const bytesMax = 1024 * 1024;
const pairsMax = 5000;

/** What a browser sends for a form: each name with its values, in their order. */
export type Form = ReadonlyMap<string, readonly string[]>;

/** Parsers belong to a server, not to a route: this one asks the route that the request came to. */
export function addFormParser(server: FastifyInstance): void {
  const options = { parseAs: 'string', bodyLimit: bytesMax } as const;
  server.addContentTypeParser('application/x-www-form-urlencoded', options, (request, body, done) => {
    try {
      if (!takesForms(request)) throw new UnsupportedMediaTypeException();
      done(null, parseForm(String(body)));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

/** The form that a handler was sent; refuses a body of another type. */
export function formOfBody(body: unknown): Form {
  if (body instanceof Map) return body;
  throw Invalid.field('', 'must be sent as application/x-www-form-urlencoded', 'type');
}

function parseForm(text: string): Form {
  if (text.split('&', pairsMax + 1).length > pairsMax)
    throw Invalid.field('', `has more than ${pairsMax} fields`, 'too_large');
  const form = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    // Browsers send CRLF for a line break: a bound of 20 characters would count it twice.
    const clean = value.replaceAll('\r\n', '\n');
    const known = form.get(name);
    if (known) known.push(clean);
    else form.set(name, [clean]);
  }
  return form;
}
