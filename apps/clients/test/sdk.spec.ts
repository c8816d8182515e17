import { Stack, until } from '#apps/api/test/support/stack';
import { Holdfast, NotFoundError } from '#libs/sdk/src/holdfast';
import { asking } from './asking.ts';

let stack: Stack;
let client: Holdfast;

beforeAll(async () => {
  // Of its own, because it kills the API.
  stack = await Stack.start();
  client = new Holdfast({ baseUrl: stack.url, apiKey: stack.home.key, workspaceId: stack.home.id });
});
afterAll(() => stack.stop());

describe('a workflow that asks a person', () => {
  let workflowId: string;
  beforeAll(async () => {
    ({ id: workflowId } = await client.workflows.create({ name: 'Ask', definition: asking }));
    await client.deployments.deploy(workflowId);
  });

  test('a workflow that asks a person pauses, is answered, and ends', async () => {
    const paused = await client.workflows.execute(workflowId);
    expect(paused.status).toBe('paused');
    const contextId = paused.paused?.pausePoints[0]?.contextId ?? '';
    const answered = await client.pauses.answer(workflowId, paused.executionId, contextId, {
      input: { ship: true },
    });
    expect(answered.output).toEqual({ ship: true });
  });

  test.each([false, true])(
    'a workflow that asks a person is waited for while a handler answers it, polling: %s',
    async (poll) => {
      const { jobId } = await client.workflows.start(workflowId);
      const states: string[] = [];
      const job = await client.executions.wait(jobId, {
        poll,
        onState: ({ status, paused }) => states.push(paused ? 'paused' : status),
        onPause: (pause) => pause.answer({ ship: false }),
      });
      expect(job).toMatchObject({ status: 'completed', output: { ship: false } });
      expect(states).toContain('paused');
    },
  );

  test.each([false, true])(
    'a workflow that asks a person is paused for who waits without a handler, polling: %s',
    async (poll) => {
      const { jobId } = await client.workflows.start(workflowId);
      const job = await client.executions.wait(jobId, { poll });
      expect(job).toMatchObject({ status: 'paused', paused: { pausePoints: [{ blockId: 'ask' }] } });
    },
  );
});

test('a call that must name its workspace takes the only one that the key reaches', async () => {
  const { baseUrl, apiKey } = { baseUrl: stack.url, apiKey: stack.home.key };
  const columns = [{ name: 'name', type: 'string' as const }];
  const { table } = await client.tables.create({ name: 'only', schema: { columns } });
  const { items } = await new Holdfast({ baseUrl, apiKey }).tables.list();
  expect(items.map(({ id }) => id)).toContain(table.id);
  const other = await stack.givenWorkspace('another');
  const several = new Holdfast({ baseUrl, apiKey: stack.personalKey });
  await expect(several.tables.list()).rejects.toThrow(`${other.id} (another)`);
});

test('an execution whose API is killed is sent again, and runs once', async () => {
  const definition = {
    blocks: [
      { id: 'rest', type: 'wait', params: { duration: 2 } },
      { id: 'done', type: 'response', params: { data: { ok: true } } },
    ],
    edges: [
      { from: 'start', to: 'rest' },
      { from: 'rest', to: 'done' },
    ],
  };
  const { id } = await client.workflows.create({ name: 'Rest', definition });
  await client.deployments.deploy(id);
  const call = client.workflows.execute(id, {}, { maxRetries: 20 });
  const executions = () => client.logs.list({ workflowIds: id }).toArray();
  await until(executions, (found) => found.length > 0);
  await stack.api.kill('SIGKILL');
  await stack.startApi();
  expect(await call).toMatchObject({ success: true, status: 'completed', output: { ok: true } });
  expect(await executions()).toHaveLength(1);
});

test('a missing thing is an error with status, code and request id', async () => {
  const error = await client.workflows.get('wf_none').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(NotFoundError);
  expect(error).toMatchObject({ status: 404, code: 'NOT_FOUND', requestId: expect.any(String) });
});
