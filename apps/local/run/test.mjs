import { readdirSync, readFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { check } from './check.mjs';
import { pickLane } from './lanes.mjs';
import { fetchNeeds, runDeployment, runJest } from './run-tests.mjs';
import { runFailedAgain } from './second-run.mjs';
import {
  addFault,
  addResults,
  describeMachine,
  GATE,
  newTally,
  printEnd,
  REPORT,
  stage,
  writeTally,
} from './tally.mjs';
import { CHECKOUT, forwardSignals } from './tools.mjs';

/** Test files that take minutes, or need much of the machine. Only `npm run test:all` runs them all. */
const SLOW = '\\.slow\\.spec\\.ts$';
/** Test files that import this run in part in `npm test`. `npm run test:all` runs the rest of them. */
const ASKS_FOR_WHOLE = /\/support\/(whole|random)(\.ts)?'/;
const { jest } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8'));
/** Memory for the servers of a run of tests, and for each file with the processes that it starts. */
const SERVERS_BYTES = 2 ** 30;
const FILE_BYTES = 1.5 * 2 ** 30;
/** A need of apps/dev/downloads, and the files that have no test without it. */
const BROWSER = 'a browser';
const BROWSER_FILES = '\\.browser\\.';
const NO_SERVERS = join(CHECKOUT, 'apps', 'local', 'run', 'no-servers.mjs');

/**
 * Runs the checks and every test but the slow ones, and the files that failed once more. With `--lane` and a name it runs the files of that
 * part alone; with other arguments, which go to Jest, the files that they name. The last line is the tally alone. Resolves to the exit code.
 */
export async function test(args) {
  const [option, lane] = args.flatMap((arg) => arg.split('='));
  if (option === '--lane') return testLane(lane);
  const isWhole = args.length === 0;
  return tallied(isWhole ? GATE : undefined, async (tally, isEnding) => {
    const needs = isWhole ? await checkAndFetch(tally) : [];
    const leftOut = needs.includes(BROWSER) ? [BROWSER_FILES] : [];
    const jestArgs = isWhole ? ['--testPathIgnorePatterns', SLOW, ...leftOut, ...boundFiles(tally)] : args;
    const first = await stage(tally, 'tests', () => runJest(jestArgs));
    const again = isWhole && !isEnding();
    addResults(tally, again ? await stage(tally, 'second run', () => runFailedAgain(first, tally)) : first);
  });
}

/** Runs the checks while what tests need is downloaded. Resolves to what cannot be had. */
async function checkAndFetch(tally) {
  const [needs] = await Promise.all([
    stage(tally, 'downloads', () => fetchNeeds(tally, { isWhole: false })),
    stage(tally, 'checks', () => check({ tally, specs: false })).catch((error) => addFault(tally, error)),
  ]);
  return needs;
}

/** Runs fewer files at a time where there is little memory, because a machine that has none left stands still. */
function boundFiles(tally) {
  // The limit of a container counts as a whole: what is in use within it is mostly a cache of files.
  const free = Math.min(freemem(), process.constrainedMemory() || Infinity);
  const most = Math.max(1, Math.floor((free - SERVERS_BYTES) / FILE_BYTES));
  if (most >= jest.maxWorkers) return [];
  const gib = (free / 2 ** 30).toFixed(1);
  tally.warning.push(
    `Only ${gib} GiB of memory were free, so ${most} of ${jest.maxWorkers} files ran at a time.`,
  );
  // Without a limit Jest would run the files of a single worker in its own process, which grows with each.
  return [`--maxWorkers=${most}`, '--workerIdleMemoryLimit=600MB'];
}

function testLane(lane) {
  const files = pickLane(
    lane,
    findSpecs().filter((path) => !path.endsWith('.slow.spec.ts')),
  );
  const isPure = lane === 'pure';
  const alone = isPure ? [`--globalSetup=${NO_SERVERS}`, `--globalTeardown=${NO_SERVERS}`] : [];
  const run = async (tally) =>
    addResults(tally, await stage(tally, 'tests', () => runJest(['--runTestsByPath', ...files, ...alone])));
  return tallied(undefined, run, { isBuilt: isPure });
}

/**
 * Runs what `npm test` leaves out: the slow files, of those of which it runs a part the rest, and a deployment by `docker-compose.yml`.
 * Resolves to the exit code.
 */
export async function testSlowly() {
  return tallied(REPORT, async (tally, isEnding) => {
    const needs = await stage(tally, 'downloads', () => fetchNeeds(tally, { isWhole: true }));
    const leftOut = needs.includes(BROWSER) ? ['--testPathIgnorePatterns', BROWSER_FILES] : [];
    const bound = boundFiles(tally);
    const files = [SLOW, ...findPartlyRun()].join('|');
    const env = { HOLDFAST_TEST_WHOLE: 'rest' };
    const slow = () => runJest(['--testPathPatterns', files, ...leftOut, ...bound], { env });
    addResults(tally, await stage(tally, 'slow tests', slow));
    // They were left out, because `npm test` has run them.
    tally.skipped = 0;
    // What is known so far is told also when this process is killed.
    writeTally(REPORT, tally);
    if (!isEnding()) addResults(tally, await stage(tally, 'deployment', runDeployment));
  });
}

/** Builds, runs tests, and prints the end of the output. Keeps the tally in the file when there is one. Resolves to the exit code. */
async function tallied(file, work, { isBuilt = false } = {}) {
  const tally = newTally();
  let isEnding = false;
  const stopListening = forwardSignals(() => (isEnding = true));
  try {
    if (!isBuilt) await stage(tally, 'build', build);
    await work(tally, () => isEnding);
  } catch (error) {
    addFault(tally, error);
  }
  stopListening();
  if (isEnding) addFault(tally, 'It was ended from outside before all had run.');
  describeMachine(tally);
  if (file) writeTally(file, tally);
  printEnd(tally);
  return tally.failed === 0 ? 0 : 1;
}

function findPartlyRun() {
  return findSpecs().filter((path) => ASKS_FOR_WHOLE.test(readFileSync(join(CHECKOUT, path), 'utf8')));
}

/** Returns the paths of all test files, from the checkout. */
function findSpecs() {
  return ['apps', 'libs', 'temporal'].flatMap((top) =>
    readdirSync(join(CHECKOUT, top), { recursive: true })
      .map((path) => join(top, path))
      .filter((path) => path.endsWith('.spec.ts') && !path.includes('node_modules')),
  );
}
