import { UnsupportedMediaTypeException } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { TooLarge } from '#libs/platform/errors/errors';
import { routeConfigOf } from './route-config.ts';

/** The limit for a file of rows, in bytes. It is never in memory as a whole. */
export const rowsBytesMax = 100 * 1024 * 1024;

/** The formats of files of rows, by content type. */
export const rowTypes: Record<string, 'csv' | 'jsonl'> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'jsonl',
  'application/jsonl': 'jsonl',
};

/** Passes files of rows on as streams, on the routes that take them. */
export function addRowsParser(server: FastifyInstance): void {
  server.addContentTypeParser(Object.keys(rowTypes), (request, payload, done) => {
    if (routeConfigOf(request).takesRows !== true) return done(new UnsupportedMediaTypeException());
    done(null, bounded(payload));
  });
}

/** Counts the bytes as they arrive, because a body may not state its length. */
async function* bounded(payload: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of payload) {
    bytes += chunk.length;
    if (bytes > rowsBytesMax) throw new TooLarge(`A file of rows has ${rowsBytesMax} bytes at most.`);
    yield chunk;
  }
}
