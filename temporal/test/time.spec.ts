import { DefaultLogger, Runtime } from '@temporalio/worker';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Receiver } from '#apps/api/test/support/receiver';
import { indexedTypes } from '#libs/platform/temporal-client/indexed-types';
import { Stack, until } from '#apps/api/test/support/stack';

const dayMs = 24 * 3600 * 1000;
const activeSMax = 3;

/** The product on a Temporal whose clock skips to the next timer while a test awaits the end of a run. */
let time: TestWorkflowEnvironment;
let stack: Stack;
beforeAll(async () => {
  Runtime.install({ shutdownSignals: [], logger: new DefaultLogger('ERROR') });
  const path = process.env.HOLDFAST_TEST_TIMESKIPPING ?? '';
  const executable = { type: 'existing-path', path } as const;
  time = await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } });
  // This server starts a run only in part when a search attribute is unknown.
  await time.connection.operatorService.addSearchAttributes({
    namespace: 'default',
    searchAttributes: indexedTypes,
  });
  stack = await Stack.start({
    // Temporal's clock is ahead of the API's clock here.
    INLINE_MAX_MS: '0',
    TEMPORAL_ADDRESS: time.address,
    ASYNC_TIMEOUT_S: String(activeSMax),
    DESCENDANTS_OPEN_MAX: '1',
    // The server's time is ahead of the rows' time, and this spec does not test the reconciler.
    RECONCILE_EVERY_MS: '3600000',
  });
});
afterAll(async () => {
  await stack?.stop();
  await time?.teardown();
});

const done = { id: 'done', type: 'response', params: { data: 'done' } };

/** A definition with the blocks one after the other. */
function line(...blocks: { id: string; type: string; params: object }[]) {
  const ids = ['start', ...blocks.map(({ id }) => id)];
  return { blocks, edges: blocks.map(({ id }, index) => ({ from: ids[index], to: id })) };
}

function ask(params: object) {
  const form = [
    { name: 'approved', type: 'boolean', default: false },
    { name: 'note', type: 'text', default: 'nobody was there' },
  ];
  return { id: 'ask', type: 'human', params: { title: 'Go on?', form, ...params } };
}

interface Begun {
  workflowId: string;
  executionId: string;
}

async function begin(definition: object): Promise<Begun> {
  const workflowId = await stack.givenDeployed(definition);
  const { body } = await stack.execute(workflowId, { async: true });
  const { executionId } = body;
  await known(executionId);
  return { workflowId, executionId };
}

/** Waits until Temporal has the run. */
const known = (executionId: string) =>
  until(
    () =>
      handle(executionId)
        .describe()
        .then(Boolean, () => false),
    Boolean,
  );

const handle = (executionId: string) => time.client.workflow.getHandle(executionId);

/** Lets time pass until the run has ended. Returns the API's answer about it. */
async function ended({ workflowId, executionId }: Begun) {
  await handle(executionId)
    .result()
    .catch(() => undefined);
  return (await stack.get(`/api/workflows/${workflowId}/executions/${executionId}`)).body;
}

/** The pause of a run, once the run has reached it. */
async function paused({ workflowId, executionId }: Begun) {
  const read = () => stack.get(`/api/resume/${workflowId}/${executionId}`);
  return (await until(read, ({ status }) => status === 200)).body;
}

/** The events of a run's timers. */
async function timersOf({ executionId }: Begun): Promise<string[]> {
  const { events } = await handle(executionId).fetchHistory();
  return (events ?? []).flatMap((event) => {
    if (event.timerStartedEventAttributes) return ['started'];
    if (event.timerFiredEventAttributes) return ['fired'];
    return event.timerCanceledEventAttributes ? ['cancelled'] : [];
  });
}

