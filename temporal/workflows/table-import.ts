import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
} from '@temporalio/workflow';
import type { ImportActivities, ImportKey } from '#temporal/activities';

const retry = { initialInterval: '500ms', maximumInterval: '30s' } as const;

/**
 * Imports one file into a table. The rows hold its progress, so the activity may be repeated while a database is away.
 * Its heartbeat carries the number of finished lines.
 */
export async function tableImport({ queue, ...key }: ImportKey & { queue: string }): Promise<string> {
  const taskQueue = `${queue}-imports`;
  const { importRows } = proxyActivities<ImportActivities>({
    taskQueue,
    retry,
    heartbeatTimeout: '8s',
    startToCloseTimeout: '1 day',
  });
  const { failImport } = proxyActivities<ImportActivities>({ taskQueue, retry, startToCloseTimeout: '1m' });
  setCurrentDetails('The heartbeat of `importRows` says how many lines are dealt with.');
  try {
    await importRows(key);
    return 'ended';
  } catch (error) {
    const message = reasonOf(error);
    await CancellationScope.nonCancellable(() => failImport(key, message));
    setCurrentDetails(`Failed: ${message}`);
    return 'failed';
  }
}

function reasonOf(error: unknown): string {
  if (isCancellation(error)) return 'An operator ended the import.';
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure ? cause.message : 'The file could not be imported in time.';
}
