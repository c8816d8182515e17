import { Runtime } from '@temporalio/worker';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Stack, until } from '#apps/api/test/support/stack';

const dayMs = 24 * 3600 * 1000;

let time: TestWorkflowEnvironment;
let stack: Stack;
beforeAll(async () => {
  Runtime.install({ shutdownSignals: [], logger: { level: 'WARN' } as never });
  const path = process.env.HOLDFAST_TEST_TIMESKIPPING ?? '';
  time = await TestWorkflowEnvironment.createTimeSkipping({ server: { executable: { type: 'existing-path', path } } });
  stack = await Stack.start({ TEMPORAL_ADDRESS: time.address, START_MODE: 'update', ASYNC_TIMEOUT_S: '4' });
});
afterAll(async () => {
  await stack?.stop();
  await time?.teardown();
});

test('x', async () => {
  const wf = await stack.givenDeployed({
    blocks: [
      { id: 'month', type: 'wait', params: { duration: 'P30D' } },
      { id: 'done', type: 'response', params: { data: 'rested' } },
    ],
    edges: [
      { from: 'start', to: 'month' },
      { from: 'month', to: 'done' },
    ],
  });
  const { body } = await stack.execute(wf, { async: true });
  const h = time.client.workflow.getHandle(body.executionId);
  for (let i = 0; i < 4; i++) {
    const s = Date.now();
    const r = await h.result().catch((e) => String(e).slice(0, 100));
    const hist = await h.fetchHistory();
    console.log(i, Date.now() - s, r, hist.events?.map((e) => e.eventType + ' ' + new Date(Number(e.eventTime?.seconds) * 1000).toISOString()).join('\n'), await time.currentTimeMs().then((x) => new Date(x).toISOString()));
  }
  console.log((await stack.get(`/api/jobs/${body.jobId}`)).body, stack.worker.lines.slice(-5), stack.api.lines.slice(-5));
  void until; void dayMs;
});
