import type { VisitRow } from '#libs/runs/executions/execution.entity';

/** A block of a run, and the blocks that ran inside it. */
export interface TraceSpan {
  id: string;
  blockId: string;
  name: string;
  type: string;
  status: 'success' | 'error' | 'running' | 'cancelled';
  startTime: string;
  endTime: string | null;
  duration: number | null;
  children: TraceSpan[];
}

type SpanSource = Pick<VisitRow, 'path' | 'blockId' | 'name' | 'type' | 'status' | 'startedAt' | 'endedAt'>;

const statuses: Record<string, TraceSpan['status']> = {
  completed: 'success',
  failed: 'error',
  cancelled: 'cancelled',
};

/**
 * The blocks as a tree, in their order: `call@each[3]/fan[0]` ran inside `fan@each[3]`. A block whose container is
 * missing is at the top.
 */
export function buildSpans(blocks: SpanSource[]): TraceSpan[] {
  const spans = new Map(blocks.map((block) => [block.path, toSpan(block)]));
  const roots: TraceSpan[] = [];
  for (const [path, span] of spans) (spans.get(getContainer(path))?.children ?? roots).push(span);
  return roots;
}

function getContainer(path: string): string {
  const [, frame = ''] = path.split('@');
  const passes = frame.split('/');
  const id = passes.pop()?.replace(/\[\d+\]$/, '') ?? '';
  return passes.length > 0 ? `${id}@${passes.join('/')}` : id;
}

function toSpan({ path, blockId, name, type, status, startedAt, endedAt }: SpanSource): TraceSpan {
  return {
    id: path,
    blockId,
    name,
    type,
    status: statuses[status] ?? 'running',
    startTime: startedAt.toISOString(),
    endTime: endedAt?.toISOString() ?? null,
    duration: endedAt ? endedAt.getTime() - startedAt.getTime() : null,
    children: [],
  };
}
