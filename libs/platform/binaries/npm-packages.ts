import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from './cache-folder.ts';

const run = promisify(execFile);
const triesMax = 3;

/**
 * Installs the packages of the lock file in this folder into a cache of the machine. Returns the folder in the cache,
 * whose name comes from the lock file. These packages are no part of the product.
 */
export async function installedPackages(manifests: string): Promise<string> {
  const lock = readFileSync(join(manifests, 'package-lock.json'));
  const digest = createHash('sha256').update(lock).digest('hex').slice(0, 16);
  const home = join(cacheFolder(), `${basename(manifests)}-${digest}`);
  if (!existsSync(home)) await again(() => installInto(home, manifests));
  return home;
}

/** The cache only ever holds whole folders. When another process was faster, its folder has the same content. */
async function installInto(home: string, manifests: string): Promise<void> {
  const beside = join(cacheFolder(), `.new-${randomUUID()}`);
  mkdirSync(beside, { recursive: true });
  try {
    cpSync(manifests, beside, { recursive: true });
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=5'];
    await run('npm', ['ci', ...quiet], { cwd: beside });
    if (!existsSync(home)) renameSync(beside, home);
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}

/** Tries again when a registry does not answer for a moment. */
export async function again<T>(fetch: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await fetch();
    } catch (error) {
      if (tries === triesMax) throw error;
    }
  }
}