describe('a wait', () => {
  test('a wait ends after thirty days when it is thirty days long', async () => {
    const run = await begin(line({ id: 'month', type: 'wait', params: { duration: 'P30D' } }, done));
    const { status, output, blocks, metadata } = await ended(run);
    expect([status, output]).toEqual(['completed', 'done']);
    expect(blocks[0]).toMatchObject({ blockId: 'month', status: 'completed' });
    expect(metadata.duration).toBeGreaterThanOrEqual(30 * dayMs);
    expect(metadata.duration).toBeLessThan(30 * dayMs + 60_000);
  });

  test('until a time ends at that time', async () => {
    const moment = new Date((await time.currentTimeMs()) + 300 * dayMs).toISOString();
    const { status, blocks } = await ended(
      await begin(line({ id: 'then', type: 'wait', params: { until: moment } }, done)),
    );
    expect(status).toBe('completed');
    expect(Date.parse(blocks[0].endedAt)).toBeGreaterThanOrEqual(Date.parse(moment));
  });
});

describe('a pause with a deadline', () => {
  test('a pause with a deadline fails the run when nobody answers and onExpiry is not set', async () => {
    const run = await begin(line(ask({ expiresAfter: 'P3D' }), done));
    const { status, failure, blocks, metadata } = await ended(run);
    expect(status).toBe('failed');
    expect(failure).toMatchObject({ code: 'PAUSE_EXPIRED', blockId: 'ask' });
    expect(blocks.map((block: { status: string }) => block.status)).toEqual(['expired']);
    expect(metadata.duration).toBeGreaterThanOrEqual(3 * dayMs);
    const { status: state, pausePoints } = await paused(run);
    expect([state, pausePoints[0].resumeStatus]).toEqual(['expired', 'expired']);
  });

  test('a pause with a deadline goes on by its expired port with the defaults of the form when onExpiry is continue', async () => {
    const late = { id: 'late', type: 'response', params: { data: '{{ ask.note }}' } };
    const { blocks, edges } = line(ask({ expiresAfter: 'P3D', onExpiry: 'continue' }), done);
    const definition = {
      blocks: [...blocks, late],
      edges: [...edges, { from: 'ask', port: 'expired', to: 'late' }],
    };
    const { status, output, blocks: log } = await ended(await begin(definition));
    expect([status, output]).toEqual(['completed', 'nobody was there']);
    expect(log[0]).toMatchObject({ blockId: 'ask', status: 'expired', port: 'expired' });
    expect(log[0].output).toMatchObject({ approved: false, note: 'nobody was there' });
  });

  test('a pause with a deadline has no timer after its answer', async () => {
    const run = await begin(
      line(ask({ expiresAfter: 'P3D' }), { id: 'rest', type: 'wait', params: { duration: 'P9D' } }, done),
    );
    const [{ resumeLinks, expiresAt }] = (await paused(run)).pausePoints;
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now() + 2 * dayMs);
    const input = { approved: true, note: 'in time' };
    const answer = await stack.post(new URL(resumeLinks.apiUrl).pathname, { input, async: true });
    expect(answer.status).toBe(202);
    // Time may skip only now: the answer is accepted before it is applied, and the deadline is one skip away.
    await until(
      () => paused(run),
      ({ pausePoints }) => pausePoints[0].resumeStatus === 'resumed',
    );
    const { status, blocks } = await ended(run);
    expect(status).toBe('completed');
    expect(blocks[0]).toMatchObject({ blockId: 'ask', status: 'completed', output: input });
    expect((await timersOf(run)).toSorted()).toEqual(['cancelled', 'fired', 'started', 'started']);
  });
});

/** The events of a run's last history. */
async function eventsOf({ executionId }: Begun): Promise<number> {
  return ((await handle(executionId).fetchHistory()).events ?? []).length;
}

test('functions of expressions work in the sandbox of workflow code', async () => {
  const data = {
    parts: '{{ "a,b".split(",") }}',
    place: '{{ "größer".indexOf("ß") }}',
    cut: '{{ "größer".substring(1, 3).upperAscii() }}',
    number: '{{ int("7") + int(2.9) + double("0.5") }}',
    rounded: '{{ round(3.456, 2) }}',
    money: '{{ formatNumber(1234.5, 2) }}',
    day: '{{ string(timestamp("2026-01-31T00:00:00Z")) }}',
    order: '{{ "a" < "b" }}',
  };
  const { status, output } = await ended(
    await begin(line({ id: 'all', type: 'response', params: { data } })),
  );
  expect(status).toBe('completed');
  expect(output).toMatchObject({
    parts: ['a', 'b'],
    place: 3,
    cut: 'Rö',
    number: 9.5,
    rounded: 3.46,
    order: true,
  });
});

