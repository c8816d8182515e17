import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { beginPackage, packFolder } from './pack.ts';

const run = promisify(execFile);
const source = 'libs/sdk';

/** Packs the TypeScript client into a folder. Resolves with the path of the tarball. */
export const packSdk = (folder: string): Promise<string> => packFolder(source, folder);

/** Builds what the package of the TypeScript client holds beside its sources. */
export async function buildSdk(): Promise<void> {
  const dist = await beginPackage(source);
  const [esm, cjs] = [join(dist, 'esm'), join(dist, 'cjs')];
  await mkdir(esm, { recursive: true });
  const bundle = {
    entryPoints: [`${source}/src/holdfast.ts`],
    bundle: true,
    target: 'es2022',
    keepNames: true,
  };
  await Promise.all([
    build({ ...bundle, format: 'esm', platform: 'neutral', outfile: join(esm, 'holdfast.js') }),
    build({ ...bundle, format: 'cjs', platform: 'neutral', outfile: join(cjs, 'holdfast.js') }),
    writeDeclarations(esm),
  ]);
  await cp(esm, cjs, { recursive: true, filter: (path) => !path.endsWith('.js') });
  await writeFile(join(cjs, 'package.json'), '{ "type": "commonjs" }\n');
}

/** Declarations name each other by the compiled files that stand beside them. */
async function writeDeclarations(folder: string): Promise<void> {
  const options = [
    '--noEmit',
    'false',
    '--emitDeclarationOnly',
    '--declaration',
    '--rootDir',
    `${source}/src`,
  ];
  const compiler = resolve('node_modules/typescript/bin/tsc');
  await run(process.execPath, [compiler, '-p', source, ...options, '--outDir', folder]);
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue;
    const path = join(folder, name);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replaceAll(/(from|import\() ?'(\.[^']+)\.ts'/g, "$1 '$2.js'"));
  }
}
