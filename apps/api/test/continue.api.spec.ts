import { Receiver } from './support/receiver.ts';
import { describeRun, Stack, until } from './support/stack.ts';

/** Runs with so short histories that a few calls make them go on in new ones. */
let stack: Stack;
let receiver: Receiver;
beforeAll(async () => {
  stack = await Stack.start({ ROLES: 'api', HISTORY_EVENTS_MAX: '60' });
  receiver = await Receiver.start();
});
afterAll(async () => {
  receiver?.stop();
  await stack?.stop();
});

/** A timer behind each call makes its history long. */
const nap = { id: 'nap', type: 'wait', params: { duration: 0.01 } };

const calls = (id: string, type: string, count: number) => ({
  id,
  type,
  params: { count, collect: '{{ fetch.status }}' },
  body: {
    blocks: [
      {
        id: 'fetch',
        type: 'http',
        params: { method: 'POST', url: receiver.url(`/{{ ${type === 'loop' ? 'loop' : 'branch'}.index }}`) },
      },
      nap,
    ],
    edges: [
      { from: 'start', to: 'fetch' },
      { from: 'fetch', to: 'nap' },
    ],
  },
});

const ask = {
  id: 'ask',
  type: 'human',
  params: { title: 'Go on?', expiresAfter: 'P1D', form: [{ name: 'ok', type: 'boolean', required: true }] },
};

/** The number of histories of a run. */
async function histories(executionId: string): Promise<number> {
  const client = await stack.temporal();
  const description = await describeRun(client, executionId);
  const first = description.raw.workflowExtendedInfo?.originalStartTime;
  expect(first).toBeDefined();
  let count = 0;
  for (let runId: string | undefined = description.runId; runId; count++) {
    const { events } = await client.workflow.getHandle(executionId, runId).fetchHistory();
    runId = events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
  }
  return count;
}

test.each(['loop', 'parallel'])(
  'a %s of calls goes on in new histories, and its caller is answered',
  async (type) => {
    receiver.received.length = 0;
    const workflowId = await stack.givenDeployed({
      blocks: [calls('each', type, 40), { id: 'done', type: 'response', params: { data: '{{ each }}' } }],
      edges: [
        { from: 'start', to: 'each' },
        { from: 'each', to: 'done' },
      ],
    });
    const { body } = await stack.execute(workflowId);
    expect(body).toMatchObject({ status: 'completed', output: { count: 40 } });
    expect(body.output.results).toEqual(Array.from({ length: 40 }, () => 200));
    const paths = receiver.received.map(({ path }) => path).toSorted();
    expect(paths).toEqual(Array.from({ length: 40 }, (_, i) => `/${i}`).toSorted());
    expect(await histories(body.executionId)).toBeGreaterThan(1);
    const { blocks } = (await stack.get(`/api/workflows/${workflowId}/executions/${body.executionId}`)).body;
    expect(blocks).toHaveLength(82);
  },
);

test('a parallel of children, of which one is always under way, goes on in new histories', async () => {
  const echo = { id: 'done', type: 'response', params: { data: '{{ start.n }}' } };
  const start = { inputs: { n: { type: 'number', required: true } } };
  const child = await stack.givenDeployed({ start, blocks: [echo], edges: [{ from: 'start', to: 'done' }] });
  const workflowId = await stack.givenDeployed({
    blocks: [
      {
        id: 'each',
        type: 'parallel',
        params: { count: 60, concurrency: 4, collect: '{{ call }}' },
        body: {
          blocks: [
            {
              id: 'call',
              type: 'workflow',
              params: { workflowId: child, inputs: { n: '{{ branch.index }}' } },
            },
          ],
          edges: [{ from: 'start', to: 'call' }],
        },
      },
      { id: 'done', type: 'response', params: { data: '{{ each.results }}' } },
    ],
    edges: [
      { from: 'start', to: 'each' },
      { from: 'each', to: 'done' },
    ],
  });
  const { body } = await stack.execute(workflowId, undefined, { prefer: 'wait=100' });
  expect(body).toMatchObject({ status: 'completed', output: Array.from({ length: 60 }, (_, i) => i) });
  expect(await histories(body.executionId)).toBeGreaterThan(1);
});

test('an open pause and its link are carried along, and answered once', async () => {
  const workflowId = await stack.givenDeployed({
    blocks: [
      ask,
      calls('each', 'loop', 20),
      { id: 'done', type: 'response', params: { data: '{{ ask.ok }}' } },
    ],
    edges: [
      { from: 'start', to: 'ask' },
      { from: 'start', to: 'each' },
      { from: 'ask', to: 'done' },
      { from: 'each', to: 'done' },
    ],
  });
  const { body } = await stack.execute(workflowId);
  expect(body.status).toBe('paused');
  await until(
    () => histories(body.executionId),
    (count) => count > 1,
  );
  const [point] = body.paused.pausePoints;
  const link = new URL(point.resumeLinks.apiUrl).pathname;
  const answers = await Promise.all([1, 2].map(() => stack.post(link, { input: { ok: true } })));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const detail = `/api/workflows/${workflowId}/executions/${body.executionId}`;
  const ended = await until(
    () => stack.get(detail),
    ({ body: { status } }) => status === 'completed',
  );
  expect(ended.body.output).toBe(true);
});
