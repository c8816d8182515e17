import { execFile } from 'node:child_process';
import { cp, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beginPackage } from './pack.ts';
import { type Python, toolsOf } from './python-tools.ts';

const run = promisify(execFile);
const source = 'libs/sdk-python';

/** Builds the package of the Python client in a folder, as it is published. Resolves with the paths of the wheel and of the sources. */
export async function packPython(
  python: Python,
  folder: string,
): Promise<{ wheel: string; sources: string }> {
  await beginPackage(source, folder, 'pyproject.toml');
  // Files that Python has compiled beside the sources are left out.
  await cp(join(source, 'src'), join(folder, 'src'), {
    recursive: true,
    filter: (path) => !path.endsWith('__pycache__'),
  });
  await run(await toolsOf(python), ['-m', 'hatchling', 'build', '-d', 'dist'], { cwd: folder });
  const built = await readdir(join(folder, 'dist'));
  const path = (end: string) => resolve(folder, 'dist', built.find((name) => name.endsWith(end)) ?? '');
  return { wheel: path('.whl'), sources: path('.tar.gz') };
}
