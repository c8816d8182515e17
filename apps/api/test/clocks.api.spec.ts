import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Stack, until } from './support/stack.ts';

const preload = pathToFileURL(resolve('dist/apps/faults/src/preload.js')).href;
/** An hour, by which the clock of the worker is wrong. */
const hourMs = 3_600_000;

describe.each([
  ['ahead', hourMs],
  ['behind', -hourMs],
])('a worker whose clock is an hour %s', (which, byMs) => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start({}, { worker: false });
  });
  afterAll(() => stack?.stop());

  test(`a worker whose clock is an hour ${which} starts each moment of a schedule, and ends a wait in time, from its first act on`, async () => {
    const response = { id: 'done', type: 'response', params: { data: '{{ start.n }}' } };
    const start = { inputs: { n: { type: 'number', default: 7 } } };
    const scheduled = await stack.givenDeployed({
      start,
      blocks: [response],
      edges: [{ from: 'start', to: 'done' }],
    });
    const triggers = `/api/v1/workflows/${scheduled}/triggers`;
    const schedule = { everySeconds: 1, maxRuns: 2, overlap: 'allow_all' };
    const made = await stack.post(triggers, { kind: 'schedule', name: 'Each second', schedule, inputs: {} });
    const waiting = await stack.givenDeployed({
      start,
      blocks: [{ id: 'nap', type: 'wait', params: { duration: 1 } }, response],
      edges: [
        { from: 'start', to: 'nap' },
        { from: 'nap', to: 'done' },
      ],
    });
    const run = await stack.execute(waiting, { async: true });
    await stack.startWorker({
      NODE_OPTIONS: `--import=${preload}`,
      HOLDFAST_FAULTS_WORKER_AHEAD_MS: String(byMs),
    });
    const trigger = `${triggers}/${made.body.data.id}`;
    await until(
      () => stack.get(trigger),
      ({ body }) => body.data.status === 'ended',
    );
    const deliveries = (await stack.get(`${trigger}/deliveries`)).body.data;
    expect(deliveries.map(({ verdict }: { verdict: string }) => verdict)).toEqual(['accepted', 'accepted']);
    const ended = await until(
      () => stack.get(`/api/jobs/${run.body.jobId}?wait=5`),
      ({ body }) => body.status !== 'running' && body.status !== 'queued',
    );
    expect(ended.body).toMatchObject({ status: 'completed', output: 7 });
  });
});
