import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/**
 * The cache folder for the contents of wheels. It is outside the checkout, so that a second clone starts without a download. If this
 * process is root, other users can read the folder, because Postgres then runs as another user.
 */
export function cacheFolder(): string {
  const chosen = process.env['HOLDFAST_CACHE'];
  if (chosen) return usable(resolve(chosen)) ?? resolve(chosen);
  const candidates = runsAsRoot() ? ['/var/cache/holdfast'] : [personalCache()];
  candidates.push(join(tmpdir(), `holdfast-cache-${process.getuid?.() ?? 0}`));
  return candidates.find((folder) => usable(folder)) ?? tmpdir();
}

/** True when this process is root. Postgres refuses to run as root. */
export function runsAsRoot(): boolean {
  return process.getuid?.() === 0;
}

/** True when every user may enter each folder of `path`. */
export function reachableByOthers(path: string): boolean {
  if (existsSync(path) && !(statSync(path).mode & 0o001)) return false;
  return dirname(path) === path || reachableByOthers(dirname(path));
}

function personalCache(): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'holdfast');
  if (process.platform === 'win32')
    return join(process.env['LOCALAPPDATA'] ?? homedir(), 'holdfast', 'cache');
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'holdfast');
}

function usable(folder: string): string | undefined {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch {
    return undefined;
  }
  return !runsAsRoot() || reachableByOthers(folder) ? folder : undefined;
}
