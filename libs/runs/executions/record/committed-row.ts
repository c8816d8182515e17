import type { RunRecord } from '#temporal/activities';
import type { AcceptedExecution } from '../accept/accepted-execution.ts';
import type { Execution } from '../execution.entity.ts';

/** Returns the row of an execution as the record has just written it, so that nobody needs to read it. */
export function toCommittedRow(
  { executionId, acceptedAtMs, madeFrom = null, isTest = false, ...about }: AcceptedExecution,
  { status, outcome, startedAtMs, endedAtMs }: RunRecord,
  createdAt = new Date(acceptedAtMs),
): Execution {
  return {
    ...about,
    id: executionId,
    status,
    parentId: null,
    rootId: null,
    depth: 0,
    output: outcome?.output ?? null,
    failure: outcome && 'failure' in outcome ? outcome.failure : null,
    response: (outcome && 'response' in outcome && outcome.response) || null,
    createdAt,
    startedAt: new Date(startedAtMs),
    completedAt: endedAtMs === undefined ? null : new Date(endedAtMs),
    // It is with nobody else, so no hold keeps it back.
    nextDeliveryAt: new Date(acceptedAtMs),
    cancelRequestedAt: null,
    retriedAt: null,
    batchedInto: null,
    madeFrom,
    isTest,
  };
}
