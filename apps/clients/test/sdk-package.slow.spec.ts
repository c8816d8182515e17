import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { packSdk } from '../src/package-sdk.ts';
import { InstalledPackage } from './installed.ts';
import { parseExamples } from './readme.ts';

const run = promisify(execFile);
let installed: InstalledPackage;
beforeAll(async () => {
  // As in a fresh clone, where npm builds all that it packs.
  for (const made of ['dist', 'LICENSE']) await rm(join('libs/sdk', made), { recursive: true, force: true });
  installed = await InstalledPackage.of(packSdk);
});
afterAll(() => installed.remove());

/** Runs a program beside the installed package and nothing else. */
async function runProgram(name: string, code: string): Promise<string> {
  await writeFile(join(installed.folder, name), code);
  return installed.run(process.execPath, [name]);
}

const examples = parseExamples(readFileSync('libs/sdk/README.md', 'utf8'), 'js');

test.each(examples.map((example) => [example.title, example] as const))(
  'the example "%s" of the README prints its shown output',
  async (_, { code, output }) => {
    expect(await runProgram('example.mjs', code)).toBe(output);
  },
);

test('npm pack in the folder of the client builds what it packs', () => {
  const files = [
    'dist/esm/holdfast.js',
    'dist/cjs/holdfast.js',
    'dist/esm/generated/openapi.d.ts',
    'LICENSE',
  ];
  const packed = join(installed.folder, 'node_modules/@holdfast/sdk');
  expect(files.filter((name) => !existsSync(join(packed, name)))).toEqual([]);
});

test('a program of CommonJS loads the package', async () => {
  const code = `const { Holdfast, version } = require('@holdfast/sdk');
    new Holdfast().health.checkLiveness().then(({ status }) => console.log(status, version));`;
  const { version } = JSON.parse(readFileSync('libs/sdk/package.json', 'utf8'));
  expect(await runProgram('program.cjs', code)).toBe(`up ${version}\n`);
});

test('the package needs no other and no module of Node', async () => {
  const { dependencies } = JSON.parse(readFileSync('libs/sdk/package.json', 'utf8'));
  expect(dependencies).toBeUndefined();
  const bundle = join(installed.folder, 'node_modules/@holdfast/sdk/dist/esm/holdfast.js');
  expect(readFileSync(bundle, 'utf8')).not.toMatch(/^import |\brequire\(|node:/m);
});

describe('the types', () => {
  /** Gives the output of the compiler for a program, without a type of Node or of a browser but the standard ones. */
  async function compile(name: string, code: string): Promise<string> {
    await writeFile(join(installed.folder, name), code);
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
      cwd: installed.folder,
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

  test.each(['types.mts', 'types.cts'])('the generated types compile for a program in %s', async (name) => {
    const code = `${declared}
      export async function pay(): Promise<boolean> {
        const rows: { id: string }[] = await client.tables.rows.list('tbl').toArray();
        const { output } = await client.workflow('invoice').execute({ amount: rows.length });
        return output.paid;
      }`;
    expect(await compile(name, code)).toBe('');
  });

  test('the generated types refuse a wrong input of a workflow whose types are known', async () => {
    const said = await compile(
      'wrong.mts',
      `${declared} void client.workflow('invoice').execute({ amount: '7' });`,
    );
    expect(said).toContain("Type 'string' is not assignable to type 'number'");
  });

  test('the generated types refuse a workflow that does not exist', async () => {
    const said = await compile('unknown.mts', `${declared} client.workflow('invoices');`);
    expect(said).toContain('"invoices"');
  });
});
