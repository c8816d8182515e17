import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The launcher is no TypeScript, because it runs before anything is installed. */
const load = async (name: string) => import(new URL(`../run/${name}.mjs`, import.meta.url).href);
const { runJest }: { runJest: Run } = await load('run-tests');
const { runFailedAgain }: { runFailedAgain: RunAgain } = await load('second-run');
const { addResults, newTally, showEnd }: Tallies = await load('tally');

interface Results {
  files: Map<string, { passed: number; skipped: number; failures: { title: string; message: string }[] }>;
  fault?: string;
  warnings: { file: string; title: string; message: string }[];
}
interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  red: string[];
  unstable: string[];
  warning: string[];
}
interface Tallies {
  newTally(): Tally;
  addResults(tally: Tally, results: Results): void;
  showEnd(tally: Tally): string;
}
type Run = (
  args: string[],
  options?: { limitMs?: number; silenceMs?: number; isQuiet?: boolean },
) => Promise<Results>;
type RunAgain = (first: Results, tally: Tally, options: object) => Promise<Results>;

const fails = `test('the bell rings', () => expect([1, 2]).toEqual([1]));`;
/** Fails the first time, because the file that it writes is not there. */
const failsOnce = `const { existsSync, writeFileSync } = require('node:fs');
test('the bell rings', () => {
  const isSecond = existsSync(__filename + '.seen');
  writeFileSync(__filename + '.seen', '');
  expect(isSecond).toBe(true);
});`;
const passes = `test('the bell is silent', () => {});`;
/** Blocks its process without work for the processor. */
const hangs = `test('the bell rings', () => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); });`;
const ends = `test('the bell rings', () => process.exit(3));`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-planted-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs planted files as a whole \`npm test\` runs its own, and gives the tally. */
async function runPlanted(
  files: Record<string, string>,
  { silenceMs = 60_000, excuses = [] as object[] } = {},
) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const config = JSON.stringify({ rootDir: folder, testMatch: ['**/*.spec.cjs'], cacheDirectory: folder });
  const runs: string[] = [];
  const run: Run = (args, options) => {
    const [path] = args.slice(-1);
    runs.push(path ?? '');
    const paths = path ? ['--runTestsByPath', join(folder, path)] : [];
    return runJest([`--config=${config}`, '--maxWorkers=2', ...paths], {
      ...options,
      silenceMs,
      isQuiet: true,
    });
  };
  const tally = newTally();
  addResults(tally, await runFailedAgain(await run([]), tally, { run, excuses }));
  const { passed, failed, skipped, red, unstable } = tally;
  return { passed, failed, skipped, red, unstable, runs: runs.slice(1) };
}

describe('a file that fails', () => {
  test('a file that fails once and then passes alone counts as passed, and is named as unstable', async () => {
    expect(await runPlanted({ 'a.spec.cjs': failsOnce, 'b.spec.cjs': passes })).toEqual({
      passed: 2,
      failed: 0,
      skipped: 0,
      red: [],
      unstable: [
        expect.stringMatching(/^a\.spec\.cjs › the bell rings › expect.*Expected: true \| Received: false/),
      ],
      runs: ['a.spec.cjs'],
    });
  });

  test('a file that fails each time is red, with its title and what came', async () => {
    expect(await runPlanted({ 'a.spec.cjs': fails, 'b.spec.cjs': passes })).toMatchObject({
      passed: 1,
      failed: 1,
      red: [expect.stringMatching(/^a\.spec\.cjs › the bell rings › expect\(received\)\.toEqual.*\+ {3}2,/)],
      unstable: [],
      runs: ['a.spec.cjs'],
    });
  });

  test('a file of promises must pass twice', async () => {
    const failsAtThird = `const { existsSync, writeFileSync } = require('node:fs');
