import type { VisitEntry } from '#libs/engine/effects';
import { statusIcons } from '#libs/engine/status-icons';
import type { JsonObject } from '#libs/definition/values';
import type { BlockLine, ExecutionInput } from '#temporal/messages';

/** The blocks of a run in the order of their first visits: as many as the definition has and never more. */
export class Blocks {
  private readonly lines: Map<string, BlockLine>;

  constructor(lines: BlockLine[] = []) {
    this.lines = new Map(lines.map((line) => [line.blockId, line]));
  }

  get all(): BlockLine[] {
    return [...this.lines.values()];
  }

  note({ path, blockId, name, type, status, attempts, failure }: VisitEntry): void {
    const known = this.lines.get(blockId);
    const visits = (known?.visits ?? 0) + (known?.path === path ? 0 : 1);
    const said = failure?.message.slice(0, 120) ?? '';
    this.lines.set(blockId, { path, blockId, name, type, status, attempts, visits, failure: said });
  }
}

/** The block table that an operator sees in the Temporal UI beside the history. */
export function blockTable(status: string, detailUrl: string, blocks: Blocks): string {
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

/** The run's public state. The run never reads it. */
export function snapshotOf(
  { workflowId, version, planHash }: ExecutionInput,
  all: Blocks,
  variables: JsonObject,
): JsonObject {
  const blocks = all.all.map(({ path, blockId, type, status, attempts }) => ({
    path,
    blockId,
    type,
    status,
    attempts,
  }));
  return { workflowId, version, planHash, blocks, variables };
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ').slice(0, 120);
}
