import { idle, importsOf, parseFaults, refusals, roomOf } from './imports.ts';
import { read, sources } from './repository.ts';
import { rooms } from './rooms.ts';

const all = sources().map((path) => ({ path, text: read(path) }));

describe('the import table', () => {
  test('refuses no import of this repository', () => {
    expect(all.flatMap((source) => refusals(rooms, source))).toEqual([]);
  });

  test('has no row without a room', () => {
    const held = new Set(all.map(({ path }) => roomOf(rooms, path)));
    expect(rooms.filter((room) => !held.has(room)).map(({ at }) => at)).toEqual([]);
  });

  test('keeps no deviation that nothing needs any more', () => {
    expect(idle(rooms, all)).toEqual([]);
  });

  test('gives every deviation a reason', () => {
    const reasons = rooms.flatMap(({ also = {} }) => Object.values(also));
    expect(reasons.filter((reason) => reason.trim().length < 10)).toEqual([]);
  });
});

describe('the sources', () => {
  test('parse', () => {
    expect(all.flatMap(parseFaults)).toEqual([]);
    expect(parseFaults({ path: 'planted.ts', text: 'const = 1;' })).not.toEqual([]);
  });
});

describe('refusals', () => {
  const planted = (path: string, text: string) => refusals(rooms, { path, text });

  test.each([
    ['libs/language/definition/planted.ts', `import { readFile } from 'node:fs/promises';`, 'node'],
    [
      'libs/language/definition/planted.ts',
      `import '#libs/language/engine/run';`,
      'libs/language/engine/run',
    ],
    ['libs/language/engine/planted.ts', `import { DataSource } from 'typeorm';`, 'typeorm'],
    [
      'libs/workspace/limits/planted.ts',
      `import { Workflows } from '#libs/runs/workflows/workflows';`,
      'libs/runs/workflows/workflows',
    ],
    ['temporal/workflows/planted.ts', `import { Worker } from '@temporalio/worker';`, '@temporalio/worker'],
    ['temporal/workflows/planted.ts', `await import('node:crypto');`, 'node'],
    [
      'apps/api/src/planted.ts',
      `import { Run } from '#libs/language/engine/run';`,
      'libs/language/engine/run',
    ],
    [
      'apps/api/src/planted.ts',
      `import { Sandbox } from '#libs/platform/sandbox/sandbox';`,
      'libs/platform/sandbox/sandbox',
    ],
    [
      'apps/local/src/planted.ts',
      `import { Settings } from '#libs/platform/settings/settings';`,
      'libs/platform/settings/settings',
    ],
    [
      'libs/runs/pauses/planted.ts',
      `export { Run } from '#libs/language/engine/run';`,
      'libs/language/engine/run',
    ],
  ])('names what %s must not have: %s', (path, text, target) => {
    expect(planted(path, text)).toEqual([`${path} may not import ${target}`]);
  });

  test('lets a type through where only types are allowed, and no value beside it', () => {
    const path = 'libs/runs/pauses/planted.ts';
    expect(planted(path, `import type { Outcome } from '#libs/language/engine/effects';`)).toEqual([]);
    expect(planted(path, `import { type Outcome } from '#libs/language/engine/effects';`)).toEqual([]);
    expect(planted(path, `import { type Outcome, x } from '#libs/language/engine/effects';`)).toHaveLength(1);
  });

  test('frees specs of the packages and not of the rooms', () => {
    const path = 'libs/language/definition/planted.spec.ts';
    expect(planted(path, `import fc from 'fast-check';`)).toEqual([]);
    expect(planted(path, `import { Run } from '#libs/language/engine/run';`)).toHaveLength(1);
  });

  test('refuses a source outside of every room', () => {
    expect(planted('libs/planted/planted.ts', '')).toEqual([
      'libs/planted/planted.ts is in no room of the table',
    ]);
  });

  test('reads exports and side effects as imports', () => {
    const text = `import './a.ts'; export * from '#libs/platform/errors/errors'; export type { X } from 'pg';`;
    expect(importsOf({ path: 'libs/platform/ids/planted.ts', text })).toEqual([
      { target: 'libs/platform/ids/a', ours: true, types: false },
      { target: 'libs/platform/errors/errors', ours: true, types: false },
      { target: 'pg', ours: false, types: true },
    ]);
  });
});
