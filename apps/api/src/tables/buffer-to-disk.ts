import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newScratch } from '#libs/platform/files/scratch';
import { writeAndHash } from '../http/write-and-hash.ts';

/** A body on the disk. */
export interface Spooled {
  path: string;
  size: number;
  sha256: Buffer;
}

/** Keeps a body on the disk until it is whole, and then hands it on: whoever sends slowly must not keep a table from others. */
export async function bufferToDisk<T>(
  body: AsyncIterable<Uint8Array>,
  work: (file: Spooled) => Promise<T>,
): Promise<T> {
  const folder = await newScratch();
  try {
    const path = join(folder, 'rows');
    return await work({ path, ...(await writeAndHash(body, path)) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
