import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { availableParallelism, freemem, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { CHECKOUT } from './tools.mjs';

/** What the last whole `npm test` found, and what `npm run test:all` found. */
export const GATE = join(CHECKOUT, 'node_modules', '.holdfast-tally.json');
export const REPORT = join(CHECKOUT, 'node_modules', '.holdfast-report.json');

/** The characters of a line, after its label. */
const LINE_MAX = 400;
/** The sections of the end, with how many of its lines are shown: 52 in all. The last is nearest to the tally. */
const SECTIONS = [
  ['report', 10],
  ['warning', 10],
  ['unstable', 12],
  ['red', 20],
];

const stalledAtStart = readPressure();

/** The lines of `report`, `warning`, `unstable` and `red` are texts of one line. */
export function newTally() {
  return {
    commit: readCommit(),
    passed: 0,
    failed: 0,
    skipped: 0,
    stages: [],
    machine: '',
    report: [],
    warning: [],
    unstable: [],
    red: [],
  };
}

/** The commit of a checkout without changes; empty when what is tested is not what is committed. */
function readCommit() {
  const git = (...args) =>
    execFileSync('git', args, { cwd: CHECKOUT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    return git('status', '--porcelain') === '' ? git('rev-parse', 'HEAD').trim() : '';
  } catch {
    return '';
  }
}

/** Runs one part of the whole, and notes how long it took. */
export async function stage(tally, name, work) {
  const begun = performance.now();
  try {
    return await work();
  } finally {
    tally.stages.push(`${name} ${toDuration(performance.now() - begun)}`);
  }
}

/** Notes how the machine was while the process ran. */
export function describeMachine(tally) {
  const gib = (bytes) => `${(bytes / 2 ** 30).toFixed(1)} GiB`;
  const disk = statfsSync(CHECKOUT);
  const stalled = readPressure() - stalledAtStart;
  const parts = [
    `${availableParallelism()} cores`,
    `load ${loadavg()[0].toFixed(1)}`,
    // A task that could run and had no core: of each hundred seconds so many.
    `CPU pressure ${Math.round(stalled / 10 / performance.now())} %`,
    `memory ${gib(freemem())} free of ${gib(totalmem())}`,
    `disk ${gib(disk.bavail * disk.bsize)} free`,
    `Node ${process.versions.node}`,
    `${toDuration(performance.now())} in all`,
  ];
  tally.machine = parts.join(', ');
}

/** Microseconds in which a task waited for a core; 0 where the system does not tell. */
function readPressure() {
  const file = '/proc/pressure/cpu';
  try {
    return Number(/^some .*total=(\d+)/m.exec(readFileSync(file, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

function toDuration(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

export function readTally(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** On a full disk the end is printed all the same. */
export function writeTally(file, tally) {
  try {
    writeFileSync(file, `${JSON.stringify(tally, undefined, 2)}\n`);
  } catch (error) {
    tally.warning.push(`${file} was not written: ${error.message}`);
  }
}

export function printEnd(tally) {
  process.stdout.write(`\n${showEnd(tally)}\n`);
}

/** The end of the output: at most 60 lines that tell the whole to somebody who reads nothing else. The tally is alone on the last one. */
export function showEnd(tally) {
  const lines = SECTIONS.flatMap(([name, max]) => showSection(name, tally[name], max));
  const head = [
    `machine: ${tally.machine}`,
    ...(tally.stages.length > 0 ? [`stages: ${tally.stages.join(' · ')}`] : []),
  ];
  return [...head, ...lines, '', toLine(tally)].join('\n');
}

function showSection(name, lines, max) {
  const shown = lines.slice(0, max).map((line) => `${name}: ${cut(line)}`);
  return lines.length > max ? [...shown, `${name}: and ${lines.length - max} more`] : shown;
}

export function toLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function cut(line) {
  const characters = [...line.replaceAll(/\s+/g, ' ')];
  return characters.length > LINE_MAX ? `${characters.slice(0, LINE_MAX).join('')} …` : characters.join('');
}

/** Names a failed test in one line: `file › title › why`. */
export function toFailureLine(file, { title, message }) {
  return [file, title, summarise(message)].filter(Boolean).join(' › ');
}

/** Says why in one line: the first line of the message, what was expected and what came, and the command that cures it. */
function summarise(message) {
  // oxlint-disable-next-line no-control-regex -- Jest colours what it prints.
  const plain = message.replaceAll(/\u001b\[[\d;]*m/g, '');
  const stack = plain.search(/\n\s+at /);
  const lines = (stack < 0 ? plain : plain.slice(0, stack)).split('\n').map((line) => line.trim());
  const [first = '', ...rest] = lines.filter((line) => line !== '' && !line.startsWith('●'));
  const told = rest.filter((line) =>
    /^(Expected|Received)\b.*:|^[+-] (?!Expected|Received|\w+ [[{]$)/.test(line),
  );
  const cure = rest.find((line) => line.startsWith('"cure"'));
  return [first.replace(/^Error: /, ''), ...told.slice(0, 4), cure].filter(Boolean).join(' | ');
}

/** Adds what a run of tests found: `files`, `fault` and `warnings`, as `runJest` gives them. */
export function addResults(tally, { files, fault, warnings }) {
  for (const [file, { passed, skipped, failures }] of files) {
    tally.passed += passed;
    tally.skipped += skipped;
    tally.failed += failures.length;
    tally.red.push(...failures.map((failure) => toFailureLine(file, failure)));
  }
  for (const { file, ...failure } of warnings) tally.warning.push(toFailureLine(file, failure));
  if (fault) addFault(tally, fault);
}

export function addFault(tally, fault) {
  tally.failed += 1;
  tally.red.push(fault instanceof Error ? fault.message : fault);
}
