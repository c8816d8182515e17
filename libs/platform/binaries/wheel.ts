import { createWriteStream } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openPromise, type Entry } from 'yauzl';

/**
 * Unpacks a wheel (a zip) into a folder, as far as its entries are wanted. Throws for an archive that is cut short, and for
 * an entry whose path leaves the folder. The checksum of the archive must be known already.
 */
export async function unpackWheel(
  file: string,
  into: string,
  isWanted: (entry: string) => boolean = () => true,
): Promise<void> {
  const archive = await openPromise(file);
  for await (const entry of archive.eachEntry()) {
    if (!isWanted(entry.fileName)) continue;
    const target = join(into, entry.fileName);
    const isFolder = entry.fileName.endsWith('/');
    await openFolder(into, isFolder ? target : dirname(target));
    if (isFolder) continue;
    await pipeline(await archive.openReadStreamPromise(entry), createWriteStream(target));
    await chmod(target, isProgram(entry) ? 0o755 : 0o644);
  }
}

/** Wheels are known to lose the executable bit on the way, so the place decides too. */
function isProgram({ fileName, externalFileAttributes }: Entry): boolean {
  const mode = externalFileAttributes >>> 16;
  return (mode & 0o111) !== 0 || fileName.includes('/bin/') || fileName.includes('/scripts/');
}

/** The mode is set after the fact because a strict umask would lock out the user that Postgres runs as. */
async function openFolder(root: string, folder: string): Promise<void> {
  if (folder.length <= root.length) return;
  await openFolder(root, dirname(folder));
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
}
