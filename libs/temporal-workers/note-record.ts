import { effectTypes } from '#libs/definition/blocks/registry';
import type { VisitEntry } from '#libs/engine/effects';
import { blocks, settled } from '#libs/metrics/metrics';
import { isRecorded, noteSpan } from '#libs/tracing/tracing';
import type { RunRecord } from '#temporal/activities';
import { blockSpan, spanIdOf } from './block-spans.ts';

const hasSpan = new Set<string>(effectTypes);

/**
 * Counts what a run has recorded. Blocks that ran inside the workflow task become spans here, by their recorded times: nothing
 * of the traces runs in the workflow itself. Those that called out have a span for each attempt already.
 */
export function noteRecord({ status, visits, executionId, claimed }: RunRecord): void {
  // Whoever took the answer has counted it.
  if (claimed.some(({ applied }) => applied)) return;
  if (status !== 'running') settled.inc({ status });
  const recorded = isRecorded();
  for (const visit of visits) {
    if (visit.endedAtMs === null) continue;
    blocks.inc({ type: visit.type, status: visit.status });
    if (recorded && !hasSpan.has(visit.type)) noteVisit(visit, visit.endedAtMs, executionId);
  }
}

function noteVisit(
  { type, path, startedAtMs, failure }: VisitEntry,
  endedAtMs: number,
  executionId: string,
): void {
  const about = { ...blockSpan(executionId, path), id: spanIdOf(executionId, path) };
  noteSpan(`block ${type}`, { ...about, startedAtMs, endedAtMs, failure: failure?.code });
}
