import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs work with a file of these bytes, and removes the file. */
export async function onDisk<T>(file: string | Uint8Array, work: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'rows-'));
  try {
    await writeFile(join(folder, 'rows'), file);
    return await work(join(folder, 'rows'));
  } finally {
    await rm(folder, { recursive: true });
  }
}
