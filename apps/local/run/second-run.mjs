import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runJest } from './run-tests.mjs';
import { toFailureLine } from './tally.mjs';
import { CHECKOUT, say } from './tools.mjs';

/** Above so many failed files the change is broken, and no second run says otherwise. */
const FILES_MAX = 12;
/** Above so many files of promises that failed once, one of the promises does not hold. */
const UNSTABLE_PROMISES_MAX = 3;
const FILE_LIMIT_MS = 10 * 60_000;
/** What is not green by then stays red. */
const LIMIT_MS = 30 * 60_000;
/** Tests that were unstable twice: `[{ test, error, since, until }]`, where `test` is `file › title`, and the others are a text and days. */
const UNSTABLE = join(CHECKOUT, 'apps', 'dev', 'unstable.json');

/** The files of what the product promises: tenancy, security, the contract, faults. So are those that kill processes. */
const PROMISES = new RegExp(
  [
    /^apps\/faults\//,
    /^apps\/api\/test\/(answers|bounds|compat|contract|engine-faults|oauth|passkeys)\./,
    /^apps\/api\/test\/(keyed-|races|secrets|sign-in|strangers|audit|hostile-texts|identity-providers)/,
    /^apps\/dev\/checks\/(compose|dependencies|openapi)\./,
    /^libs\/platform\/(crypto|database|egress|sandbox)\//,
    /^libs\/workspace\/(auth|audit|idempotency|secrets)\//,
    /^temporal\//,
  ]
    .map(({ source }) => source)
    .join('|'),
);
const KILLS = /\.kill\(|SIGKILL/;

/** The files of promises must pass twice in a second run, and none of their tests is ever excused. */
function isPromise(file) {
  if (PROMISES.test(file)) return true;
  const path = join(CHECKOUT, file);
  return existsSync(path) && KILLS.test(readFileSync(path, 'utf8'));
}

/**
 * Runs each failed file once more, alone, on servers of its own; a file of promises twice. Where every run passes, the file counts as
 * passed, and is listed as unstable with its first error. Returns the results with which the whole counts.
 */
export async function runFailedAgain({ files, fault, warnings }, tally, options = {}) {
  const { run = runJest, excuses = readExcuses() } = options;
  const counted = new Map(files);
  for (const [file, result] of files) counted.set(file, excuse(file, result, { excuses, tally }));
  const failed = [...counted].filter(([, { failures }]) => failures.length > 0);
  // Nothing that passes now would make the whole green.
  if (fault) return { files: counted, warnings, fault };
  if (failed.length > FILES_MAX) {
    const tooMany = `${failed.length} files failed: too many for a second run.`;
    return { files: counted, warnings, fault: tooMany };
  }

  const unstable = [];
  const ends = Date.now() + LIMIT_MS;
  for (const [file, { failures }] of failed) {
    const result = await passAgain(file, { times: isPromise(file) ? 2 : 1, ends, run });
    if (!result) continue;
    counted.set(file, result);
    unstable.push(file);
    tally.unstable.push(...failures.map((failure) => toFailureLine(file, failure)));
  }
  const promises = unstable.filter(isPromise).length;
  const tooMany =
    promises > UNSTABLE_PROMISES_MAX
      ? `${promises} files of promises failed once, and at most ${UNSTABLE_PROMISES_MAX} may: see unstable.`
      : undefined;
  return { files: counted, warnings, fault: tooMany };
}

/** Resolves to the last result of the file when it passed each time. */
async function passAgain(file, { times, ends, run }) {
  let last;
  for (let time = 1; time <= times; time += 1) {
    const left = Math.min(FILE_LIMIT_MS, ends - Date.now());
    if (left <= 0) return undefined;
    say(`Running ${file} again, alone (${time} of ${times}) ...`);
    // A pattern would take other files, too.
    const { files, fault } = await run(['--runTestsByPath', file], { limitMs: left, silenceMs: left });
    last = files.get(file);
    if (fault || !last || last.failures.length > 0) return undefined;
  }
  return last;
}

function readExcuses() {
  const today = new Date().toISOString().slice(0, 10);
  const all = existsSync(UNSTABLE) ? JSON.parse(readFileSync(UNSTABLE, 'utf8')) : [];
  return all.filter(({ until }) => until >= today);
}

/** Returns the result without the failures that are excused, which count as skipped. Those of promises never are. */
function excuse(file, result, { excuses, tally }) {
  const valid = excuses.length > 0 && !isPromise(file) ? excuses : [];
  const excused = (failure) => valid.find(({ test }) => test === `${file} › ${failure.title}`);
  const failures = result.failures.filter((failure) => !excused(failure));
  for (const failure of result.failures) {
    const { until } = excused(failure) ?? {};
    if (until) tally.unstable.push(`excused until ${until}: ${toFailureLine(file, failure)}`);
  }
  return { ...result, failures, skipped: result.skipped + result.failures.length - failures.length };
}
