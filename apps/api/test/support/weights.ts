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
  let runId: string | undefined = (await client.workflow.getHandle(executionId).describe()).runId;
  for (; runId; weights.histories++) {
    const events = await eventsIn(client, executionId, runId);
    for (const event of events) {
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
    runId = events[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
  }
  return { ...weights, failedTasks };
}

/** In small pages, which are counted in tasks: a page of the SDK may be larger than the message that its client takes. */
async function eventsIn(client: Client, workflowId: string, runId: string) {
  const events: proto.temporal.api.history.v1.IHistoryEvent[] = [];
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const execution = { workflowId, runId };
    const page = await client.connection.workflowService.getWorkflowExecutionHistory({
      namespace: 'default',
      execution,
      nextPageToken,
      maximumPageSize: 3,
    });
    events.push(...(page.history?.events ?? []));
    nextPageToken = page.nextPageToken;
  } while (nextPageToken.length > 0);
  return events;
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
