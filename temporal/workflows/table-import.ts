import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { ImportActivities, ImportKey } from '#temporal/activities';
import { retry, runJob } from './jobs.ts';

const sentences = {
  cancelled: 'An operator ended the import.',
  late: 'The file could not be imported in time.',
};

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
  const work = async () => {
    await importRows(key);
    return 'ended';
  };
  return runJob(work, (_, message) => failImport(key, message), sentences);
}
