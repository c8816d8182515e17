import { execFile } from 'node:child_process';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Begins what a package adds to its sources anew: an empty dist, and the licence. Resolves with the path of dist. */
export async function beginPackage(source: string): Promise<string> {
  const dist = join(source, 'dist');
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  await cp('LICENSE', join(source, 'LICENSE'));
  return dist;
}

/** Packs a package as npm publishes it; npm has it built first. Resolves with the path of the tarball. */
export async function packFolder(source: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const words = [
    'pack',
    '--json',
    '--silent',
    '--ignore-scripts=false',
    '--pack-destination',
    resolve(folder),
  ];
  const { stdout } = await run('npm', words, { cwd: source });
  const [{ filename }] = JSON.parse(stdout);
  return resolve(folder, filename);
}
