import { execFile } from 'node:child_process';
import { cp, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { writePythonClient } from './python-client.ts';
import { type Python, toolsOf } from './python-tools.ts';

const run = promisify(execFile);
const source = 'libs/sdk-python';

/** Builds the package of the Python client in a folder, as it is published. Resolves with the paths of the wheel and of the sources. */
export async function packPython(
  python: Python,
  folder: string,
): Promise<{ wheel: string; sources: string }> {
  await writePythonClient(python);
  await rm(folder, { recursive: true, force: true });
  await cp(source, folder, { recursive: true });
  await cp('LICENSE', join(folder, 'LICENSE'));
  await run(await toolsOf(python), ['-m', 'hatchling', 'build', '-d', 'dist'], { cwd: folder });
  const built = await readdir(join(folder, 'dist'));
  const path = (end: string) => resolve(folder, 'dist', built.find((name) => name.endsWith(end)) ?? '');
  return { wheel: path('.whl'), sources: path('.tar.gz') };
}
