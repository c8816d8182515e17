import {
  type Workflow,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowStartOptions,
} from '@temporalio/client';
import type { TemporalClient } from './temporal-client.ts';

/** The longest wait of a caller for Temporal, in milliseconds. */
const hintMsMax = 2000;

/**
 * Tries to start committed work at once, before its outbox does. Never rejects: when Temporal is unreachable, the outbox starts it later.
 */
export async function startSoon(temporal: TemporalClient, start: () => Promise<void>): Promise<void> {
  await temporal.client.withDeadline(Date.now() + hintMsMax, start).catch(() => undefined);
}

/**
 * Starts a Temporal workflow, unless one with the same id is running. A workflow that has ended or failed can start again, because the
 * rows of the database decide whether there is work to do.
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
