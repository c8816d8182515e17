import { UnsupportedMediaTypeException } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { TooLarge } from '#libs/platform/errors/errors';
import { routeConfigOf } from './route-config.ts';

/** The most bytes of a file of rows. It is never in memory as a whole. */
export const rowsBytesMax = 100 * 1024 * 1024;

/** The types of files of rows, by their formats. */
export const rowTypes: Record<string, 'csv' | 'jsonl'> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'jsonl',
  'application/jsonl': 'jsonl',
};

/** Hands files of rows on as they come, on the routes that take them. */
export function addRowsParser(server: FastifyInstance): void {
  server.addContentTypeParser(Object.keys(rowTypes), (request, payload, done) => {
    if (routeConfigOf(request).takesRows !== true) return done(new UnsupportedMediaTypeException());
    done(null, bounded(payload));
  });
}

/** A body that does not say its length is counted as it comes. */
async function* bounded(payload: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of payload) {
    bytes += chunk.length;
    if (bytes > rowsBytesMax) throw new TooLarge(`A file of rows has ${rowsBytesMax} bytes at most.`);
    yield chunk;
  }
}
