import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync, type Options } from '@swc/core';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Brings the child's program in `dist` up to date with its sources, as `nest build` would. A child process cannot run the
 * TypeScript that the specs run, and a stale program would be tested without anybody noticing.
 */
export function buildChild(): void {
  const options: Options = JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8'));
  for (const name of ['child', 'frames', 'guest', 'memory', 'prelude', 'probe']) {
    const from = join(root, 'libs/sandbox', `${name}.ts`);
    const to = join(root, 'dist/libs/sandbox', `${name}.js`);
    if (changedMs(to) >= changedMs(from)) continue;
    const { code } = transformSync(readFileSync(from, 'utf8'), {
      ...options,
      sourceMaps: false,
      swcrc: false,
      filename: from,
    });
    mkdirSync(dirname(to), { recursive: true });
    // Renamed into place: another spec file may be starting a child at this moment.
    writeFileSync(`${to}.${process.pid}`, code);
    renameSync(`${to}.${process.pid}`, to);
  }
}

function changedMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
