import { copyFileSync, readdirSync, renameSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** The WASM file of the engine. It is in the folder of the program. */
const engine = fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'));

/**
 * Bundles the child's program and its imports into one file. It is a CommonJS file, because the loader of ES modules takes about 10 ms
 * of CPU time at each start of a process.
 */
export function packChild(entry: string, to: string): void {
  // Writes to another name and renames, because another spec file may be starting a child at this time.
  const outfile = `${to}.${process.pid}`;
  buildSync({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // The engine reads its own URL.
    define: { 'import.meta.url': 'hereUrl' },
    banner: { js: `const hereUrl = require('node:url').pathToFileURL(module.filename).href;` },
    logLevel: 'error',
  });
  copyFileSync(engine, join(dirname(to), basename(engine)));
  renameSync(outfile, to);
}

/** Builds the child's program in `dist` from its sources, so that no test runs an old program. */
export function buildChild(): void {
  const to = join(root, 'dist/libs/platform/sandbox/child.cjs');
  const folder = join(root, 'libs/platform/sandbox');
  const sources = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'));
  if (sources.some((name) => changedMs(join(folder, name)) > changedMs(to)))
    packChild(join(folder, 'child.ts'), to);
}

function changedMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
