import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newScratch } from '#libs/platform/files/scratch';
import { writeAndHash } from '../http/write-and-hash.ts';

/** A body that is stored in a file. `size` is in bytes. */
export interface Spooled {
  path: string;
  size: number;
  sha256: Buffer;
}

/**
 * Writes a body to a temporary file, runs the work with it, and deletes the file. The work starts when the body is complete, so a slow
 * sender does not block other writers of the table.
 */
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
