import { readFileSync } from 'node:fs';
import { Worker } from '@temporalio/worker';
import { approval, pure } from './support/definitions.ts';
import { ask, block, box, line, respond } from './support/graphs.ts';
import { Receiver } from './support/receiver.ts';
import { describeRun, Stack, until } from './support/stack.ts';
import { isWhole, testInWhole, testMoreInWhole } from '#libs/platform/settings/support/whole';

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.start({ ROLES: 'api' });
});
afterAll(() => stack.stop());

const call = (id: string, url: string, more: object = {}) =>
  block(id, 'http', { method: 'GET', url: `${url}${id}` }, more);
const pathOf = (workflow: string, executionId: string) =>
  `/api/workflows/${workflow}/executions/${executionId}`;

async function eventsOf(executionId: string) {
  const handle = (await stack.temporal()).workflow.getHandle(executionId);
  await handle.result().catch(() => undefined);
  return (await handle.fetchHistory()).events ?? [];
}

describe('calls that follow each other', () => {
  const in3 = (url: string, more: object = {}) =>
    line(
      call('fetch', url),
      block('name', 'variables', { set: { seen: '{{ fetch.status }}' } }),
      call('score', url, more),
      call('store', url),
      respond({ seen: '{{ vars.seen }}', last: '{{ store.status }}' }),
    );
  const definition = (url: string, more: object = {}) => ({
    variables: { seen: { type: 'number', initial: 0 } },
    ...in3(url, more),
  });

  test('calls that follow each other are one activity, which the UI names by its blocks, and nine events for ten of them', async () => {
    const receiver = await Receiver.start();
    const ten = Array.from({ length: 10 }, (_, i) => call(`c${i}`, receiver.url()));
    const workflow = await stack.givenDeployed(line(...ten, respond('done')));
    const { body } = await stack.execute(workflow);
    expect(body).toMatchObject({ status: 'completed', output: 'done' });
    const events = await eventsOf(body.executionId);
    const [scheduled, ...others] = events.filter((event) => event.activityTaskScheduledEventAttributes);
    expect(others).toEqual([]);
    expect(scheduled?.activityTaskScheduledEventAttributes?.activityType?.name).toBe('effectLine');
    const summary = Buffer.from(scheduled?.userMetadata?.summary?.data ?? []).toString('utf8');
    expect(summary).toBe('"c0 → c1 → c2 → c3 → c4 → c5 → c6 → c7 → …"');
    const first = events.findIndex((event) => event.activityTaskScheduledEventAttributes);
    const last = events.findIndex((event) => event.activityTaskCompletedEventAttributes);
    expect(last - first).toBeLessThanOrEqual(5);
    expect(receiver.received.map(({ path }) => path)).toEqual(ten.map(({ id }) => `/${id}`));
    receiver.stop();
  });

  testMoreInWhole.each(isWhole ? ['fetch', 'score', 'store'] : ['score'])(
    'calls that follow each other are not repeated when the worker is killed while %s is under way',
    async (id) => {
      const state = { holds: true };
      const receiver = await Receiver.start(({ path }, response) => {
        if (!(state.holds && path === `/${id}`)) response.end('{}');
      });
      const workflow = await stack.givenDeployed(definition(receiver.url()));
      const { body } = await stack.execute(workflow, { async: true });
      await until(
        async () => receiver.received.map(({ path }) => path),
        (paths) => paths.includes(`/${id}`),
      );
      state.holds = false;
      await stack.worker.kill();
      await stack.startWorker();
      const job = await stack.get(`/api/jobs/${body.jobId}?wait=60`);
      expect(job.body).toMatchObject({ status: 'completed', output: { seen: 200, last: 200 } });
      const times = (path: string) => receiver.received.filter((one) => one.path === path).length;
      expect(['/fetch', '/score', '/store'].map(times)).toEqual(
        ['fetch', 'score', 'store'].map((one) => (one === id ? 2 : 1)),
      );
      const blocks = await stack.blockLog(workflow, body.executionId);
      expect(blocks.map(({ blockId, status }) => `${blockId} ${status}`)).toEqual(
        ['fetch', 'name', 'score', 'store', 'done'].map((one) => `${one} completed`),
      );
      receiver.stop();
    },
  );

  test('calls that follow each other are cancelled during a call: earlier calls keep their results, and no later call begins', async () => {
    const receiver = await Receiver.start(({ path }, response) => {
      if (path !== '/score') response.end('{}');
    });
    const workflow = await stack.givenDeployed(definition(receiver.url()));
    const { body } = await stack.execute(workflow, { async: true });
    await until(
      async () => receiver.received.length,
      (count) => count === 2,
    );
    await stack.post(`${pathOf(workflow, body.executionId)}/cancel`);
    const { body: ended } = await until(
      () => stack.get(pathOf(workflow, body.executionId)),
      (answer) => answer.body.status === 'cancelled',
    );
    expect(ended.blocks.map(({ blockId, status }: Record<string, string>) => [blockId, status])).toEqual([
      ['fetch', 'completed'],
      ['name', 'completed'],
      ['score', 'cancelled'],
    ]);
    receiver.stop();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/fetch', '/score']);
  });

  test('calls that follow each other are retried, and fail by the rule and the code of their own block', async () => {
    const state = { refusals: 1 };
    const receiver = await Receiver.start(({ path }, response) => {
      if (path === '/score' && state.refusals-- > 0) response.statusCode = 503;
      response.end('{}');
    });
    const retry = { retry: { maxAttempts: 2, initialDelay: 0.05 } };
    const workflow = await stack.givenDeployed(definition(receiver.url(), retry));
    const { body } = await stack.execute(workflow);
    expect(body).toMatchObject({ status: 'completed', output: { seen: 200, last: 200 } });
    const blocks = await stack.blockLog(workflow, body.executionId);
    expect(blocks.find(({ blockId }) => blockId === 'score')).toMatchObject({ attempts: 2 });
    state.refusals = 2;
    const failed = await stack.execute(workflow);
    expect(failed.body).toMatchObject({
      status: 'failed',
      failure: { code: 'HTTP_503', blockId: 'score' },
    });
    receiver.stop();
  });
});