describe('a run that waits for four hundred days', () => {
  // One wait has at most 366 days.
  const wait = (id: string) => ({ id, type: 'wait', params: { duration: 'P200D' } });
  const days400 = [wait('first'), wait('second')];
  const calls = async (...blocks: { id: string; type: string; params: object }[]) => {
    const params = { workflowId: await stack.givenDeployed(line(...blocks)) };
    return (id: string) => ({ id, type: 'workflow', params });
  };
  const asking = () => {
    const { blocks, edges } = line(ask({ expiresAfter: 'P200D', onExpiry: 'continue' }), wait('then'), done);
    return { blocks, edges: [...edges, { from: 'ask', port: 'expired', to: 'then' }] };
  };

  test.each<[string, () => Promise<object> | object]>([
    ['in a block', () => line(...days400, done)],
    ['for a person', asking],
    [
      'for a person in a child',
      async () =>
        line(
          { id: 'child', type: 'workflow', params: { workflowId: await stack.givenDeployed(asking()) } },
          done,
        ),
    ],
    ['in a child', async () => line((await calls(...days400))('child'), done)],
    [
      'in a child of a child',
      async () => {
        const middle = await calls((await calls(...days400))('child'));
        return line(middle('middle'), done);
      },
    ],
  ])('%s ends as it should, with few events', async (_, definition) => {
    const run = await begin(await definition());
    const { status, output, metadata } = await ended(run);
    expect([status, output]).toEqual(['completed', 'done']);
    expect(metadata.duration).toBeGreaterThanOrEqual(400 * dayMs);
    expect(await eventsOf(run)).toBeLessThan(200);
  });

  test('a run that waits for four hundred days for a child that waits in line until another has ended costs few events, and no active time', async () => {
    const call = await calls(...days400);
    const edges = ['one', 'two'].flatMap((id) => [
      { from: 'start', to: id },
      { from: id, to: 'done' },
    ]);
    const run = await begin({ blocks: [call('one'), call('two'), done], edges });
    const children = async (): Promise<{ executionId: string }[]> => {
      const path = `/api/v1/logs?workspaceId=${stack.home.id}&parentExecutionId=${run.executionId}`;
      return (await stack.get(path)).body.data;
    };
    const [first] = await until(children, ({ length }) => length === 1);
    const executionId = first?.executionId ?? '';
    await known(executionId);
    await handle(executionId).result();
    // Time stands still until a worker has told the run that there is room.
    await until(children, ({ length }) => length === 2);
    expect(await ended(run)).toMatchObject({ status: 'completed', output: 'done' });
    expect(await eventsOf(run)).toBeLessThan(100);
  });
});

describe('the time-out of a run', () => {
  test('the time-out of a run does not count waits and pauses, and ends a call that takes too long', async () => {
    const receiver = await Receiver.start((call, response) => {
      if (call.path !== '/silent') response.end('{}');
    });
    try {
      const call = (id: string, path: string) => ({
        id,
        type: 'http',
        params: { method: 'GET', url: receiver.url(path) },
      });
      const wait = (id: string) => ({ id, type: 'wait', params: { duration: 'P30D' } });
      const pause = ask({ expiresAfter: 'P3D', onExpiry: 'continue' });
      const { blocks, edges } = line(
        wait('first'),
        call('one', '/'),
        pause,
        call('two', '/'),
        wait('second'),
        call('three', '/silent'),
        done,
      );
      const expired = { from: 'ask', port: 'expired', to: 'two' };
      const run = await begin({ blocks, edges: [...edges, expired] });
      const { status, failure, metadata, blocks: log } = await ended(run);
      expect(status).toBe('failed');
      expect(failure.code).toBe('EXECUTION_TIMEOUT');
      expect(log.map((block: { status: string }) => block.status)).toEqual([
        'completed',
        'completed',
        'expired',
        'completed',
        'completed',
        'cancelled',
      ]);
      expect(metadata.duration).toBeGreaterThanOrEqual(63 * dayMs + 1000);
      expect(receiver.received.map(({ path }) => path)).toEqual(['/', '/', '/silent']);
    } finally {
      receiver.stop();
    }
  });
});
