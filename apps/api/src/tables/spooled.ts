import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** A body on the disk. */
export interface Spooled {
  path: string;
  size: number;
  sha256: Buffer;
}

/** Keeps a body on the disk until it is whole, and then hands it on: whoever sends slowly must not keep a table from others. */
export async function spooled<T>(
  body: AsyncIterable<Uint8Array>,
  work: (file: Spooled) => Promise<T>,
): Promise<T> {
  const path = join(tmpdir(), `holdfast-rows-${randomUUID()}`);
  const hash = createHash('sha256');
  let size = 0;
  const counted = async function* (bytes: AsyncIterable<Uint8Array>) {
    for await (const chunk of bytes) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  };
  try {
    await pipeline(body, counted, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
    return await work({ path, size, sha256: hash.digest() });
  } finally {
    await rm(path, { force: true });
  }
}
