import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { check } from './check.mjs';
import { binOf, CHECKOUT, node, say } from './tools.mjs';

/** Test files that take minutes, or need much of the machine. Only `npm run test:all` runs them all. */
const SLOW = '\\.slow\\.spec\\.ts$';
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

/** Runs the slow test files, and adds them to the tally of the last whole `npm test`. */
export async function testSlowly() {
  const none = { passed: 0, failed: 0, skipped: 0 };
  const tally = existsSync(TALLY) ? JSON.parse(readFileSync(TALLY, 'utf8')) : none;
  await runJest(['--testPathPatterns', SLOW], tally);
  writeFileSync(TALLY, JSON.stringify(tally));
}

async function runJest(args, tally) {
  const { failed } = tally;
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-tests-'));
  const file = join(folder, 'results.json');
  try {
    const env = { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --no-warnings` };
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
