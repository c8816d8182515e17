import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Writes generated files into a folder and removes all others but those to keep. A compiler may read the folder meanwhile, so each file
 * appears whole.
 */
export async function writeFolder(
  folder: string,
  files: Map<string, string>,
  keep: string[] = [],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder))
    if (!files.has(name) && !keep.includes(name)) await rm(join(folder, name), { recursive: true });
  for (const [name, text] of files) await writeWhole(join(folder, name), text);
}

/** Writes a file so that it appears whole. One that is the same stays untouched. */
export async function writeWhole(file: string, text: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => undefined)) === text) return;
  const part = `${file}.${process.pid}.part`;
  await writeFile(part, text);
  await rename(part, file);
}
