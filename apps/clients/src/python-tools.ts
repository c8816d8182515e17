import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '#libs/platform/binaries/cache-folder';
import { again } from '#libs/platform/binaries/npm-packages';

const run = promisify(execFile);

/** A Python that can make virtual environments. */
export interface Python {
  program: string;
  version: string;
}

const question = `
import ensurepip, json, platform, sys, venv
print(json.dumps({ 'program': sys.executable, 'version': platform.python_version(), 'fits': sys.version_info >= (3, 10) }))`;

/** The `python3` of this machine; undefined where there is none from 3.10 on, or one without the modules venv and ensurepip. */
export async function findPython(): Promise<Python | undefined> {
  try {
    const { stdout } = await run('python3', ['-c', question]);
    const { fits, ...python } = JSON.parse(stdout);
    return fits ? python : undefined;
  } catch {
    return undefined;
  }
}

/** Like `findPython`, where nothing can be done without one. */
export async function needPython(): Promise<Python> {
  const python = await findPython();
  if (!python) throw new Error('There is no python3 from 3.10 on here that can make virtual environments.');
  return python;
}

/** The Python of an environment with the tools of the Python client, at the versions of tools.txt. */
export function installTools(python: Python): Promise<string> {
  const pins = 'apps/clients/python/tools.txt';
  return cached('python-tools', pins, python, async (folder) => {
    await run(python.program, ['-m', 'venv', folder]);
    await fetchPackages(programIn(folder), ['install', '-r', pins]);
  }).then(programIn);
}

/** A folder with the wheels that the Python client needs at run time, at the versions of runtime.txt. */
export async function downloadWheels(python: Python): Promise<string> {
  const pins = 'apps/clients/python/runtime.txt';
  const tools = await installTools(python);
  return cached('python-wheels', pins, python, async (folder) => {
    await fetchPackages(tools, ['download', '--only-binary=:all:', '--dest', folder, '-r', pins]);
  });
}

/** Makes an environment with one package and its dependencies. Resolves with its Python. */
export async function installWheel(python: Python, wheel: string, folder: string): Promise<string> {
  const [tools, wheels] = [await installTools(python), await downloadWheels(python)];
  await run(python.program, ['-m', 'venv', '--without-pip', folder]);
  const program = programIn(folder);
  const offline = ['install', '--no-index', '--find-links', wheels, wheel];
  await run(tools, ['-m', 'pip', '--python', program, '--disable-pip-version-check', '--quiet', ...offline]);
  return program;
}

/** A folder of the cache, filled once for each list of pins and version of Python. It only ever appears whole. */
async function cached(
  name: string,
  pins: string,
  { version }: Python,
  fill: (folder: string) => Promise<void>,
): Promise<string> {
  const sum = createHash('sha256')
    .update(await readFile(pins))
    .digest('hex')
    .slice(0, 8);
  const home = join(cacheFolder(), `${name}-${version}-${sum}`);
  if (existsSync(home)) return home;
  const place = `${home}-${randomUUID()}`;
  await mkdir(place, { recursive: true });
  try {
    await fill(place);
    await rename(place, home).catch((error: unknown) => {
      // Another process was faster, with the same.
      if (!existsSync(home)) throw error;
    });
  } finally {
    await rm(place, { recursive: true, force: true });
  }
  return home;
}

function fetchPackages(program: string, words: string[]): Promise<unknown> {
  const quiet = ['--quiet', '--no-input', '--disable-pip-version-check', '--retries', '5'];
  return again(() => run(program, ['-m', 'pip', ...words, ...quiet]));
}

function programIn(folder: string): string {
  return process.platform === 'win32' ? join(folder, 'Scripts', 'python.exe') : join(folder, 'bin', 'python');
}
