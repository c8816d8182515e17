import { effectTypes } from '#libs/language/definition/blocks/registry';
import type { VisitEntry } from '#libs/language/engine/effects';
import { blocks, blockSeconds, executionSeconds, settled } from '#libs/platform/telemetry/metrics/metrics';
import { isRecorded, noteSpan } from '#libs/platform/telemetry/tracing/tracing';
import type { RunRecord } from '#temporal/activities';
import { blockSpan, buildSpanId } from './block-spans.ts';

const callsOut = new Set<string>(effectTypes);

/**
 * Counts the visits and the outcome of a record. Blocks that ran inside the workflow task become spans here, with
 * their recorded times, because the workflow itself writes no traces. A block that called out already has a span for
 * each attempt.
 */
export function countRecord(change: RunRecord): void {
  const { status, visits, executionId, acceptedAtMs, endedAtMs } = change;
  if (status !== 'running') settled.inc({ status });
  if (acceptedAtMs !== undefined && endedAtMs !== undefined)
    executionSeconds.observe({ status }, secondsFrom(acceptedAtMs, endedAtMs));
  const recorded = isRecorded();
  for (const visit of visits) {
    if (visit.endedAtMs === null) continue;
    blocks.inc({ type: visit.type, status: visit.status });
    if (!callsOut.has(visit.type)) {
      if (recorded) noteVisit(visit, visit.endedAtMs, executionId);
    } else if (visit.status !== 'skipped')
      blockSeconds.observe({ type: visit.type }, secondsFrom(visit.startedAtMs, visit.endedAtMs));
  }
}

/** Never negative: the times may come from two machines. */
const secondsFrom = (fromMs: number, toMs: number) => Math.max(0, toMs - fromMs) / 1000;

function noteVisit(
  { type, path, startedAtMs, failure }: VisitEntry,
  endedAtMs: number,
  executionId: string,
): void {
  const about = { ...blockSpan(executionId, path), id: buildSpanId(executionId, path) };
  noteSpan(`block ${type}`, { ...about, startedAtMs, endedAtMs, failure: failure?.code });
}
