import type { JsonObject } from '#libs/platform/json/json';
import { cutText } from '#libs/platform/text/whole-text';
import type { VisitEntry } from './effects.ts';

/** The summary of one block: its last visit, and its number of visits. */
export interface BlockLine {
  path: string;
  blockId: string;
  name: string;
  type: string;
  status: VisitEntry['status'];
  attempts: number;
  visits: number;
  /** The first words of its last failure. */
  failure: string;
}

/** The blocks of a run in the order of their first visits. The list never grows beyond the blocks of the definition. */
export class BlockLines {
  private readonly lines: Map<string, BlockLine>;

  constructor(lines: BlockLine[] = []) {
    this.lines = new Map(lines.map((line) => [line.blockId, line]));
  }

  get all(): BlockLine[] {
    return [...this.lines.values()];
  }

  /** Takes newer summaries. */
  merge(lines: BlockLine[]): void {
    for (const line of lines) this.lines.set(line.blockId, line);
  }

  note({ path, blockId, name, type, status, attempts, failure }: VisitEntry): void {
    const line = this.lines.get(blockId);
    const visits = (line?.visits ?? 0) + (line?.path === path ? 0 : 1);
    const excerpt = cutText(failure?.message ?? '', 120);
    this.lines.set(blockId, { path, blockId, name, type, status, attempts, visits, failure: excerpt });
  }
}

/** The run's public state. The run never reads it. */
export function buildSnapshot(
  { workflowId, version, planHash }: { workflowId: string; version: number; planHash: string },
  lines: BlockLine[],
  variables: JsonObject,
): JsonObject {
  const blocks = lines.map(({ path, blockId, type, status, attempts }) => ({
    path,
    blockId,
    type,
    status,
    attempts,
  }));
  return { workflowId, version, planHash, blocks, variables };
}

/** The icon of each status of a visit, in a table of text. */
export const statusIcons: Record<VisitEntry['status'], string> = {
  running: '▶',
  paused: '⏸',
  completed: '✔',
  failed: '✖',
  skipped: '–',
  cancelled: '◼',
  expired: '⌛',
};
