import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { check } from './check.mjs';
import { binOf, CHECKOUT, node, say } from './tools.mjs';

/** Test files that take minutes, or need much of the machine. Only `npm run test:all` runs them all. */
const SLOW = '\\.slow\\.spec\\.ts$';
/** Test files that import this run in part in `npm test`. `npm run test:all` runs the rest of them. */
const ASKS_FOR_WHOLE = /\/support\/whole(\.ts)?'/;
/** The tally of a whole `npm test`. `npm run test:all` adds its own tests, and prints the sum. */
const TALLY = join(CHECKOUT, 'node_modules', '.holdfast-tally.json');

/**
 * Runs the checks and every test but the slow ones, and prints the tally alone on the last line. With arguments they go to jest and
 * the checks are left out. Resolves to the exit code.
 */
export async function test(args) {
  const tally = { passed: 0, failed: 0, skipped: 0 };
  try {
    await build();
    // The checks of the repository are tests, which come below anyway.
    if (args.length === 0 && !(await check({ checks: false }))) tally.failed += 1;
    await runJest(args.length > 0 ? args : ['--testPathIgnorePatterns', SLOW], tally);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    tally.failed += 1;
  }
  if (args.length === 0) writeFileSync(TALLY, JSON.stringify(tally));
  const skipped = tally.skipped > 0 ? `, ${tally.skipped} skipped` : '';
  process.stdout.write(`\n${tally.passed} passed, ${tally.failed} failed${skipped}\n`);
  return tally.failed === 0 ? 0 : 1;
}

/**
 * Runs the slow test files, and of those of which `npm test` runs a part the tests that it left out or had fewer cases of. Adds them to
 * the tally of the last whole `npm test`.
 */
export async function testSlowly() {
  const none = { passed: 0, failed: 0, skipped: 0 };
  const tally = existsSync(TALLY) ? JSON.parse(readFileSync(TALLY, 'utf8')) : none;
  const files = [SLOW, ...findPartlyRun()];
  // Tests that `npm test` has run count as skipped here, and are in the tally as what they were.
  const { skipped } = tally;
  await runJest(['--testPathPatterns', files.join('|')], tally, { HOLDFAST_TEST_WHOLE: 'rest' });
  tally.skipped = skipped;
  writeFileSync(TALLY, JSON.stringify(tally));
}

function findPartlyRun() {
  return ['apps', 'libs', 'temporal'].flatMap((top) =>
    readdirSync(join(CHECKOUT, top), { recursive: true })
      .map((path) => join(top, path))
      .filter(
        (path) =>
          path.endsWith('.spec.ts') && ASKS_FOR_WHOLE.test(readFileSync(join(CHECKOUT, path), 'utf8')),
      ),
  );
}

async function runJest(args, tally, more = {}) {
  const { failed } = tally;
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-tests-'));
  const file = join(folder, 'results.json');
  try {
    const options = `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --no-warnings`;
    const env = { NODE_OPTIONS: options, ...more };
    const code = await node([binOf('jest'), '--json', `--outputFile=${file}`, ...args], { env });
    if (existsSync(file)) count(JSON.parse(readFileSync(file, 'utf8')), tally);
    // jest can fail without a failed test: nothing was found, or a server did not start.
    if (code !== 0 && tally.failed === failed) tally.failed += 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function count(results, tally) {
  tally.passed += results.numPassedTests;
  tally.failed += results.numFailedTests + results.numRuntimeErrorTestSuites;
  tally.skipped += results.numPendingTests + results.numTodoTests;
}
