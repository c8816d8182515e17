import {
  type Workflow,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowStartOptions,
} from '@temporalio/client';
import type { TemporalClient } from './temporal-client.ts';

/** The longest wait of a caller for Temporal. */
const hintMsMax = 2000;

/**
 * Starts at once what is committed already. Nobody waits long for Temporal: when it is away, the outbox does the start later.
 */
export async function startSoon(temporal: TemporalClient, start: () => Promise<void>): Promise<void> {
  await temporal.client.withDeadline(Date.now() + hintMsMax, start).catch(() => undefined);
}

/**
 * Starts a workflow whose id stands for its work; nothing when it runs already. One that failed or was ended by hand may start again:
 * the rows say whether there is something to do.
 */
export async function startOnce<T extends Workflow>(
  temporal: TemporalClient,
  workflow: string,
  options: WorkflowStartOptions<T>,
): Promise<void> {
  try {
    await temporal.client.workflow.start<T>(workflow, {
      ...options,
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'FAIL',
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
