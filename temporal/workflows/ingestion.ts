import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { DocumentKey, IngestionActivities } from '#temporal/activities';
import { retry, runJob } from './jobs.ts';

const sentences = {
  cancelled: 'An operator ended the processing.',
  late: 'The document could not be processed in time.',
};

/**
 * Processes one document: reads it, embeds its chunks, and then shows all of them at once. A document that cannot be
 * processed fails with a reason. A document that was deleted or changed meanwhile needs nothing more.
 */
export async function ingestion({ queue, ...key }: DocumentKey & { queue: string }): Promise<string> {
  const taskQueue = `${queue}-knowledge`;
  const long = { retry, heartbeatTimeout: '10s' } as const;
  const { readDocument } = proxyActivities<IngestionActivities>({
    ...long,
    taskQueue,
    startToCloseTimeout: '30m',
  });
  const { embedDocument } = proxyActivities<IngestionActivities>({
    ...long,
    taskQueue: `${taskQueue}-embed`,
    startToCloseTimeout: '1 day',
  });
  const { showDocument, failDocument } = proxyActivities<IngestionActivities>({
    retry,
    taskQueue: `${taskQueue}-short`,
    startToCloseTimeout: '1m',
  });
  const work = async () => {
    setCurrentDetails('The document is read and cut into chunks.');
    const { characters, chunks } = await readDocument(key);
    setCurrentDetails(
      `${chunks} chunks of ${characters} characters are embedded; the heartbeat of \`embedDocument\` says how many are done.`,
    );
    await embedDocument(key);
    await showDocument(key, characters);
    setCurrentDetails(`${chunks} chunks are shown.`);
    return 'completed';
  };
  return runJob(work, (code, message) => failDocument(key, code, message), sentences);
}
