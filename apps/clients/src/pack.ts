import { execFile } from 'node:child_process';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Begins a package anew in a folder: with the files that describe it, and the licence. */
export async function beginPackage(source: string, folder: string, manifest = 'package.json'): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const name of [manifest, 'README.md', 'CHANGELOG.md'])
    await cp(join(source, name), join(folder, name));
  await cp('LICENSE', join(folder, 'LICENSE'));
}

/** Packs a folder as npm publishes it. Resolves with the path of the tarball. */
export async function packFolder(folder: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--json', '--silent'], { cwd: folder });
  const [{ filename }] = JSON.parse(stdout);
  return resolve(folder, filename);
}
