import { execFile } from 'node:child_process';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Python, installTools } from './python-tools.ts';

const run = promisify(execFile);

/** Builds the package of the Python client into a folder. Its own hook generates its code. Resolves with the paths of the wheel and of the sources. */
export async function packPython(
  python: Python,
  folder: string,
): Promise<{ wheel: string; sources: string }> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const words = ['-m', 'hatchling', 'build', '-d', resolve(folder)];
  await run(await installTools(python), words, { cwd: 'libs/sdk-python' });
  const built = await readdir(folder);
  const path = (end: string) => resolve(folder, built.find((name) => name.endsWith(end)) ?? '');
  return { wheel: path('.whl'), sources: path('.tar.gz') };
}
