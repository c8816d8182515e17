import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';
import { describeRun, until } from './stack.ts';

type HistoryEvent = proto.temporal.api.history.v1.IHistoryEvent;

const { ResetReapplyExcludeType } = proto.temporal.api.enums.v1;
const answerTypes = [
  ResetReapplyExcludeType.RESET_REAPPLY_EXCLUDE_TYPE_SIGNAL,
  ResetReapplyExcludeType.RESET_REAPPLY_EXCLUDE_TYPE_UPDATE,
];

export async function readEvents(client: Client, executionId: string): Promise<HistoryEvent[]> {
  await describeRun(client, executionId);
  return (await client.workflow.getHandle(executionId).fetchHistory()).events ?? [];
}

/** True when the event begins the activity of this block. */
export const begins = (blockId: string) => (event: HistoryEvent) =>
  event.activityTaskScheduledEventAttributes?.activityId === blockId;

/** True when the event is an answer that the run took. */
export const answersIt = (event: HistoryEvent) =>
  event.workflowExecutionSignaledEventAttributes?.signalName === 'resumeSignal';

/**
 * Does what `temporal workflow reset` does: makes a new Temporal run that continues from the end of the last workflow
 * task before the event. Returns the new run's id.
 */
export async function resetBefore(
  client: Client,
  executionId: string,
  matches: (event: HistoryEvent) => boolean,
  { withAnswers = true } = {},
): Promise<string> {
  const events = await readEvents(client, executionId);
  const at = events.findIndex(matches);
  // The task that made the event must run again.
  const task = events.slice(0, at + 1).findLast((event) => event.workflowTaskCompletedEventAttributes);
  if (at < 0 || !task?.eventId) throw new Error('There is no such event to reset to.');
  const { runId } = await describeRun(client, executionId);
  const answer = await client.connection.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId: executionId, runId },
    reason: 'an operator of the tests',
    requestId: `${executionId}-${runId}-${String(task.eventId)}`,
    workflowTaskFinishEventId: task.eventId,
    resetReapplyExcludeTypes: withAnswers ? [] : answerTypes,
  });
  return answer.runId;
}

/** Waits until the run has asked the rows once, so that its history has a task to go back to. */
export async function knowsRun(client: Client, executionId: string): Promise<void> {
  await until(
    () => readEvents(client, executionId),
    (events) => events.some((event) => event.workflowTaskCompletedEventAttributes),
  );
}

/** Waits until Temporal shows that the run waits for people, so that its history has a task between its call and its answer. */
export async function showsPause(client: Client, executionId: string): Promise<void> {
  await until(
    () => readEvents(client, executionId),
    (events) => events.some((event) => event.upsertWorkflowSearchAttributesEventAttributes),
  );
}

/** Waits until Temporal has closed the current run. The row is committed a moment earlier. */
export async function closed(client: Client, executionId: string): Promise<void> {
  await until(
    () => describeRun(client, executionId),
    ({ status }) => status.name !== 'RUNNING',
  );
}
