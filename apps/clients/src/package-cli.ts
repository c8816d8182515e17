import { chmod, cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { beginPackage, packFolder } from './pack.ts';

/** Some packages in the bundle load modules of Node in the old way. */
const banner = `#!/usr/bin/env node
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);`;

const source = 'apps/cli/package';

/** Packs the command line into a folder. Resolves with the path of the tarball. */
export const packCli = (folder: string): Promise<string> => packFolder(source, folder);

/** Builds what the package of the command line holds beside its sources. */
export async function buildCli(): Promise<void> {
  const dist = await beginPackage(source);
  const program = join(dist, 'holdfast.js');
  await build({
    entryPoints: ['apps/cli/src/main.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['source'],
    keepNames: true,
    banner: { js: banner },
    outfile: program,
  });
  await chmod(program, 0o755);
  await copyTemplates(join(dist, 'templates'));
}

/** Only the folders: the files beside them test the templates in this repository. */
async function copyTemplates(folder: string): Promise<void> {
  for (const entry of await readdir('libs/templates', { withFileTypes: true }))
    if (entry.isDirectory())
      await cp(join('libs/templates', entry.name), join(folder, entry.name), { recursive: true });
}
