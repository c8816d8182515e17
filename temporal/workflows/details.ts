import type { VisitEntry } from '#libs/engine/effects';

const signs: Record<VisitEntry['status'], string> = {
  running: '▶',
  paused: '⏸',
  completed: '✔',
  failed: '✖',
  skipped: '–',
  cancelled: '◼',
  expired: '⌛',
};

/** The block table that an operator sees in the Temporal UI beside the history. */
export function blockTable(status: string, detailUrl: string, entries: Iterable<VisitEntry>): string {
  const rows = [...entries].map(
    ({ name, blockId, type, status: state, attempts, failure }) =>
      `| ${signs[state]} ${state} | ${cell(name)} | \`${blockId}\` | ${type} | ${attempts} | ${cell(failure?.message ?? '')} |`,
  );
  return [
    `**${status}** · [execution](${detailUrl})`,
    '',
    '| state | block | id | type | attempts | |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ').slice(0, 120);
}
