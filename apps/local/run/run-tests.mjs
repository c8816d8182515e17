import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addFault } from './tally.mjs';
import { binOf, CHECKOUT, forwardSignals, killGroup, say } from './tools.mjs';

const REPORTER = fileURLToPath(new URL('jest-reporter.mjs', import.meta.url));
const MINUTE = 60_000;
/** A file of tests ends within minutes. When none has ended for so long, one hangs in a way that its time-out cannot end. */
const SILENCE_MS = 20 * MINUTE;
const LOOK_MS = 2000;
/** How long Jest may take to stop its servers. */
const STOP_MS = 30_000;

/** Runs Jest with these arguments. */
export function runJest(args, options) {
  // What follows a list of reporters would be taken for one.
  return runTests([binOf('jest'), ...args, '--reporters=default', `--reporters=${REPORTER}`], options);
}

/**
 * Brings what tests need from registries into the cache of this machine, with `isWhole` also what `npm run test:all` alone needs. What
 * cannot be had is a line of the end each, and the tests that need it are left out.
 */
export async function fetchNeeds(tally, { isWhole }) {
  const program = join(CHECKOUT, 'dist/apps/dev/downloads/main.js');
  const { warnings, fault } = await runTests([program, ...(isWhole ? ['--whole'] : [])], {
    limitMs: 10 * MINUTE,
  });
  if (fault) addFault(tally, `What tests need was not looked for. ${fault}`);
  for (const { title, message } of warnings)
    tally.warning.push(`not on this machine: ${title} (${message}). Tests that need it are left out.`);
  const needs = warnings.map(({ title }) => title);
  // Jest reads it, also in a second run.
  process.env.HOLDFAST_TEST_MISSING = JSON.stringify(needs);
  return needs;
}

/** Tests a deployment by `docker-compose.yml`. It brings its engine first, which may take long. */
export function runDeployment() {
  return runTests([join(CHECKOUT, 'dist/apps/dev/deployment/main.js')], { silenceMs: 30 * MINUTE });
}

/**
 * Runs a program of tests in a process group of its own, and ends it after `limitMs`, or when nothing has ended for `silenceMs`. It writes
 * its results and warnings as lines of JSON, see jest-reporter.mjs. With `isQuiet` nobody sees what else it says.
 *
 * Resolves to `files`, the result of each file by its path: `{ passed, skipped, failures: [{ title, message }] }`; `fault`, a sentence
 * when the program itself failed; and `warnings`, `[{ file, title, message }]`.
 */
async function runTests(command, options = {}) {
  const { env = {}, limitMs = 75 * MINUTE, silenceMs = SILENCE_MS, isQuiet = false } = options;
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-tests-'));
  const [results, warned] = ['results', 'warnings'].map((name) => join(folder, name));
  const own = {
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --no-warnings`,
    HOLDFAST_TEST_RESULTS: results,
    HOLDFAST_TEST_WARNINGS: warned,
  };
  try {
    const { code, late } = await runBounded(
      command,
      { ...own, ...env },
      { results, limitMs, silenceMs, isQuiet },
    );
    const lines = readLines(results);
    const files = readResults(lines, late ?? `The tests ended with ${code} while it ran.`);
    return { files, fault: findFault({ lines, files, code, late }), warnings: readLines(warned) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Resolves to the exit code, and to a sentence in `late` when a limit ended the process. */
function runBounded(command, env, { results, limitMs, silenceMs, isQuiet }) {
  return new Promise((resolve, reject) => {
    const stdio = ['ignore', ...(isQuiet ? ['ignore', 'ignore'] : ['inherit', 'inherit'])];
    const child = spawn(process.execPath, command, {
      cwd: CHECKOUT,
      stdio,
      env: { ...process.env, ...env },
      detached: true,
    });
    const stopForwarding = forwardSignals((signal) => killGroup(child.pid, signal));
    const begun = Date.now();
    let late;
    const look = setInterval(() => {
      const since = Date.now() - Math.max(begun, existsSync(results) ? statSync(results).mtimeMs : 0);
      if (late) return;
      if (Date.now() - begun > limitMs) late = `It did not end within ${limitMs / MINUTE} minutes.`;
      else if (since > silenceMs) late = `No file ended for ${silenceMs / MINUTE} minutes.`;
      if (!late) return;
      say(`Ending the tests. ${late}`);
      killGroup(child.pid, 'SIGTERM');
      setTimeout(() => killGroup(child.pid, 'SIGKILL'), STOP_MS).unref();
    }, LOOK_MS);
    const end = () => {
      clearInterval(look);
      stopForwarding();
    };
    child.once('error', (error) => {
      end();
      reject(error);
    });
    child.once('close', (code, signal) => {
      end();
      // What a test or a download has started and left would hold our output open.
      killGroup(child.pid, 'SIGKILL');
      resolve({ code: code ?? signal, late });
    });
  });
}

/** A line that a full disk has cut is left out, so that its file counts as one that did not end. */
function readLines(file) {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}

/** A file that began and has no result was running when Jest ended. */
function readResults(lines, unfinished) {
  const files = new Map();
  for (const { began, file, passed, skipped, failures } of lines) {
    if (began) files.set(began, { passed: 0, skipped: 0, failures: [{ title: '', message: unfinished }] });
    if (file) files.set(file, { passed, skipped, failures });
  }
  return files;
}

/** What the program itself could not do: start its servers, find a file, or run all of them. */
function findFault({ lines, files, code, late }) {
  const ended = late ?? `The tests ended with ${code}.`;
  const total = lines.find((line) => line.files !== undefined)?.files ?? 0;
  const missing = total - files.size;
  if (missing > 0) return `${missing} of ${total} files did not run. ${ended}`;
  const hasFailed = [...files.values()].some(({ failures }) => failures.length > 0);
  return code !== 0 && !hasFailed ? `${ended} No test failed; the reason is above.` : undefined;
}
