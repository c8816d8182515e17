import { copyFileSync, readdirSync, renameSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** The file that runs the code. It stands beside the program. */
const engine = fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'));

/**
 * Writes the child's program and what it imports as one file. It is a CommonJS file, because the loader of the other kind takes some
 * 10 ms of CPU time, and a process is started for each run of code.
 */
export function packChild(entry: string, to: string): void {
  // Renamed into place: another spec file may be starting a child at this moment.
  const outfile = `${to}.${process.pid}`;
  buildSync({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // The engine asks where it is.
    define: { 'import.meta.url': 'hereUrl' },
    banner: { js: `const hereUrl = require('node:url').pathToFileURL(module.filename).href;` },
    logLevel: 'error',
  });
  copyFileSync(engine, join(dirname(to), basename(engine)));
  renameSync(outfile, to);
}

/** Brings the child's program in `dist` up to date with its sources: a stale one would be tested without anybody noticing. */
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
