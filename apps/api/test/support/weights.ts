import { describeRun } from './stack.ts';
import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';

const { WorkflowTaskFailedCause } = proto.temporal.api.enums.v1;
/**
 * Temporal itself fails these tasks: one during which a hundred events arrived, and one that would close a run with new
 * events.
 */
const passing = [
  WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_FORCE_CLOSE_COMMAND,
  WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND,
];

/** The sizes of everything that Temporal stores about a run, over all of its histories. */
export interface Weights {
  /** The size and the place of the largest payload, in bytes. */
  largest: { bytes: number; where: string };
  /** The longest text outside of payloads, in bytes. */
  longestText: number;
  totalBytes: number;
  events: number;
  histories: number;
  /** Causes of workflow tasks that failed. */
  failedTasks: string[];
}

/** Weighs every payload of every history of the execution, from the last history to the first. */
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
        // A busy machine stops a task that takes five seconds; it is tried again, and says nothing about sizes.
        if (!failed.failure?.message?.includes('Script execution timed out'))
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