const times = ['.1', '.2', '.3'].filter((name) => existsSync(__filename + name)).length;
test('the bell rings', () => {
  writeFileSync(__filename + '.' + (times + 1), '');
  expect(times).toBe(1);
});`;
    const planted = { 'temporal/a.spec.cjs': failsOnce, 'temporal/b.spec.cjs': failsAtThird };
    expect(await runPlanted(planted)).toMatchObject({
      passed: 1,
      red: [expect.stringContaining('temporal/b.spec.cjs › the bell rings')],
      unstable: [expect.stringContaining('temporal/a.spec.cjs › the bell rings')],
      runs: expect.arrayContaining(Object.keys(planted).flatMap((path) => [path, path])),
    });
  });

  test('more than three files of promises that fail once are red', async () => {
    const planted = Object.fromEntries([1, 2, 3, 4].map((n) => [`temporal/${n}.spec.cjs`, failsOnce]));
    const { failed, red, unstable } = await runPlanted(planted);
    expect({ failed, red }).toEqual({
      failed: 1,
      red: [expect.stringContaining('4 files of promises failed once')],
    });
    expect(unstable).toHaveLength(4);
  });

  test('thirteen files that fail are red without a second run', async () => {
    const planted = Object.fromEntries(Array.from({ length: 13 }, (_, n) => [`${n}.spec.cjs`, failsOnce]));
    const { failed, red, runs } = await runPlanted(planted);
    expect({ failed, runs, last: red.at(-1) }).toEqual({
      failed: 14,
      runs: [],
      last: '13 files failed: too many for a second run.',
    });
  });

  test('a file whose process the kernel kills is run again, while the others go on', async () => {
    const isKilledOnce = `const { existsSync, writeFileSync } = require('node:fs');
test('the bell rings', () => {
  if (existsSync(__filename + '.seen')) return;
  writeFileSync(__filename + '.seen', '');
  process.kill(process.pid, 'SIGKILL');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});`;
    const planted = { 'a.spec.cjs': isKilledOnce, 'b.spec.cjs': passes, 'c.spec.cjs': passes };
    expect(await runPlanted(planted)).toMatchObject({
      passed: 3,
      failed: 0,
      unstable: [expect.stringMatching(/^a\.spec\.cjs › .*SIGKILL/)],
      runs: ['a.spec.cjs'],
    });
  });

  test('a file that hangs is ended and red, and so is one that ends the process', async () => {
    const hanging = await runPlanted({ 'a.spec.cjs': hangs }, { silenceMs: 10_000 });
    expect(hanging).toMatchObject({
      failed: 1,
      red: [expect.stringMatching(/^a\.spec\.cjs › No file ended for/)],
    });
    rmSync(join(folder, 'a.spec.cjs'));
    const ended = await runPlanted({ 'b.spec.cjs': ends });
    expect(ended).toMatchObject({
      failed: 1,
      red: [expect.stringMatching(/^b\.spec\.cjs › .*ended with 3 while/)],
    });
  });

  test('a failure that unstable.json names blocks nothing, unless it is of a promise', async () => {
    const excuses = ['a.spec.cjs', 'temporal/a.spec.cjs'].map((path) => ({
      test: `${path} › the bell rings`,
      until: '2999-01-01',
    }));
    const planted = { 'a.spec.cjs': fails, 'temporal/a.spec.cjs': fails };
    expect(await runPlanted(planted, { excuses })).toMatchObject({
      failed: 1,
      skipped: 1,
      red: [expect.stringContaining('temporal/a.spec.cjs')],
      unstable: [expect.stringMatching(/^excused until 2999-01-01: a\.spec\.cjs/)],
    });
  });
});

test('the end of the output has at most 60 lines, however much failed, and the tally alone on the last', () => {
  const tally = newTally();
  const failures = Array.from({ length: 500 }, (_, n) => ({
    title: `bell ${n}`,
    message: 'It rang.\nTwice.',
  }));
  const files = new Map([['a.spec.ts', { passed: 7, skipped: 1, failures }]]);
  const warnings = failures.map((failure) => ({ file: 'b.spec.ts', ...failure }));
  addResults(tally, { files, warnings, fault: 'Jest ended with 1.' });
  tally.unstable = tally.red;
  const lines = showEnd(tally).split('\n');
  expect(lines.length).toBeLessThanOrEqual(60);
  expect(lines).toContain('red: a.spec.ts › bell 0 › It rang.');
  expect(lines).toContain('red: and 481 more');
  expect(lines.at(-1)).toBe('7 passed, 501 failed, 1 skipped');
});

test('a test that only warns passes, and leaves its title and what came', async () => {
  const kept = join(folder, 'warnings');
  writeFileSync(kept, '');
  const { asWarning } = await import('#libs/platform/settings/support/warnings');
  const before = process.env['HOLDFAST_TEST_WARNINGS'];
  process.env['HOLDFAST_TEST_WARNINGS'] = kept;
  try {
    await asWarning(() => expect(1).toBe(2))();
    await asWarning(() => expect(1).toBe(1))();
  } finally {
    process.env['HOLDFAST_TEST_WARNINGS'] = before;
  }
  expect(
    readFileSync(kept, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    {
      file: 'apps/local/src/second-run.slow.spec.ts',
      title: 'a test that only warns passes, and leaves its title and what came',
      message: expect.stringContaining('toBe'),
    },
  ]);
});
