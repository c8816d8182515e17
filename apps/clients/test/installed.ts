import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Stack } from '#apps/api/test/support/stack';

const run = promisify(execFile);

/** A folder with one installed package and nothing else, and the product that its programs call. */
export class InstalledPackage {
  private constructor(
    private readonly root: string,
    readonly folder: string,
    readonly stack: Stack,
  ) {}

  static async of(pack: (folder: string) => Promise<string>): Promise<InstalledPackage> {
    const root = await mkdtemp(join(tmpdir(), 'holdfast-package-'));
    const folder = join(root, 'app');
    await mkdir(folder);
    await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    const tarball = await pack(join(root, 'packed'));
    const options = ['install', '--offline', '--no-audit', '--no-fund', tarball];
    const [stack] = await Promise.all([Stack.start(), run('npm', options, { cwd: folder })]);
    return new InstalledPackage(root, folder, stack);
  }

  async remove(): Promise<void> {
    await this.stack.stop();
    await rm(this.root, { recursive: true, force: true });
  }

  /** Runs a program in the folder, with the address and a key of the product, and resolves with its standard output. */
  async run(command: string, words: string[]): Promise<string> {
    const { stdout } = await run(command, words, this.#place());
    return stdout;
  }

  /** Starts a program that does not end by itself; its lines come one after the other until it is stopped. */
  start(command: string, words: string[]): { lines: AsyncIterator<string>; stop: () => void } {
    const child = spawn(command, words, { ...this.#place(), stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    return { lines, stop: () => child.kill() };
  }

  #place(): { cwd: string; env: NodeJS.ProcessEnv } {
    const { PATH = '', HOME } = process.env;
    const { stack, folder } = this;
    const env = {
      PATH: [join(folder, 'node_modules/.bin'), PATH].join(delimiter),
      HOME,
      HOLDFAST_CONFIG_DIR: join(folder, 'config'),
      HOLDFAST_URL: stack.url,
      HOLDFAST_API_KEY: stack.home.key,
      HOLDFAST_WORKSPACE_ID: stack.home.id,
    };
    return { cwd: folder, env };
  }
}
