import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { UnsupportedMediaTypeException } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Invalid, TooLarge } from '#libs/platform/errors/errors';
import { fileBytesMax } from '#libs/platform/files/files';
import { newScratch } from '#libs/platform/files/scratch';
import { cutText } from '#libs/platform/text/whole-text';
import { formBytesMax, namelessPart, unifyLineBreaks } from './form-body.ts';
import { writeAndHash } from './write-and-hash.ts';
import { takesForms } from './page-route.ts';
import { getRouteFlags } from './route-config.ts';

/** The limit for all files of one request together, in bytes. */
export const uploadBytesMax = 256 * 1024 * 1024;
const filesMax = 20;
const fieldLimits = { fields: 20, fieldSize: 64 * 1024 };
/** A page may have many fields. Together they may be as large as a form without files. */
const formLimits = { fields: 5000, fieldSize: formBytesMax };
const nameCharsMax = 255;

/** A file of a request. It is on the disk until the request has been answered. */
export interface UploadedFile {
  /** The name of its field. */
  field: string;
  path: string;
  filename: string;
  mimeType: string;
  size: number;
  sha256: Buffer;
}

/** A multipart body: its fields, and its files in order. */
export class Upload {
  readonly files: UploadedFile[] = [];
  readonly fields: Record<string, string> = {};
  /** The fields in the form of a browser: a field may come several times. */
  readonly form = new Map<string, string[]>();
  /** The guard reads the workspace here, as in every body. */
  workspaceId?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    uploadFolder?: string;
  }
}

/** Writes the files of a body to the disk as they arrive, on the routes that take them. Removes them after the answer. */
export function addUploadParser(server: FastifyInstance): void {
  server.addContentTypeParser(
    'multipart/form-data',
    async (request: FastifyRequest, payload: NodeJS.ReadableStream) => {
      if (getRouteFlags(request).takesUploads !== true) throw new UnsupportedMediaTypeException();
      const folder = await newScratch();
      request.uploadFolder = folder;
      try {
        const limits = takesForms(request) ? formLimits : fieldLimits;
        return await received(payload, { type: request.headers['content-type'] ?? '', folder, limits });
      } catch (error) {
        // A sender that has gone gets no answer, and only an answer would trigger the removal.
        await rm(folder, { recursive: true, force: true });
        throw error;
      }
    },
  );
  server.addHook('onResponse', ({ uploadFolder }, _, next) =>
    uploadFolder ? rm(uploadFolder, { recursive: true, force: true }) : next(),
  );
}

async function received(
  payload: NodeJS.ReadableStream,
  { type, folder, limits }: { type: string; folder: string; limits: typeof fieldLimits },
): Promise<Upload> {
  const upload = new Upload();
  const writes: Promise<void>[] = [];
  const streams: BusboyFileStream[] = [];
  const faults: Error[] = [];
  const parser = buildParser(type, limits);
  const refuse = (fault: Error) => void faults.push(fault);
  let characters = 0;
  parser.on('field', (name: string | undefined, value, nameCut, valueCut) => {
    if (name === undefined) return refuse(namelessPart());
    if (nameCut || valueCut) refuse(Invalid.field(cutText(name, 100), 'is too long', 'length'));
    const text = unifyLineBreaks(value);
    characters += text.length;
    if (characters > formBytesMax)
      return refuse(new TooLarge(`All fields have ${formBytesMax} bytes together at most.`));
    upload.form.set(name, [...(upload.form.get(name) ?? []), text]);
    if (name === 'workspaceId') upload.workspaceId = value;
    else if (name !== '__proto__') upload.fields[name] = value;
  });
  parser.on('file', (field: string | undefined, stream, filename, _, mimeType) => {
    if (field === undefined) refuse(namelessPart());
    const file = {
      field: field ?? '',
      path: join(folder, String(writes.length)),
      mimeType,
      filename: toFileName(filename),
    };
    // Keeps the order of the parts, whichever file is written first.
    streams.push(stream);
    const place = upload.files.push({ ...file, size: 0, sha256: Buffer.alloc(0) }) - 1;
    const written = whole(stream, file.path).then((about) => {
      upload.files[place] = { ...file, ...about };
    });
    writes.push(
      written.catch((error: unknown) => refuse(error instanceof Error ? error : new Error(String(error)))),
    );
  });
  for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const)
    parser.on(limit, () =>
      refuse(
        Invalid.field('', `must have at most ${filesMax} files and ${limits.fields} fields`, 'too_many'),
      ),
    );
  try {
    await pipeline(payload, counted(), parser);
  } catch (error) {
    // After an interruption the parser leaves its parts open, and their writers would wait for ever.
    for (const stream of streams) stream.destroy();
    if (error instanceof TooLarge) throw error;
    throw faults[0] ?? broken();
  } finally {
    await Promise.all(writes);
  }
  if (faults[0]) throw faults[0];
  return upload;
}

function buildParser(contentType: string, { fields, fieldSize }: typeof fieldLimits) {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        fileSize: fileBytesMax,
        files: filesMax,
        fields,
        parts: filesMax + fields,
        fieldSize,
        headerPairs: 50,
        headerSize: 16 * 1024,
      },
    });
  } catch {
    throw broken();
  }
}

function broken(): Invalid {
  return Invalid.field('', 'is no complete multipart/form-data body', 'multipart');
}

/** Counts the bytes as they arrive, because a body may not state its length. */
function counted(): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      if (bytes <= uploadBytesMax) return done(null, chunk);
      done(new TooLarge(`All files of a request have ${uploadBytesMax} bytes together at most.`));
    },
  });
}

/** Throws for a file that was cut: the parser reports a too long file only on its stream. */
async function whole(stream: BusboyFileStream, path: string): Promise<{ size: number; sha256: Buffer }> {
  const about = await writeAndHash(stream, path);
  if (stream.truncated) throw new TooLarge(`A file has ${fileBytesMax} bytes at most.`);
  return about;
}

/** The name without a path, and without characters that would break a header or a terminal. */
function toFileName(filename: string | undefined): string {
  const name = (filename ?? '').replaceAll(/[\p{Cc}\p{Cf}"\\/]/gu, '').trim();
  return cutText(name, nameCharsMax) || 'unnamed';
}
