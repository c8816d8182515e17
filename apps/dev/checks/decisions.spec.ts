import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { testAsWarning } from '#libs/platform/settings/support/warnings';
import { decisionFaults, parseDecisions } from './decisions.ts';
import { checkout, read } from './repository.ts';

const textOf = (path: string) => (existsSync(join(checkout, path)) ? read(path) : null);

describe('apps/api/decisions.md', () => {
  testAsWarning('apps/api/decisions.md names a test that exists in each row, under a name of its own', () => {
    const rows = parseDecisions(read('apps/api/decisions.md'));
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.flatMap((row) => decisionFaults(row, textOf))).toEqual([]);
    expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length);
  });
});

describe('decisionFaults', () => {
  const spec = `describe('x', () => { test('holds', () => {}); test.each(['a cat', 'a dog'])('takes %s', () => {}); });`;
  const faults = (test: string) =>
    decisionFaults({ number: '1', question: 'q', decision: 'd', test }, (path) =>
      path === 'a.spec.ts' ? spec : null,
    );

  test.each(['a.spec.ts › holds', '`a.spec.ts` › holds', 'a.spec.ts › takes a dog'])(
    'decisionFaults takes %s',
    (test) => {
      expect(faults(test)).toEqual([]);
    },
  );

  test.each([
    ['a test that is not there', 'a.spec.ts › falls', /does not have/],
    ['a title whose placeholder is not filled', 'a.spec.ts › takes %s', /does not have/],
    ['a title that is filled with something else', 'a.spec.ts › takes a cow', /does not have/],
    ['the name of a group', 'a.spec.ts › x', /does not have/],
    ['a file that is not there', 'b.spec.ts › holds', /does not exist/],
    ['a file that is no spec', 'a.ts › holds', /must name its test/],
    ['a row without a test', '', /must name its test/],
  ])('decisionFaults refuses %s', (_, test, fault) => {
    expect(faults(test)).toEqual([expect.stringMatching(fault)]);
  });

  test('decisionFaults refuses a table of other columns', () => {
    expect(() => parseDecisions('| a | b |\n|---|---|\n| 1 | 2 |')).toThrow('must have the columns');
  });
});
