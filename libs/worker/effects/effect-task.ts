import { AsyncLocalStorage } from 'node:async_hooks';
import { Context } from '@temporalio/activity';

/** The task in which an attempt at an effect runs: an activity of Temporal, or a part of a run that this process carries out by itself. */
export interface EffectTask {
  signal: AbortSignal;
  /** How often the task was given to a worker, from 1. */
  attempt: number;
  /** The path of the visit. The second attempt that the author of the block asked for ends in `#2`, and so on. */
  id: string;
  /** The Temporal run; undefined when this process carries the run out by itself. */
  temporalRunId: string | undefined;
  /** When Temporal had the task for a worker, in milliseconds; undefined when this process carries the run out by itself. */
  scheduledAtMs: number | undefined;
  beat(path: string): void;
}

const directTask = new AsyncLocalStorage<EffectTask>();

/** Does the work of a task that Temporal does not know. */
export function runDirectTask<T>(task: EffectTask, work: () => T): T {
  return directTask.run(task, work);
}

/** The task of the current work. */
export function presentTask(): EffectTask {
  const direct = directTask.getStore();
  if (direct) return direct;
  const context = Context.current();
  const { attempt, activityId, workflowExecution, currentAttemptScheduledTimestampMs } = context.info;
  return {
    signal: context.cancellationSignal,
    attempt,
    id: activityId,
    temporalRunId: workflowExecution?.runId,
    scheduledAtMs: currentAttemptScheduledTimestampMs,
    beat: (path) => context.heartbeat(path),
  };
}

/** The number of the attempt as the block's author counts. An attempt after a lost worker has the same number. */
export function countedAttempt({ id }: EffectTask): number {
  return Number(/#(\d+)$/.exec(id)?.[1] ?? 1);
}
