import { createWriteStream } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openPromise, type Entry } from 'yauzl';

/**
 * Unpacks the wanted entries of a wheel (a zip) into a folder. Throws for an incomplete archive, and for an entry whose path leaves
 * the folder. Verify the checksum of the archive before the call.
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

/** True when an entry must be executable. Some wheels lose the executable bit, so the path of the entry decides too. */
function isProgram({ fileName, externalFileAttributes }: Entry): boolean {
  const mode = externalFileAttributes >>> 16;
  return (mode & 0o111) !== 0 || fileName.includes('/bin/') || fileName.includes('/scripts/');
}

/** Makes folders. Sets the mode afterwards, because a strict umask would exclude the user that runs Postgres. */
async function openFolder(root: string, folder: string): Promise<void> {
  if (folder.length <= root.length) return;
  await openFolder(root, dirname(folder));
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
}
