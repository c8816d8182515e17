import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

export interface Requirement {
  package: string;
  version: string;
  /** The platform tag of one exact file. It does not depend on this machine or its Python. */
  tag: string;
}

/** The commands for pip, in the order of attempts. Pip only downloads the file. No Python code of the package runs. */
const CALLS = [
  ['python3', '-m', 'pip'],
  ['pip3'],
  ['pip'],
  ['python', '-m', 'pip'],
  ['py', '-3', '-m', 'pip'],
];
const PYTHON_VERSION = '3.11';

/** Downloads one wheel into a folder and returns its path. Throws with the last lines that pip has printed. */
export async function downloadWheel(requirement: Requirement, folder: string): Promise<string> {
  const absent: string[] = [];
  for (const [command = '', ...before] of CALLS) {
    const outcome = await run(command, [...before, ...downloadArguments(requirement, folder)]);
    const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'));
    if (outcome === undefined && wheel) return join(folder, wheel);
    const name = [command, ...before].join(' ');
    // If this pip runs and cannot download the package, the other commands cannot either.
    if (outcome === undefined || !isAbsent(outcome))
      throw new Error(`${name}: ${outcome ?? 'it downloaded no wheel'}`);
    absent.push(name);
  }
  throw new Error(`no pip is installed (looked for ${absent.join(', ')})`);
}

function downloadArguments({ package: name, version, tag }: Requirement, folder: string): string[] {
  const exact = ['--no-deps', '--only-binary=:all:', '--platform', tag, '--python-version', PYTHON_VERSION];
  const quiet = ['--quiet', '--no-input', '--disable-pip-version-check', '--retries', '2'];
  return ['download', ...quiet, ...exact, '--dest', folder, `${name}==${version}`];
}

function isAbsent(outcome: string): boolean {
  return outcome === 'not installed' || outcome.includes('No module named pip');
}

/** Runs a command. Resolves to `undefined` when it succeeded, otherwise to its error as text. */
function run(command: string, args: string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env: process.env, stdio: ['ignore', 'ignore', 'pipe'] });
    const abandon = () => child.kill();
    process.once('exit', abandon);
    let words = '';
    child.stderr.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(-4000)));
    child.on('error', () => resolve('not installed'));
    child.on('close', (code) => {
      process.off('exit', abandon);
      resolve(code === 0 ? undefined : lastError(words, code));
    });
  });
}

function lastError(words: string, code: number | null): string {
  const lines = words.split('\n').filter((line) => line.trim() !== '');
  return (lines.findLast((line) => /^ERROR|error/i.test(line)) ?? lines.at(-1) ?? `exit code ${code}`).trim();
}
