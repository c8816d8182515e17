import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './own-node.mjs';
import {
  addFault,
  describeMachine,
  GATE,
  newTally,
  printEnd,
  readTally,
  REPORT,
  showEnd,
  toLine,
  writeTally,
} from './tally.mjs';
import { CHECKOUT, forwardSignals, killGroup, npmCommand, say } from './tools.mjs';

const MINUTE = 60_000;
/** The machine ends everything after 90 minutes, and then nobody reads why. */
const GATE_ENDS_MS = 85 * MINUTE;
const REPORT_ENDS_MS = 75 * MINUTE;
/** How long the containers and servers of a run that is ended may take to go. */
const STOP_MS = 2 * MINUTE;

/**
 * Runs `npm test`, whose exit code is the one of CI, and after a green one `npm run test:all` as a report that blocks nothing. The whole
 * output is kept in the folder `ci` of the cache of this machine, as `last.log`, and the tally as `last.json`.
 */
export async function ci() {
  const folder = join(cacheFolder(), 'ci');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'last.log');
  const log = createWriteStream(file);
  // On a full disk the verdict matters more than its record.
  log.on('error', (error) => say(`${file} is not whole: ${error.message}`));
  for (const old of [GATE, REPORT]) rmSync(old, { force: true });
  say(`The whole output is kept in ${file}.`);

  const { code, isLate } = await runNpm(['test'], log, GATE_ENDS_MS);
  const own = readTally(GATE);
  const tally = own ?? makeTally(isLate ? 'npm test did not end in time.' : `npm test ended with ${code}.`);
  if (code === 0) {
    await runNpm(['run', 'test:all'], log, REPORT_ENDS_MS);
    tally.report = toReport(readTally(REPORT));
  }
  // A red `npm test` has printed its end already.
  if (code === 0 || !own) {
    printEnd(tally);
    log.write(`\n${showEnd(tally)}\n`);
  }
  log.end();
  writeTally(join(folder, 'last.json'), tally);
  return code;
}

/** The tally of an `npm test` that left none. */
function makeTally(why) {
  const tally = newTally();
  addFault(tally, `${why} It had no result; the reason is above.`);
  describeMachine(tally);
  return tally;
}

function toReport(found) {
  if (!found) return ['npm run test:all was ended before it had a result.'];
  const { stages, unstable, warning, red } = found;
  return [`npm run test:all: ${toLine(found)} (${stages.join(' · ')})`, ...red, ...warning, ...unstable];
}

/** Resolves to the exit code of npm, whose output goes to ours and to `log`. Ends it when this process is `endsMs` old. */
function runNpm(args, log, endsMs) {
  return new Promise((resolve, reject) => {
    const [program, ...first] = npmCommand();
    const child = spawn(program, [...first, ...args], {
      cwd: CHECKOUT,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    for (const [from, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ])
      from.on('data', (chunk) => {
        to.write(chunk);
        log.write(chunk);
      });
    const stopForwarding = forwardSignals((signal) => killGroup(child.pid, signal));
    let isLate = false;
    const end = setTimeout(() => {
      isLate = true;
      say(`Ending npm ${args.join(' ')}: minute ${endsMs / MINUTE} has come.`);
      killGroup(child.pid, 'SIGTERM');
      setTimeout(() => killGroup(child.pid, 'SIGKILL'), STOP_MS).unref();
    }, endsMs - performance.now());
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(end);
      stopForwarding();
      resolve({ code: code ?? 1, isLate });
    });
  });
}
