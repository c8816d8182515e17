import { createHash } from 'node:crypto';
import { closeSync, createReadStream, createWriteStream, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, type Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CannotStart } from '#libs/platform/settings/cannot-start';
import { type BackupFile, type Manifest } from './manifest.ts';
import { opening, sealing } from './seal.ts';

/** Flushes a file or a folder to the disk, so that a power cut does not undo a later rename. */
export function flush(path: string): void {
  const opened = openSync(path, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** Encrypts a stream into a new file of a backup, flushed to the disk. */
export async function writeSealed(
  source: Readable,
  {
    folder,
    name,
    root,
    through = new PassThrough(),
  }: { folder: string; name: string; root: Buffer; through?: Transform },
): Promise<BackupFile> {
  const path = join(folder, name);
  const hash = createHash('sha256');
  let bytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(
    source,
    through,
    sealing(root, name),
    count,
    createWriteStream(path, { flags: 'wx', mode: 0o600 }),
  );
  flush(path);
  return { name, bytes, sha256: hash.digest('hex') };
}

/** Decrypts a file of a backup into the last of these streams. */
export const readSealed = (
  { folder, name, root }: { folder: string; name: string; root: Buffer },
  ...into: (Transform | Writable)[]
): Promise<void> => pipeline([createReadStream(join(folder, name)), opening(root, name), ...into]);

/** Throws when a file of the backup is missing, or is not as it was written. */
export async function refuseDamage(folder: string, { files }: Manifest): Promise<void> {
  for (const { name, sha256 } of files) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(folder, name)), hash).catch((error: NodeJS.ErrnoException) => {
      throw new CannotStart(
        `${name} of the backup cannot be read (${error.code}): use another copy of this backup.`,
      );
    });
    if (hash.digest('hex') !== sha256)
      throw new CannotStart(`${name} of the backup is damaged or cut off: use another copy of this backup.`);
  }
}
