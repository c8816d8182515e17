import { ask, block, type Block, line, respond } from './support/graphs.ts';
import { Receiver } from './support/receiver.ts';
import { Stack, until } from './support/stack.ts';
import { weigh } from './support/weights.ts';
import { testInWhole } from '#libs/platform/settings/support/whole';

let receiver: Receiver;
let stack: Stack;
beforeAll(async () => {
  receiver = await Receiver.start();
});
afterEach(() => stack?.stop());
afterAll(() => receiver?.stop());

const loop = (count: number, ...body: Block[]) => block('each', 'loop', { count }, { body: line(...body) });
const call = block('call', 'http', { method: 'POST', url: '{{ start.url }}/{{ loop.index }}' });
const nap = (duration: number) => block('nap', 'wait', { duration });
const question = ask('ask');
const inputs = { start: { inputs: { url: { type: 'string' }, big: { type: 'string' } } } };

test('a loop of 2,000 passes over three blocks goes through several histories and carries no more at their ends', async () => {
  stack = await Stack.start({ ROLES: 'api', HISTORY_EVENTS_MAX: '60' });
  const add = (id: string, by: string) => block(id, 'variables', { set: { n: `{{ vars.n + ${by} }}` } });
  const when = (id: string, test: string) => ({
    id,
    type: 'condition',
    cases: [{ port: 'yes', when: test }],
  });
  const body = {
    // A timer in each fortieth pass makes the history long: all else costs hardly an event.
    blocks: [add('inc', '1'), when('fortieth', 'loop.index % 40 == 0'), nap(0.05), add('more', '10')],
    edges: [
      { from: 'start', to: 'inc' },
      { from: 'inc', to: 'fortieth' },
      { from: 'fortieth', port: 'yes', to: 'nap' },
      { from: 'fortieth', port: 'else', to: 'more' },
      { from: 'nap', to: 'more' },
    ],
  };
  const workflowId = await stack.givenDeployed({
    ...inputs,
    variables: { n: { type: 'number', initial: 0 } },
    ...line(block('each', 'loop', { count: 2000 }, { body }), respond('{{ vars.n }}')),
  });
  const { body: answer } = await stack.execute(workflowId);
  expect(answer).toMatchObject({ status: 'completed', output: 22_000 });
  const { histories, largest, failedTasks } = await weigh(await stack.temporal(), answer.executionId);
  expect(failedTasks).toEqual([]);
  expect(histories).toBeGreaterThan(1);
  // The first event of a history is its largest. It does not grow with the passes.
  expect(largest.bytes).toBeLessThan(8192);
  const blocks = await stack.blockLog(workflowId, answer.executionId);
  expect(blocks).toHaveLength(8002);
});

testInWhole(
  'runs of 300 events and of megabytes that no process holds any more are taken up, and no call is made twice',
  async () => {
    // A history is long when a timer follows each call.
    stack = await Stack.start({ ROLES: 'api' });
    receiver.received.length = 0;
    const names = [1, 2, 3, 4, 5].map((n) => `v${n}`);
    const set = Object.fromEntries(names.map((name) => [name, '{{ start.big.substring(0, 3900) }}']));
    const many = await stack.givenDeployed({
      ...inputs,
      ...line(loop(55, call, nap(0.05)), question, respond('{{ ask.ok }}')),
    });
    const large = await stack.givenDeployed({
      ...inputs,
      variables: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
      ...line(loop(215, block('set', 'variables', { set })), question, respond('{{ size(vars.v5) }}')),
    });
    const paused = [
      await stack.givenPaused(many, { url: receiver.url('') }),
      await stack.givenPaused(large, { big: 'b'.repeat(20_000) }),
    ];
    await Promise.all([stack.worker.kill(), stack.api.kill()]);
    await Promise.all([stack.startApi(), stack.startWorker()]);
    const answers = await Promise.all(
      paused.map(({ apiUrl }) => stack.post(apiUrl, { input: { ok: true } })),
    );
    expect(answers.map(({ body }) => body.output)).toEqual([true, 3900]);
    expect(receiver.received.map(({ path }) => path)).toEqual(Array.from({ length: 55 }, (_, i) => `/${i}`));
    const client = await stack.temporal();
    const [first, second] = await Promise.all(paused.map(({ executionId }) => weigh(client, executionId)));
    expect([first?.failedTasks, second?.failedTasks]).toEqual([[], []]);
    expect(first?.events).toBeGreaterThan(300);
    // Its megabytes are in the rows, and its history tells of none.
    expect(second?.totalBytes).toBeLessThan(100_000);
  },
);

testInWhole('runs that are dropped from the cache again and again end as if they were held', async () => {
  stack = await Stack.start({ ROLES: 'api', CACHED_RUNS_MAX: '2' });
  receiver.received.length = 0;
  const workflowId = await stack.givenDeployed({
    ...inputs,
    ...line(loop(3, call, nap(0.2)), respond('{{ each.count }}')),
  });
  const started = await Promise.all(
    Array.from({ length: 6 }, (_, i) =>
      stack.execute(workflowId, { inputs: { url: receiver.url(`/${i}`) }, async: true }),
    ),
  );
  const jobs = await Promise.all(
    started.map(({ body }) =>
      until(
        () => stack.get(`/api/jobs/${body.jobId}?wait=60`),
        (job) => job.body.status !== 'processing' && job.body.status !== 'queued',
      ),
    ),
  );
  expect(jobs.map(({ body }) => [body.status, body.output])).toEqual(jobs.map(() => ['completed', 3]));
  expect(new Set(receiver.received.map(({ path }) => path)).size).toBe(18);
  expect(receiver.received).toHaveLength(18);
});
