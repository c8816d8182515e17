import type { Client, WorkflowHandle } from '@temporalio/client';
import { pure } from '#apps/api/test/support/definitions';
import { block, line, respond } from '#apps/api/test/support/graphs';
import type { Receiver } from '#apps/api/test/support/receiver';
import { type Stack, until } from '#apps/api/test/support/stack';
import { Tables } from '#apps/api/test/support/tables';

/** The servers of a scenario. The receiver refuses the first two calls. */
export interface Ground {
  stack: Stack;
  receiver: Receiver;
  temporal: Client;
}

/**
 * One behaviour of the workflow code. Returns the id of a run that has this behaviour and ends. The recorder waits for
 * the end.
 */
export type Scenario = (ground: Ground) => Promise<string>;

async function run({ stack }: Ground, definition: object, inputs: object = {}): Promise<string> {
  const { body } = await stack.execute(await stack.givenDeployed(definition), { inputs });
  if (!body.executionId) throw new Error(JSON.stringify(body));
  return body.executionId;
}

/** A run that has ended where it was accepted, one with activities and timers, and the two kinds of jobs. */
export const scenarios: Record<string, Scenario> = {
  pure: (ground) => run(ground, pure, { amount: 5 }),

  retried: (ground) => {
    const params = { method: 'GET', url: ground.receiver.url('/twice') };
    const retry = { maxAttempts: 3, initialDelay: 1, backoff: 1 };
    return run(ground, line(block('one', 'http', params, { retry }), respond('done')));
  },

  document: async ({ stack }) => {
    const base = await stack.post('/api/v1/knowledge', { name: 'good.md' });
    const path = `/api/v1/knowledge/${base.body.data.knowledgeBase.id}/documents?wait=30`;
    const text = '# Title\n\nA text that is cut, embedded and shown.';
    const { body } = await stack.post(path, { filename: 'good.md', text });
    return `${body.data.document.id}-1`;
  },

  import: async ({ stack }) => {
    const table = await new Tables(() => stack).given();
    const path = `${table}/import?async=true`;
    const { body } = await stack.call('POST', path, 'email,score\na@example.org,1\n', {
      'content-type': 'text/csv',
    });
    return body.data.import.id;
  },
};

/** The handle of the run once Temporal has it. Temporal gets a run that paused or ended in the API a little later. */
export async function inTemporal({ workflow }: Client, executionId: string): Promise<WorkflowHandle> {
  const handle = workflow.getHandle(executionId);
  await until(
    () => handle.describe().then(Boolean, () => false),
    (isThere) => isThere,
  );
  return handle;
}
