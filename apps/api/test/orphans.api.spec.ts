import { WorkflowNotFoundError } from '@temporalio/client';
import pg from 'pg';
import { pure } from './support/definitions.ts';
import { ask, block, line } from './support/graphs.ts';
import { Stack, until } from './support/stack.ts';

/** Children that their parents have left behind. */
let stack: Stack;
let rows: pg.Client;
beforeAll(async () => {
  stack = await Stack.shared();
  rows = new pg.Client({ connectionString: stack.env.DATABASE_URL });
  await rows.connect();
});
afterAll(async () => {
  await rows.end();
  await stack.stop();
});

const pathOf = (workflow: string, id: string) => `/api/workflows/${workflow}/executions/${id}`;
const statusOf = async (workflow: string, id: string) =>
  (await stack.get(pathOf(workflow, id))).body.status as string;

/** The row of a child as its parent commits it before it starts the child. */
async function givenUnstarted(parentId: string, id: string): Promise<string> {
  await rows.query(unstarted, [parentId, id]);
  return id;
}

const unstarted = `
insert into executions (id, workspace_id, workflow_id, workflow_name, version, plan_hash, mode, trigger, actor, inputs,
  parent_id, root_id, depth)
select $2, workspace_id, workflow_id, workflow_name, version, plan_hash, mode, 'workflow', actor, inputs, id, id, 1
from executions where id = $1`;

test('a child whose parent ended before its start is cancelled, and is never started without it', async () => {
  const workflow = await stack.givenDeployed(pure);
  const { body: parent } = await stack.execute(workflow, { inputs: { amount: 1 } });
  const left = await givenUnstarted(parent.executionId, `exec_${'1'.repeat(32)}`);
  const cancelled = await givenUnstarted(parent.executionId, `exec_${'2'.repeat(32)}`);
  expect((await stack.post(`${pathOf(workflow, cancelled)}/cancel`)).status).toBe(202);
  for (const id of [left, cancelled]) {
    await until(
      () => statusOf(workflow, id),
      (status) => status !== 'queued',
    );
    expect(await statusOf(workflow, id)).toBe('cancelled');
    const run = (await stack.temporal()).workflow.getHandle(id);
    await expect(run.describe()).rejects.toThrow(WorkflowNotFoundError);
  }
});

test('the pauses of a child that was terminated leave the deadline of its root', async () => {
  const params = { title: 'Inside?', expiresAfter: 3600, onExpiry: 'fail' };
  const inner = await stack.givenDeployed(line(block('inside', 'human', params)));
  const outer = line(block('sub', 'workflow', { workflowId: inner }), ask('outside'));
  const edges = [
    { from: 'start', to: 'sub' },
    { from: 'sub', port: 'error', to: 'outside' },
  ];
  const workflow = await stack.givenDeployed({ ...outer, edges });
  const { body } = await stack.execute(workflow, { async: true });
  const child = await until(
    async () =>
      (await rows.query('select id, status from executions where parent_id = $1', [body.executionId]))
        .rows[0],
    (row) => row?.status === 'paused',
  );
  await (await stack.runOf(child.id)).terminate();
  await until(
    () => statusOf(inner, child.id),
    (status) => status === 'failed',
  );
  const found = await until(
    async () => (await rows.query(counts, [body.executionId])).rows[0],
    (row) => row.total_pause_count === 2,
  );
  expect(found).toEqual({ total_pause_count: 2, expires_at: null });
});

const counts = 'select total_pause_count, expires_at from paused_executions where execution_id = $1';
