import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
} from '@temporalio/workflow';
import type { DocumentKey, IngestionActivities } from '#temporal/activities';

/**
 * Every activity is retried while a database or a model is away. The activities count the attempts that ended their
 * worker, and give up themselves.
 */
const retry = { initialInterval: '500ms', maximumInterval: '30s' } as const;

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
  try {
    setCurrentDetails('The document is read and cut into chunks.');
    const { characters, chunks } = await readDocument(key);
    setCurrentDetails(
      `${chunks} chunks of ${characters} characters are embedded; the heartbeat of \`embedDocument\` says how many are done.`,
    );
    await embedDocument(key);
    await showDocument(key, characters);
    setCurrentDetails(`${chunks} chunks are shown.`);
    return 'completed';
  } catch (error) {
    const { code, message } = reasonOf(error);
    if (code === 'SUPERSEDED') return 'superseded';
    await CancellationScope.nonCancellable(() => failDocument(key, code, message));
    setCurrentDetails(`Failed: ${message}`);
    return 'failed';
  }
}

function reasonOf(error: unknown): { code: string; message: string } {
  if (isCancellation(error)) return { code: 'CANCELLED', message: 'An operator ended the processing.' };
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof ApplicationFailure)
    return { code: cause.type ?? 'PROCESSING_FAILED', message: cause.message };
  return { code: 'PROCESSING_FAILED', message: 'The document could not be processed in time.' };
}
