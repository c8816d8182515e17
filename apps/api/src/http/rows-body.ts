import { UnsupportedMediaTypeException } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { TooLarge } from '#libs/platform/errors/errors';
import { getRouteFlags } from './route-config.ts';

/** The limit for a file of rows, in bytes. It is never in memory as a whole. */
export const rowsBytesMax = 100 * 1024 * 1024;

/** The media types of files of rows. Their content says more than their type. */
export const rowTypes = [
  'text/csv',
  'text/tab-separated-values',
  'text/plain',
  'application/x-ndjson',
  'application/jsonl',
  'application/gzip',
  'application/x-gzip',
  'application/octet-stream',
  'application/vnd.ms-excel',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.oasis.opendocument.spreadsheet',
];

/** Passes files of rows on as streams, on the routes that take them. */
export function addRowsParser(server: FastifyInstance): void {
  server.addContentTypeParser(rowTypes, (request, payload, done) => {
    if (getRouteFlags(request).takesRows !== true) return done(new UnsupportedMediaTypeException());
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
