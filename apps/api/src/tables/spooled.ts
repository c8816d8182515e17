import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Keeps a body on the disk until it is whole, and then hands it on: whoever sends slowly must not keep a table from others. */
export async function spooled<T>(
  body: AsyncIterable<Uint8Array>,
  work: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const file = join(tmpdir(), `holdfast-rows-${randomUUID()}`);
  try {
    await pipeline(body, createWriteStream(file, { mode: 0o600, flags: 'wx' }));
    return await work(createReadStream(file));
  } finally {
    await rm(file, { force: true });
  }
}