describe('execution that is run where it is accepted', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await Receiver.start();
    const [one, two] = [call('one', receiver.url()), call('two', receiver.url())];
    definitions['that calls'] = { definition: line(one, respond('{{ one.status }}')) };
    definitions['that calls twice'] = {
      definition: line(one, two, block('done', 'response', { data: '{{ two.status }}', status: 201 })),
    };
    const late = respond('{{ int(one.data.none) }}');
    definitions['that calls, and fails then'] = { definition: line(one, late) };
  });
  afterAll(() => receiver.stop());

  const definitions: Record<string, { definition: object; inputs?: object }> = {
    'that completes': { definition: pure, inputs: { amount: 3 } },
    'that asks a person': { definition: approval },
    'that fails': {
      definition: {
        start: { inputs: { text: { type: 'string', default: 'none' } } },
        ...line(respond('{{ int(start.text) }}')),
      },
    },
    'with a loop': {
      definition: {
        variables: { n: { type: 'number', initial: 0 } },
        ...line(
          box(
            'each',
            'loop',
            { count: 5 },
            block('add', 'variables', { set: { n: '{{ vars.n + loop.index }}' } }),
          ),
          respond({ n: '{{ vars.n }}', count: '{{ each.count }}' }),
        ),
      },
    },
    'with two questions side by side': {
      definition: line(box('both', 'parallel', { count: 2 }, ask('ok')), respond('{{ both.results }}')),
    },
    'with a response of its own': {
      definition: line(block('done', 'response', { data: { a: 1 }, status: 201, headers: { 'x-a': 'b' } })),
    },
  };

  /** The rows of a run, without values that differ from run to run. */
  async function traceOf(name: string) {
    const { definition, inputs = {} } = definitions[name] ?? { definition: pure };
    const workflow = await stack.givenDeployed(definition);
    const { body } = await stack.execute(workflow, { inputs });
    const detail = (await stack.get(pathOf(workflow, body.executionId))).body;
    const { status, output, failure } = detail;
    const points = body.paused?.pausePoints ?? [];
    return {
      executionId: body.executionId,
      rows: {
        answer: { success: body.success, status: body.status, output: body.output },
        detail: { status, output, failure },
        blocks: detail.blocks.map((one: Record<string, unknown>) => ({
          ...one,
          output: one['type'] === 'http' ? typeof one['output'] : one['output'],
          startedAt: typeof one['startedAt'],
          endedAt: typeof one['endedAt'],
          durationMs: typeof one['durationMs'],
          duration: typeof one['duration'],
        })),
        points: points.map(({ blockId, resumeStatus, response }: Record<string, unknown>) => ({
          blockId,
          resumeStatus,
          response: typeof response,
        })),
      },
    };
  }

  test('an execution that is run where it is accepted leaves the same rows as an execution that Temporal runs from its start, and Temporal shows both', async () => {
    const here: Record<string, unknown> = {};
    const shown: string[] = [];
    const client = await stack.temporal();
    for (const name of Object.keys(definitions)) {
      const { executionId, rows } = await traceOf(name);
      here[name] = rows;
      shown.push((await describeRun(client, executionId)).type);
    }
    // The type of a run is the name of its workflow.
    expect(shown.filter((type) => !/^workflow [0-9a-f]{10}$/.test(type))).toEqual([]);
    await stack.api.kill('SIGTERM');
    await stack.startApi({ INLINE_MAX_MS: '0' });
    for (const name of Object.keys(definitions))
      expect({ [name]: (await traceOf(name)).rows }).toEqual({ [name]: here[name] });
    await stack.api.kill('SIGTERM');
    await stack.startApi();
  });

  test('an execution that is run where it is accepted is closed in Temporal by its start when it has completed, and the workflow code replays it', async () => {
    const { executionId, rows } = await traceOf('that completes');
    const client = await stack.temporal();
    await until(
      () => describeRun(client, executionId),
      (run) => run.status.name === 'COMPLETED',
    );
    const handle = client.workflow.getHandle(executionId);
    expect(await handle.result()).toEqual({ output: rows.answer.output });
    const history = await handle.fetchHistory();
    expect(history.events?.map(({ eventType }) => Number(eventType))).toEqual([1, 5, 6, 7, 2]);
    // Nobody but a worker of the SDK says which version it has.
    expect(history.events?.[3]?.workflowTaskCompletedEventAttributes?.sdkMetadata?.sdkName ?? '').toBe('');
    const workflowBundle = { code: readFileSync('dist/temporal/workflows.bundle.js', 'utf8') };
    await Worker.runReplayHistory({ workflowBundle }, history, executionId);
  });

  testInWhole(
    'an execution that is run where it is accepted keeps its pauses when the API is killed before Temporal has it, and takes answers then',
    async () => {
      await stack.api.kill('SIGTERM');
      // Nothing listens there: accepted executions wait for the worker's outbox.
      await stack.startApi({ TEMPORAL_ADDRESS: '127.0.0.1:9' });
      const workflow = await stack.givenDeployed(approval);
      const { executionId, apiUrl } = await stack.givenPaused(workflow);
      await stack.api.kill();
      await stack.startApi();
      const answered = await stack.post(apiUrl, { input: { approved: true } });
      expect(answered.body).toMatchObject({ status: 'completed', output: { approved: true } });
      const { status } = await describeRun(await stack.temporal(), executionId);
      expect(['RUNNING', 'COMPLETED']).toContain(status.name);
    },
  );

  test('an execution that is run where it is accepted is not shown in Temporal when it has completed and TEMPORAL_SYNC is failed', async () => {
    await stack.api.kill('SIGTERM');
    await stack.startApi({ TEMPORAL_SYNC: 'failed' });
    const [completed, failed] = [await traceOf('that completes'), await traceOf('that fails')];
    const client = await stack.temporal();
    const { status } = await until(
      () => describeRun(client, failed.executionId),
      (run) => run.status.name !== 'RUNNING',
    );
    expect(status.name).toBe('FAILED');
    await expect(client.workflow.getHandle(completed.executionId).describe()).rejects.toThrow('not found');
  });
});
