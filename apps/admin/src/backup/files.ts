import { createHash } from 'node:crypto';
import { closeSync, createWriteStream, existsSync, fsyncSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CannotStart } from '#libs/platform/settings/cannot-start';
import { type BackupFile, type Manifest, manifestName } from './manifest.ts';
import { opening, sealing } from './seal.ts';

/** What holds the files of one backup: a folder of a disk or of a bucket. */
export interface Holder {
  /** Writes a new file, and resolves when it stays there. `bytesMax` is a guess of its size. */
  writeFile(name: string, source: AsyncIterable<Buffer>, bytesMax?: number): Promise<void>;
  /** Rejects with a sentence when there is no such file. */
  readFile(name: string): Promise<Readable>;
}

export class DiskFolder implements Holder {
  constructor(readonly path: string) {}

  async writeFile(name: string, source: AsyncIterable<Buffer>): Promise<void> {
    const path = join(this.path, name);
    await pipeline(source, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    flush(path);
  }

  async readFile(name: string): Promise<Readable> {
    try {
      return (await open(join(this.path, name))).createReadStream();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new CannotStart(
        name === manifestName && code === 'ENOENT'
          ? toNoBackup(this.path)
          : `${name} of the backup cannot be read (${code}): use another copy of this backup.`,
      );
    }
  }
}

function toNoBackup(folder: string): string {
  if (!existsSync(folder)) return `There is no folder ${folder}.`;
  return folder.endsWith('.partial')
    ? `${folder} is a backup that was not finished: delete it, and make another one.`
    : `${folder} is no backup: it has no ${manifestName}.`;
}

/** Flushes a file or a folder to the disk, so that a power cut does not undo a later rename. */
export function flush(path: string): void {
  const opened = openSync(path, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** Encrypts a stream into a new file of a backup. */
export async function writeSealed(
  source: Readable,
  {
    holder,
    name,
    root,
    through = new PassThrough(),
    bytesMax,
  }: { holder: Holder; name: string; root: Buffer; through?: Transform; bytesMax?: number },
): Promise<BackupFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(source, through, sealing(root, name), count, (sealed: AsyncIterable<Buffer>) =>
    holder.writeFile(name, sealed, bytesMax),
  );
  return { name, bytes, sha256: hash.digest('hex') };
}

/** Decrypts a file of a backup into the last of these streams. */
export const readSealed = async (
  { holder, name, root }: { holder: Holder; name: string; root: Buffer },
  ...into: (Transform | Writable)[]
): Promise<void> => pipeline([await holder.readFile(name), opening(root, name), ...into]);

/** Throws when a file of the backup is missing, or is not as it was written. */
export async function refuseDamage(holder: Holder, { files }: Manifest): Promise<void> {
  for (const { name, sha256 } of files) {
    const hash = createHash('sha256');
    await pipeline(await holder.readFile(name), hash);
    if (hash.digest('hex') !== sha256)
      throw new CannotStart(`${name} of the backup is damaged or cut off: use another copy of this backup.`);
  }
}
