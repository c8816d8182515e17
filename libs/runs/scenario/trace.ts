import type { VisitEntry } from '#libs/language/engine/effects';
import { statusIcons } from '#libs/language/engine/block-lines';
import type { ScenarioResult } from './scenario.ts';
import { excerpt, span } from './words.ts';

/** One line for a scenario. For a failed one also the reasons, and the visits of the run. */
export function report(result: ScenarioResult): string {
  const { name, passed, elapsedMs, tookMs } = result;
  const times = `${span(elapsedMs)} of workflow time in ${span(tookMs)}`;
  if (passed) return `ok      ${name}  (${times})`;
  const why = [...result.problems, ...result.differences].map((text) => `          ${text}`);
  return [`FAILED  ${name}  (${times})`, ...why, ...trace(result).map((text) => `        ${text}`)].join(
    '\n',
  );
}

/** The events of a run in the order of workflow time since its start. */
export function trace(result: ScenarioResult): string[] {
  const { visits, pauses, notes, startedAtMs, status, failure, output } = result;
  const blocks = visits.filter((visit) => visit.status !== 'skipped');
  const width = Math.max(0, ...blocks.map(({ path }) => path.length));
  const events = [
    ...blocks.map((visit) => ({ atMs: visit.startedAtMs, text: lineOf(visit, width) })),
    ...pauses.map(({ openedAtMs, path, title, outcome }) => ({
      atMs: openedAtMs,
      text: `· ${path} asks "${title}" (${outcome})`,
    })),
    ...notes.map(({ atMs, text }) => ({ atMs, text: `· ${text}` })),
  ];
  const lines = events
    .toSorted((a, b) => a.atMs - b.atMs)
    .map(({ atMs, text }) => `${`+${span(Math.max(0, atMs - startedAtMs))}`.padEnd(12)} ${text}`);
  const end = failure
    ? `${failure.code}${failure.blockId ? ` at ${failure.blockId}` : ''}: ${failure.message}`
    : excerpt(output);
  return [...lines, `${'='.padEnd(12)} ${status}  ${end}`];
}

function lineOf(visit: VisitEntry, width: number): string {
  const { path, type, status, attempts, port, failure, output, startedAtMs, endedAtMs } = visit;
  const lasted =
    endedAtMs === null
      ? ''
      : endedAtMs - startedAtMs >= 1000
        ? ` after ${span(endedAtMs - startedAtMs)}`
        : '';
  const about = [
    `${statusIcons[status]} ${path.padEnd(width)} ${type.padEnd(9)} ${status}${lasted}`,
    attempts > 1 ? `${attempts} attempts` : '',
    port ? `→ ${port}` : '',
    failure ? `${failure.code}: ${failure.message}` : '',
    output === undefined ? '' : excerpt(output),
  ];
  return about.filter(Boolean).join('  ');
}
