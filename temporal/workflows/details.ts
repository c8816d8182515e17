import { type BlockLines, statusIcons } from '#libs/language/engine/block-lines';
import { cutText } from '#libs/platform/text/whole-text';

/** The block table that operators see beside the history in the Temporal UI. */
export function blockTable(status: string, detailUrl: string, blocks: BlockLines): string {
  const rows = blocks.all.map(
    ({ name, blockId, type, status: state, attempts, visits, failure }) =>
      `| ${statusIcons[state]} ${state} | ${cell(name)} | \`${blockId}\` | ${type} | ${visits} | ${attempts} | ${cell(failure)} |`,
  );
  return [
    `**${status}** · [execution](${detailUrl})`,
    '',
    '| state | block | id | type | visits | attempts | |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function cell(text: string): string {
  return cutText(text.replaceAll('|', '\\|').replaceAll(/[\r\n]/g, ' '), 120);
}
