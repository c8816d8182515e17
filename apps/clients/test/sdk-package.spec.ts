import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Stack } from '#apps/api/test/support/stack';
import { packSdk } from '../src/package-sdk.ts';
import { examplesOf } from './readme.ts';

const run = promisify(execFile);
let folder: string;
let stack: Stack;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-sdk-'));
  const tarball = await packSdk(join(folder, 'packed'));
  await mkdir(join(folder, 'app'));
  await writeFile(join(folder, 'app', 'package.json'), '{ "private": true, "type": "module" }');
  const [started] = await Promise.all([
    Stack.start(),
    run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: join(folder, 'app') }),
  ]);
  stack = started;
  const { PATH, HOME } = process.env;
  env = {
    PATH,
    HOME,
    HOLDFAST_URL: stack.url,
    HOLDFAST_API_KEY: stack.home.key,
    HOLDFAST_WORKSPACE_ID: stack.home.id,
  };
});
afterAll(async () => {
  await stack.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a program beside the installed package and nothing else. */
async function runProgram(name: string, code: string): Promise<string> {
  await writeFile(join(folder, 'app', name), code);
  const { stdout } = await run(process.execPath, [name], { cwd: join(folder, 'app'), env });
  return stdout;
}

const examples = examplesOf(readFileSync('libs/sdk/README.md', 'utf8'), 'js');

test.each(examples.map((example) => [example.title, example] as const))(
  'the example "%s" of the README prints what it says',
  async (_, { code, output }) => {
    expect(await runProgram('example.mjs', code)).toBe(output);
  },
);

test('a program of CommonJS loads the package', async () => {
  const code = `const { Holdfast, version } = require('@holdfast/sdk');
    new Holdfast().health.checkLiveness().then(({ status }) => console.log(status, version));`;
  const { version } = JSON.parse(readFileSync('libs/sdk/package.json', 'utf8'));
  expect(await runProgram('program.cjs', code)).toBe(`up ${version}\n`);
});

test('the package needs no other and no module of Node', async () => {
  const { dependencies } = JSON.parse(readFileSync('libs/sdk/package.json', 'utf8'));
  expect(dependencies).toBeUndefined();
  const installed = join(folder, 'app/node_modules/@holdfast/sdk/dist/esm/holdfast.js');
  expect(readFileSync(installed, 'utf8')).not.toMatch(/^import |\brequire\(|node:/m);
});

describe('the types', () => {
  /** What the compiler says about a program, without a type of Node or of a browser but the standard ones. */
  async function compile(name: string, code: string): Promise<string> {
    await writeFile(join(folder, 'app', name), code);
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--lib',
      'es2023,dom',
    ];
    const compiler = resolve('node_modules/typescript/bin/tsc');
    return run(process.execPath, [compiler, ...options, name], {
      cwd: join(folder, 'app'),
    }).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
  }

  const declared = `import { Holdfast } from '@holdfast/sdk';
    declare module '@holdfast/sdk' {
      interface DeployedWorkflows { invoice: { inputs: { amount: number }; output: { paid: boolean } } }
    }
    const client = new Holdfast();
    `;

  test.each(['types.mts', 'types.cts'])('compile for a program in %s', async (name) => {
    const code = `${declared}
      export async function pay(): Promise<boolean> {
        const rows: { id: string }[] = await client.tables.rows.list('tbl').toArray();
        const { output } = await client.workflow('invoice').execute({ amount: rows.length });
        return output.paid;
      }`;
    expect(await compile(name, code)).toBe('');
  });

  test('refuse a wrong input of a workflow whose types are known', async () => {
    const said = await compile(
      'wrong.mts',
      `${declared} void client.workflow('invoice').execute({ amount: '7' });`,
    );
    expect(said).toContain("Type 'string' is not assignable to type 'number'");
  });

  test('refuse a workflow that is not there', async () => {
    const said = await compile('unknown.mts', `${declared} client.workflow('invoices');`);
    expect(said).toContain('"invoices"');
  });
});
