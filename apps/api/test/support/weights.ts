import { describeRun } from './stack.ts';
import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';

const { WorkflowTaskFailedCause } = proto.temporal.api.enums.v1;
/** Temporal itself ends a task when a hundred events came meanwhile, and one that would close a run of which more came. */
const passing = [
  WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_FORCE_CLOSE_COMMAND,
  WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND,
];

/** What Temporal holds of a run, over all of its histories. */
export interface Weights {
  /** Bytes of the largest payload, and where it lies. */
  largest: { bytes: number; where: string };
  /** Bytes of the longest text beside payloads. */
  longestText: number;
  totalBytes: number;
  events: number;
  histories: number;
  /** Causes of workflow tasks that failed. */
  failedTasks: string[];
}

/** Weighs every payload of every history of the execution, from the last to the first. */
export async function weigh(client: Client, executionId: string): Promise<Weights> {
  const weights = {
    largest: { bytes: 0, where: '' },
    longestText: 0,
    totalBytes: 0,
    events: 0,
    histories: 0,
  };
  const failedTasks: string[] = [];
  let runId: string | undefined = (await describeRun(client, executionId)).runId;
  for (; runId; weights.histories++) {
    const { events } = await client.workflow.getHandle(executionId, runId).fetchHistory();
    for (const event of events ?? []) {
      weights.events++;
      const failed = event.workflowTaskFailedEventAttributes;
      if (failed && !passing.includes(failed.cause ?? 0))
        failedTasks.push(`${String(failed.cause)}: ${failed.failure?.message ?? ''}`);
      for (const { kind, bytes, where } of parts(event, `${weights.events}`)) {
        weights.totalBytes += bytes;
        if (kind === 'text') weights.longestText = Math.max(weights.longestText, bytes);
        else if (bytes > weights.largest.bytes) weights.largest = { bytes, where };
      }
    }
    runId = events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
  }
  return { ...weights, failedTasks };
}

interface Part {
  kind: 'payload' | 'text';
  bytes: number;
  where: string;
}

function parts(value: unknown, where: string): Part[] {
  if (typeof value === 'string') return [{ kind: 'text', bytes: Buffer.byteLength(value), where }];
  if (value instanceof Uint8Array) return [{ kind: 'payload', bytes: value.byteLength, where }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => parts(member, `${where}.${name}`));
}
