import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import { ask, block, box, line, respond } from './support/graphs.ts';
import { Line } from './support/line.ts';
import { type Received, Receiver } from './support/receiver.ts';
import { begins, closed, resetBefore } from './support/resets.ts';
import { describeRun, Stack, until } from './support/stack.ts';

/** The paths at which the receiver fails. */
const failing = new Set<string>();
let stack: Stack;
let receiver: Receiver;
/** The way to Temporal. */
let way: Line;
beforeAll(async () => {
  receiver = await Receiver.start(({ path }, response) =>
    response.writeHead(failing.has(path) ? 500 : 200).end('{"ok":1}'),
  );
  way = await Line.to(process.env['HOLDFAST_TEST_TEMPORAL'] ?? '');
  stack = await Stack.start({ TEMPORAL_ADDRESS: way.address });
});
afterAll(async () => {
  await stack.stop();
  way.stop();
  receiver.stop();
});
beforeEach(() => {
  failing.clear();
  receiver.received.length = 0;
});

interface Run {
  workflow: string;
  id: string;
}

const calling = (id: string) =>
  block(id, 'http', { url: receiver.url(`/${id}`), method: 'POST' }, { retry: { maxAttempts: 1 } });

const keysOf = (path: string) =>
  receiver.received.filter((call: Received) => call.path === path).map(({ key = '' }) => key);

async function givenEnded(definition: object, inputs = {}): Promise<Run> {
  const workflow = await stack.givenDeployed(definition);
  const { body } = await stack.call('POST', `/api/workflows/${workflow}/execute`, { inputs });
  return { workflow, id: body.executionId };
}

const pathOf = ({ workflow, id }: Run) => `/api/workflows/${workflow}/executions/${id}`;

const ended = (run: Run) =>
  until(
    async () => (await stack.call('GET', pathOf(run))).body,
    ({ status }) => ['completed', 'failed', 'cancelled'].includes(status),
  );

const retry = (run: Run, body = {}) => stack.call('POST', `${pathOf(run)}/retry`, body);

const shapes = {
  'a line': () => line(calling('a'), calling('b'), calling('c')),
  'the second pass of a loop': () =>
    line(box('box', 'loop', { count: 2 }, calling('a'), calling('b')), calling('c')),
  'a branch of a parallel': () =>
    line(box('box', 'parallel', { count: 2 }, calling('a'), calling('b')), calling('c')),
};

test.each(Object.keys(shapes) as (keyof typeof shapes)[])(
  'a retry goes on from the call that failed in %s, keeps what was done, and sends a new key',
  async (shape) => {
    failing.add('/b');
    const run = await givenEnded(shapes[shape]());
    expect((await ended(run)).status).toBe('failed');
    const before = keysOf('/a');
    failing.clear();
    const { status, body } = await retry(run);
    expect(status).toBe(202);
    expect(body.data.repeated).toContainEqual(expect.objectContaining({ blockId: 'b', newKey: true }));
    const after = await ended(run);
    expect(after).toMatchObject({ status: 'completed', error: null });
    expect(keysOf('/a').slice(0, before.length)).toEqual(before);
    expect(new Set(keysOf('/a')).size).toBe(keysOf('/a').length);
    expect(keysOf('/b').filter((key) => key.endsWith('/retry-1')).length).toBe(body.data.repeated.length);
    expect(new Set(keysOf('/b')).size).toBe(keysOf('/b').length);
    expect(keysOf('/c')).toEqual([`${run.id}/c`]);
    const visit = after.blocks.find(({ path }: { path: string }) => path === body.data.repeated[0].path);
    expect(visit).toMatchObject({ status: 'completed', attempts: 2 });
  },
);

test('a retry of an execution goes on within the child that failed', async () => {
  failing.add('/b');
  const child = await stack.givenDeployed(line(calling('a'), calling('b')));
  const run = await givenEnded(
    line(block('sub', 'workflow', { workflowId: child, inputs: {} }), calling('c')),
  );
  const failed = await ended(run);
  expect(failed.status).toBe('failed');
  const childId = failed.failure.details.executionId;
  const alone = await retry({ workflow: child, id: childId });
  expect(alone).toMatchObject({ status: 409, body: { code: 'RETRY_THE_PARENT' } });
  failing.clear();
  expect((await retry(run)).body.data.repeated).toEqual([
    expect.objectContaining({ executionId: run.id, path: 'sub', newKey: false }),
    expect.objectContaining({ executionId: childId, path: 'b', newKey: true }),
  ]);
  expect((await ended(run)).status).toBe('completed');
  expect(keysOf('/a')).toHaveLength(1);
  expect(keysOf('/b')).toEqual([`${childId}/b`, `${childId}/b/retry-1`]);
  expect(keysOf('/c')).toHaveLength(1);
});

test('an execution that fails again is retried again, and its attempts go on counting', async () => {
  failing.add('/a');
  const run = await givenEnded(line(calling('a')));
  await ended(run);
  await retry(run);
  expect(await ended(run)).toMatchObject({ status: 'failed', blocks: [{ path: 'a', attempts: 2 }] });
  failing.clear();
  await retry(run);
  expect(await ended(run)).toMatchObject({ status: 'completed', blocks: [{ path: 'a', attempts: 3 }] });
  expect(keysOf('/a')).toEqual([`${run.id}/a`, `${run.id}/a/retry-1`, `${run.id}/a/retry-2`]);
});

test('two people who retry at once retry once, and one is told', async () => {
  failing.add('/a');
  const run = await givenEnded(line(calling('a')));
  await ended(run);
  failing.clear();
  const answers = await Promise.all([retry(run), retry(run)]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202, 409]));
  expect((await ended(run)).status).toBe('completed');
  expect(keysOf('/a')).toHaveLength(2);
});

test('a retry survives the death of the API and of the worker right after its commit', async () => {
  failing.add('/b');
  const run = await givenEnded(line(calling('a'), calling('b')));
  await ended(run);
  failing.clear();
  expect((await retry(run)).status).toBe(202);
  await Promise.all([stack.api.kill(), stack.worker.kill()]);
  await Promise.all([stack.startApi(), stack.startWorker()]);
  expect((await ended(run)).status).toBe('completed');
  expect([...new Set(keysOf('/b'))]).toEqual([`${run.id}/b`, `${run.id}/b/retry-1`]);
  expect(keysOf('/a')).toHaveLength(1);
});

test('a retry whose start reaches Temporal twice, the second time after its end, runs and calls once', async () => {
  failing.add('/b');
  const run = await givenEnded(line(calling('a'), calling('b')));
  await ended(run);
  failing.clear();
  await retry(run);
  const after = await ended(run);
  expect(after.status).toBe('completed');
  const first = await stack.runOf(run.id);
  await first.result();
  // As an API does that was killed after its start, and comes back with the start in its outbox.
  const { events } = await first.fetchHistory();
  const started = events?.[0]?.workflowExecutionStartedEventAttributes;
  const { workflow } = await stack.temporal();
  const again = await workflow.start(started?.workflowType?.name ?? '', {
    workflowId: run.id,
    taskQueue: stack.env['TASK_QUEUE'] ?? '',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    args: [JSON.parse(Buffer.from(started?.input?.payloads?.[0]?.data ?? []).toString())],
  });
  await again.result().catch(() => undefined);
  expect(keysOf('/b')).toEqual([`${run.id}/b`, `${run.id}/b/retry-1`]);
  expect(await ended(run)).toEqual(after);
});

test('a retried run that an operator resets goes on from there, and calls again', async () => {
  failing.add('/b');
  const run = await givenEnded(line(calling('a'), calling('b')));
  await ended(run);
  failing.clear();
  await retry(run);
  await ended(run);
  const temporal = await stack.temporal();
  await closed(temporal, run.id);
  await resetBefore(temporal, run.id, begins('b'));
  await until(
    () => Promise.resolve(keysOf('/b')),
    ({ length }) => length === 3,
  );
  expect((await ended(run)).status).toBe('completed');
  expect(keysOf('/a')).toHaveLength(1);
});

test('a dry run of a retry says what would run anew, and changes nothing', async () => {
  failing.add('/b');
  const run = await givenEnded(line(calling('a'), calling('b')));
  const before = await ended(run);
  const { status, body } = await retry(run, { dryRun: true });
  expect({ status, data: body.data }).toEqual({
    status: 202,
    data: {
      executionId: run.id,
      dryRun: true,
      kept: 1,
      keptCalls: [{ executionId: run.id, path: 'a', key: `${run.id}/a` }],
      repeated: [
        {
          executionId: run.id,
          path: 'b',
          blockId: 'b',
          name: 'b',
          type: 'http',
          attempts: 1,
          newKey: true,
          key: `${run.id}/b/retry-1`,
        },
      ],
    },
  });
  expect((await stack.call('GET', pathOf(run))).body).toEqual(before);
  expect(keysOf('/b')).toHaveLength(1);
});

test('a retry of what has not failed, or would fail again, is refused in words', async () => {
  const completed = await givenEnded(line(respond('x')));
  expect(await retry(completed)).toMatchObject({ status: 409, body: { code: 'NOT_FAILED' } });
  const pure = await givenEnded(line(calling('a'), block('bad', 'response', { data: '{{ int("x") }}' })));
  expect((await ended(pure)).status).toBe('failed');
  expect(await retry(pure)).toMatchObject({
    status: 409,
    body: { code: 'WOULD_FAIL_AGAIN', error: expect.stringMatching(/only computes.*fork/) },
  });
  expect(await retry({ ...completed, id: 'exec_none' })).toMatchObject({ status: 404 });
  expect(await retry(completed, { dryRun: 'perhaps' })).toMatchObject({ status: 400 });
});

test('a viewer may neither retry nor fork an execution, nor test a draft', async () => {
  failing.add('/a');
  const run = await givenEnded(line(calling('a')));
  expect((await ended(run)).status).toBe('failed');
  const { data } = (
    await stack.post(`/api/v1/workspaces/${stack.home.id}/keys`, { name: 'looks', role: 'viewer' })
  ).body;
  const viewer = { 'x-api-key': data.key };
  const draft = { definition: line(respond('x')) };
  for (const [path, body] of [
    [`${pathOf(run)}/retry`, { dryRun: true }],
    [`${pathOf(run)}/fork`, { dryRun: true }],
    [`${pathOf(run)}/fork`, { from: 'a', input: { method: 'GET' }, dryRun: true }],
    [`/api/v1/workflows/${run.workflow}/test`, draft],
  ] as const) {
    expect([path, (await stack.post(path, body, viewer)).status]).toEqual([path, 403]);
    expect([path, (await stack.post(path, body)).status]).toEqual([path, 202]);
  }
  expect((await stack.get(pathOf(run), viewer)).status).toBe(200);
});

test('a retry and a fork are in the audit log with their execution', async () => {
  failing.add('/a');
  const run = await givenEnded(line(calling('a')));
  await ended(run);
  for (const verb of ['retry', 'fork']) await stack.post(`${pathOf(run)}/${verb}`, { dryRun: true });
  const fork = (await stack.post(`${pathOf(run)}/fork`, { from: 'a' })).body.data.execution.executionId;
  await retry(run);
  const actionsOf = async (id: string) =>
    (await stack.get(`/api/v1/audit-logs?resourceId=${id}`)).body.data.map(
      ({ action, actorId }: { action: string; actorId: string }) => [action, actorId],
    );
  expect(await actionsOf(run.id)).toEqual([['execution.retried', expect.stringMatching(/^key_/)]]);
  expect(await actionsOf(fork)).toEqual([['execution.forked', expect.stringMatching(/^key_/)]]);
  // No call of this test comes within the next one.
  for (const id of [run.id, fork]) await ended({ ...run, id });
});

test('a retry of an execution whose records are being deleted is refused in words', async () => {
  failing.add('/a');
  const run = await givenEnded(line(calling('a')));
  await ended(run);
  const owner = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
  await owner.connect();
  await owner.query('update executions set forgotten_at = now() where id = $1', [run.id]);
  await owner.end();
  expect(await retry(run)).toMatchObject({
    status: 409,
    body: { code: 'EXECUTION_FORGOTTEN', error: 'The records of this execution are being deleted.' },
  });
});

/** Removes the start that waits for Temporal, as nothing in the product does. */
async function loseStart(executionId: string): Promise<void> {
  const owner = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
  await owner.connect();
  await owner.query('delete from inline_start_outbox where execution_id = $1', [executionId]);
  await owner.end();
}

test.each([
  ['', { isSlow: false, isLost: false }],
  [' while Temporal is slow to answer the first start', { isSlow: true, isLost: false }],
  [' whose next start is lost', { isSlow: true, isLost: true }],
])('a retry after an operator gave a failed call up%s asks them again', async (_, { isSlow, isLost }) => {
  failing.add('/b');
  const asking = { ...calling('b'), onFailure: 'pause' };
  const workflow = await stack.givenDeployed(line(calling('a'), asking, respond('{{ b.status }}')));
  if (isSlow) way.hold();
  const { executionId: id, apiUrl } = await stack.givenPaused(workflow);
  const run = { workflow, id };
  await stack.post(apiUrl, { input: { action: 'fail' } });
  expect((await ended(run)).status).toBe('failed');
  expect(await retry(run)).toMatchObject({ status: 202, body: { data: { kept: 1, repeated: [] } } });
  if (isLost) await loseStart(id);
  way.release();
  const paused = await until(
    async () => (await stack.call('GET', pathOf(run))).body,
    ({ status }) => status === 'paused',
  );
  expect(paused.blocks.at(-1)).toMatchObject({ blockId: 'b', status: 'paused', attempts: 1 });
  failing.clear();
  const answer = await stack.post(apiUrl, { input: { action: 'retry' } });
  expect(answer).toMatchObject({ status: 200, body: { status: 'completed' } });
  expect(await ended(run)).toMatchObject({ status: 'completed', output: 200 });
  expect(keysOf('/a')).toHaveLength(1);
});

test('a retry that comes before Temporal has heard of the failure replaces the run that waits there', async () => {
  failing.add('/b');
  const asking = { ...calling('b'), onFailure: 'pause' };
  const workflow = await stack.givenDeployed(line(asking));
  const { executionId: id, apiUrl } = await stack.givenPaused(workflow);
  const client = await stack.temporal();
  const { runId } = await describeRun(client, id);
  await stack.post(apiUrl, { input: { action: 'fail' } });
  expect((await retry({ workflow, id })).status).toBe(202);
  await until(
    () => describeRun(client, id),
    (next) => next.runId !== runId && next.status.name === 'RUNNING',
  );
  failing.clear();
  expect((await stack.post(apiUrl, { input: { action: 'retry' } })).body.status).toBe('completed');
});

test('a retry of a run whose pause has expired says so, and that a fork asks anew', async () => {
  const brief = block('ask', 'human', { title: 'Well?', form: [], expiresAfter: 1 });
  const run = await givenEnded(line(brief, respond('x')));
  expect((await ended(run)).status).toBe('failed');
  expect(await retry(run)).toMatchObject({
    status: 409,
    body: { code: 'WOULD_FAIL_AGAIN', error: expect.stringMatching(/pause ask .* has expired.*Fork/) },
  });
});

describe('a fork', () => {
  const definition = () => ({
    start: { inputs: { n: { type: 'number', required: true } } },
    ...line(
      calling('a'),
      box('both', 'parallel', { count: 2 }, calling('p'), calling('q')),
      ask('ask'),
      calling('z'),
      respond({ a: '{{ a.status }}', ok: '{{ ask.ok }}', n: '{{ start.n }}' }),
    ),
  });
  const fork = (run: Run, wish: object) => stack.call('POST', `${pathOf(run)}/fork`, wish);

  /** Forks and returns the end of the fork, or its pause. */
  async function forkToEnd(run: Run, wish: object) {
    receiver.received.length = 0;
    const { status, body } = await fork(run, wish);
    expect({ status, body }).toMatchObject({ status: 202, body: { data: { madeFrom: run.id } } });
    const made = { ...run, id: body.data.execution.executionId };
    const end = await until(
      async () => (await stack.call('GET', pathOf(made))).body,
      (state) => ['completed', 'failed', 'paused'].includes(state.status),
    );
    return { made, end, kept: body.data.kept.map(({ path }: { path: string }) => path).toSorted() };
  }

  let origin: Run;
  beforeAll(async () => {
    failing.clear();
    origin = await givenEnded(definition(), { n: 1 });
    const { body } = await stack.call('GET', `/api/jobs/${origin.id.replace('exec_', 'job_')}`);
    const { pathname } = new URL(body.paused.pausePoints[0].resumeLinks.apiUrl);
    await stack.call('POST', pathname, { input: { ok: true } });
    expect((await ended(origin)).status).toBe('completed');
  });

  test('a fork from a visit keeps what came before it, also an answer, and makes no call of it again', async () => {
    const { made, end, kept } = await forkToEnd(origin, { from: 'z' });
    expect(kept).toEqual(['a', 'ask', 'p@both[0]', 'p@both[1]', 'q@both[0]', 'q@both[1]']);
    expect(end).toMatchObject({ status: 'completed', output: { a: 200, ok: true, n: 1 } });
    expect(receiver.received.map(({ key }) => key)).toEqual([`${made.id}/z`]);
  });

  test('a fork from a branch of a parallel keeps the other branch', async () => {
    const { end } = await forkToEnd(origin, { from: 'p@both[1]' });
    expect(end.status).toBe('paused');
    expect(receiver.received.map(({ path }) => path)).toEqual(['/p', '/q']);
  });

  test('a fork with another answer or another output goes on from it', async () => {
    const { end } = await forkToEnd(origin, { from: 'ask', output: { ok: false } });
    expect(end).toMatchObject({ status: 'completed', output: { ok: false } });
    const { end: other } = await forkToEnd(origin, { from: 'a', output: { status: 207 } });
    expect(other.blocks.find(({ path }: { path: string }) => path === 'a').output).toEqual({ status: 207 });
    expect(receiver.received.map(({ path }) => path).toSorted()).toEqual(['/p', '/p', '/q', '/q']);
  });

  test('a fork runs a visit with the parameters that are given, also in a retry of it, and leaves the others', async () => {
    const input = { url: receiver.url('/other'), body: { paid: 5 } };
    const preview = await fork(origin, { from: 'z', input, dryRun: true });
    expect(preview.body.data).toMatchObject({
      input: { ...input, method: 'POST' },
      repeated: [{ path: 'z' }, { path: 'done' }],
    });
    failing.add('/other');
    const { made, end } = await forkToEnd(origin, { from: 'z', input });
    expect(end).toMatchObject({
      status: 'failed',
      madeFrom: { executionId: origin.id, path: 'z', input: ['url', 'body'] },
    });
    failing.clear();
    expect((await retry(made)).status).toBe(202);
    expect((await ended(made)).status).toBe('completed');
    expect(receiver.received.map(({ path, body }) => [path, body])).toEqual([
      ['/other', '{"paid":5}'],
      ['/other', '{"paid":5}'],
    ]);
    const log = await stack.get(`/api/v1/logs/${made.id}`);
    const sent = log.body.data.executionData.blocks.find(({ path }: { path: string }) => path === 'z').sent;
    expect(sent.value).toMatchObject(input);
    // In the pass of a parallel the other pass keeps its parameters.
    await forkToEnd(origin, { from: 'p@both[1]', input: { url: receiver.url('/alone') } });
    expect(receiver.received.map(({ path }) => path)).toEqual(['/alone', '/q']);
  });

  test('a fork asks people and starts children with what is given in place of their parameters', async () => {
    const child = await stack.givenDeployed({
      start: { inputs: { n: { type: 'number', required: true } } },
      ...line(respond('{{ start.n }}')),
    });
    const run = await givenEnded(
      line(
        block('child', 'workflow', { workflowId: child, inputs: { n: 1 } }),
        ask('may'),
        respond('{{ child }}'),
      ),
    );
    const { end } = await forkToEnd(run, { from: 'child', input: { inputs: { n: 2 } } });
    expect(end.blocks.find(({ path }: { path: string }) => path === 'child').output).toBe(2);
    const { end: asked } = await forkToEnd(run, { from: 'may', input: { title: 'Again?' } });
    expect(asked.paused.pausePoints[0].response.displayData.title).toBe('Again?');
  });

  test('a fork without a visit runs everything again, with the inputs that are given', async () => {
    const { end, kept } = await forkToEnd(origin, { inputs: { n: 5 } });
    expect({ kept, status: end.status, inputs: end.inputs }).toEqual({
      kept: [],
      status: 'paused',
      inputs: { n: 5 },
    });
  });

  test('a failed run goes on in a version in which its failing block is corrected', async () => {
    const broken = await givenEnded(
      line(calling('a'), block('done', 'response', { data: '{{ int("x") }}' })),
    );
    expect((await ended(broken)).status).toBe('failed');
    const workflow = `/api/v1/workflows/${broken.workflow}`;
    const corrected = line(calling('a'), block('done', 'response', { data: '{{ a.status }}' }));
    await stack.call('PATCH', workflow, { definition: corrected });
    await stack.call('POST', `${workflow}/deploy`);
    const { end } = await forkToEnd(broken, { from: 'done', version: 2 });
    expect(end).toMatchObject({ status: 'completed', output: 200, version: 2 });
    expect(receiver.received).toEqual([]);
  });

  test('a fork copies the large values that it keeps', async () => {
    const large = line(
      block('make', 'function', { code: 'return { text: "x".repeat(200000) }' }),
      calling('a'),
      block('done', 'response', { data: '{{ size(make.text) }}' }),
    );
    const run = await givenEnded(large);
    expect((await ended(run)).output).toBe(200_000);
    const { end } = await forkToEnd(run, { from: 'done' });
    expect(end).toMatchObject({ status: 'completed', output: 200_000 });
  });

  test('a dry run of a fork names what is kept and what runs anew, and makes nothing', async () => {
    receiver.received.length = 0;
    const { status, body } = await fork(origin, { from: 'z', dryRun: true });
    expect(status).toBe(202);
    expect(body.data).toMatchObject({
      dryRun: true,
      execution: null,
      repeated: [
        { path: 'z', newKey: true },
        { path: 'done', newKey: false },
      ],
    });
    const whole = (await fork(origin, { dryRun: true })).body.data;
    const calls = whole.repeated.filter(({ newKey }: { newKey: boolean }) => newKey);
    const paths = calls.map(({ path }: { path: string }) => path).toSorted();
    expect(paths).toEqual(['a', 'p@both[0]', 'p@both[1]', 'q@both[0]', 'q@both[1]', 'z']);
    expect(whole.kept).toEqual([]);
    expect(whole.repeated.length).toBeGreaterThan(calls.length);
    expect(receiver.received).toEqual([]);
  });

  test('a dry run of a fork names the key of each kept call, also of one that was retried or kept before, and those of new ones', async () => {
    receiver.received.length = 0;
    failing.add('/b');
    const run = await givenEnded(line(calling('a'), calling('b'), ask('ask'), calling('z')));
    await ended(run);
    failing.clear();
    await retry(run);
    await until(
      async () => (await stack.call('GET', pathOf(run))).body.status,
      (status) => status === 'paused',
    );
    const keys = (visits: { path: string; key: string | null }[]) =>
      visits.map(({ path, key }) => [path, key]);
    const preview = async (id: string, wish: object) => {
      const { data } = (await fork({ ...run, id }, { ...wish, dryRun: true })).body;
      return { kept: keys(data.kept), repeated: keys(data.repeated) };
    };
    const sent = [
      ['a', `${run.id}/a`],
      ['b', `${run.id}/b/retry-1`],
    ];
    expect([keysOf('/a'), keysOf('/b').at(-1)]).toEqual([[`${run.id}/a`], `${run.id}/b/retry-1`]);
    expect(await preview(run.id, { from: 'ask' })).toEqual({ kept: sent, repeated: [['ask', null]] });
    expect(await preview(run.id, { from: 'ask', output: { ok: true } })).toEqual({
      kept: sent,
      repeated: [['z', '{id of the fork}/z']],
    });
    const { made } = await forkToEnd(run, { from: 'b', output: { status: 207 } });
    // What the fork was given was sent by nobody.
    expect(await preview(made.id, { from: 'ask' })).toEqual({
      kept: [
        ['a', `${run.id}/a`],
        ['b', null],
      ],
      repeated: [['ask', null]],
    });
    const again = (await fork(run, { from: 'b' })).body.data;
    expect([keys(again.kept), keys(again.repeated)[0]]).toEqual([
      [['a', `${run.id}/a`]],
      ['b', `${again.execution.executionId}/b`],
    ]);
    await until(async () => keysOf('/b').includes(`${again.execution.executionId}/b`), Boolean);
  });

  test('a dry run of a fork says what follows in another version and with other inputs', async () => {
    const conditional = (...last: object[]) => ({
      start: { inputs: { n: { type: 'number', required: true } } },
      blocks: [
        { id: 'large', type: 'condition', cases: [{ port: 'yes', when: 'start.n > 10' }] },
        calling('x'),
        calling('y'),
        ...last,
      ],
      edges: [
        { from: 'start', to: 'large' },
        { from: 'large', port: 'yes', to: 'x' },
        { from: 'x', to: 'y' },
        ...last.map((_, i) => ({ from: i === 0 ? 'y' : 'w', to: i === 0 ? 'w' : 'end' })),
      ],
    });
    const workflow = await stack.givenDeployed(conditional());
    const { body } = await stack.execute(workflow, { inputs: { n: 20 } });
    const run = { workflow, id: body.executionId };
    await ended(run);
    const path = `/api/v1/workflows/${workflow}`;
    await stack.call('PATCH', path, {
      definition: conditional(calling('w'), block('end', 'response', { data: 1 })),
    });
    await stack.call('POST', `${path}/deploy`);
    receiver.received.length = 0;
    const preview = async (wish: object) => {
      const { data } = (await fork(run, { ...wish, dryRun: true })).body;
      return [data.kept, data.repeated].map((visits) => visits.map((visit: { path: string }) => visit.path));
    };
    expect(await preview({ from: 'y', version: 2 })).toEqual([['x'], ['y']]);
    expect(await preview({ from: 'y', version: 2, output: { status: 207 } })).toEqual([['x'], ['w']]);
    expect(await preview({ from: 'y', inputs: { n: 1 } })).toMatchObject([[], []]);
    expect(await preview({ inputs: { n: 1 } })).toEqual([[], ['large']]);
    const made = await fork(run, { from: 'y', version: 2, output: { status: 207 } });
    expect(made.body.data.repeated).toMatchObject([{ path: 'w', newKey: true }]);
    await ended({ workflow, id: made.body.data.execution.executionId });
    expect(receiver.received.map(({ path: called }) => called)).toEqual(['/w']);
  });

  test('a key makes one fork of two calls', async () => {
    const headers = { 'idempotency-key': 'one-fork' };
    const call = () => stack.call('POST', `${pathOf(origin)}/fork`, { from: 'z' }, headers);
    const [first, second] = [await call(), await call()];
    expect(second.body.data.execution.executionId).toBe(first.body.data.execution.executionId);
  });

  test.each([
    [{ from: 'nowhere' }, 400, 'from'],
    [{ inputs: { n: 'x' } }, 400, 'inputs.n'],
    [{ from: 'ask', output: { ok: 'perhaps' } }, 400, 'output.ok'],
    [{ from: 'a', output: 'done' }, 400, 'output'],
    [{ from: 'a', output: { status: 'fine' } }, 400, 'output.status'],
    [{ from: 'a', output: { nothing: 1 } }, 400, 'output.nothing'],
    [{ output: 1 }, 400, 'output'],
    [{ version: 99 }, 404, 'NOT_FOUND'],
    [{ version: 0 }, 400, 'version'],
    [{ from: 'done', output: 1 }, 409, 'TAKES_NO_OUTPUT'],
    [{ from: 'z', input: { url: 5 } }, 400, 'input.url'],
    [{ from: 'z', input: { url: null } }, 400, 'input.url'],
    [{ from: 'z', input: { adress: 'x' } }, 400, 'input.adress'],
    [{ from: 'z', input: { body: { a: '{{ secrets.KEY }}' } } }, 400, 'input.body.a'],
    [{ from: 'z', input: { body: { $payload: 'pay_1' } } }, 400, 'input'],
    [{ from: 'z', input: { body: 'x'.repeat(70_000) } }, 400, 'input'],
    [{ from: 'z', input: {}, output: {} }, 400, 'input'],
    [{ from: 'z', input: 'x' }, 400, 'input'],
    [{ input: {} }, 400, 'input'],
  ])('a fork with %j is refused with %i, which names %s', async (wish, status, named) => {
    const refused = await fork(origin, wish);
    expect(refused.status).toBe(status);
    expect([
      refused.body.code,
      ...(refused.body.details ?? []).map(({ path }: { path: string }) => path),
    ]).toContain(named);
  });

  test('a fork into a version without its block or of a deleted workflow is refused, and an execution of another tenant does not exist', async () => {
    const other = await givenEnded(line(calling('a'), calling('b')));
    const workflow = `/api/v1/workflows/${other.workflow}`;
    await stack.call('PATCH', workflow, { definition: line(calling('a')) });
    await stack.call('POST', `${workflow}/deploy`);
    expect(await fork(other, { from: 'b', version: 2 })).toMatchObject({
      status: 409,
      body: { code: 'BLOCK_MISSING' },
    });
    await stack.call('DELETE', workflow);
    expect(await fork(other, {})).toMatchObject({ status: 409, body: { code: 'WORKFLOW_DELETED' } });
    const { key } = await stack.givenWorkspace();
    for (const verb of ['fork', 'retry'])
      expect(await stack.call('POST', `${pathOf(origin)}/${verb}`, {}, { 'x-api-key': key })).toMatchObject({
        status: 404,
      });
  });
});

describe('a backtest', () => {
  const decide = (above: number, ...more: object[]) => ({
    start: { inputs: { n: { type: 'number', required: true } } },
    blocks: [
      calling('a'),
      { id: 'check', type: 'condition', cases: [{ port: 'large', when: `start.n > ${above}` }] },
      block('large', 'response', { data: 'large' }),
      block('small', 'response', { data: { small: '{{ a.status }}' } }),
      ...more,
    ],
    edges: [
      { from: 'start', to: 'a' },
      { from: 'a', to: 'check' },
      { from: 'check', port: 'large', to: 'large' },
      { from: 'check', port: 'else', to: 'small' },
    ],
  });
  let workflow: string;
  let runs: Run[];
  beforeAll(async () => {
    failing.clear();
    workflow = await stack.givenDeployed(decide(10));
    runs = [];
    for (const n of [5, 15]) {
      const { body } = await stack.call('POST', `/api/workflows/${workflow}/execute`, { inputs: { n } });
      runs.push({ workflow, id: body.executionId });
    }
  });
  const draftIs = (definition: object) =>
    stack.call('PATCH', `/api/v1/workflows/${workflow}`, { definition });
  const backtest = (body = {}) => stack.call('POST', `/api/v1/workflows/${workflow}/backtest`, body);
  const shown = (value: unknown) => ({ value, chars: JSON.stringify(value).length, cut: false });

  test('a backtest shows which executions would decide otherwise, and makes no call', async () => {
    receiver.received.length = 0;
    await draftIs(decide(3));
    const { status, body } = await backtest();
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ version: null, cut: false, counts: { same: 1, differs: 1, asks: 0 } });
    const [second, first] = body.data.runs;
    expect(second).toMatchObject({ executionId: runs[1]?.id, verdict: 'same', difference: null });
    expect(first).toMatchObject({
      executionId: runs[0]?.id,
      verdict: 'differs',
      was: { status: 'completed', output: { small: 200 } },
      is: { status: 'completed', output: 'large' },
      difference: { path: 'check', was: 'completed: else', is: 'completed: large' },
      requests: [],
    });
    expect(receiver.received).toEqual([]);
  });

  test('a backtest names requests that would be others, and answers that nobody knows', async () => {
    const changed = decide(10);
    const [first, ...others] = changed.blocks as { params: object }[];
    await draftIs({
      ...changed,
      blocks: [{ ...first, params: { ...first?.params, body: { n: 1 } } }, ...others],
    });
    expect((await backtest({ executions: 1 })).body.data.runs).toEqual([
      expect.objectContaining({
        verdict: 'differs',
        requests: [
          { path: 'a', members: [{ name: 'body', was: null, is: shown({ n: 1 }) }], more: 0, hidden: null },
        ],
      }),
    ]);
    const more = decide(10, calling('b'));
    await draftIs({ ...more, edges: [{ from: 'start', to: 'b' }, ...more.edges] });
    expect((await backtest({ executions: 1 })).body.data.runs[0].unknown).toEqual(['b']);
  });

  test('a backtest tells apart a call that is not made, another question, and another answer over HTTP', async () => {
    const asked = ask('may');
    const before = line(calling('a'), asked, block('done', 'response', { data: 'x', status: 201 }));
    const other = await stack.givenDeployed(before);
    const { executionId: id, apiUrl } = await stack.givenPaused(other);
    await stack.post(apiUrl, { input: { ok: true } });
    await ended({ workflow: other, id });
    const only = async (draft: object) => {
      await stack.call('PATCH', `/api/v1/workflows/${other}`, { definition: draft });
      return (await stack.post(`/api/v1/workflows/${other}/backtest`)).body.data.runs;
    };
    const without = line(asked, block('done', 'response', { data: 'x', status: 201 }));
    expect(await only(without)).toMatchObject([{ verdict: 'differs', omitted: ['a'], requests: [] }]);
    const otherwise = block('may', 'human', { ...asked.params, title: 'Really?' });
    const another = line(calling('a'), otherwise, block('done', 'response', { data: 'x', status: 201 }));
    expect(await only(another)).toMatchObject([{ verdict: 'differs', omitted: [] }]);
    const [{ requests }] = await only(another);
    expect(requests).toMatchObject([
      { path: 'may', members: [{ name: 'title', was: shown('may'), is: shown('Really?') }] },
    ]);
    const status = line(calling('a'), asked, block('done', 'response', { data: 'x', status: 202 }));
    expect(await only(status)).toMatchObject([
      { verdict: 'differs', was: { httpStatus: 201 }, is: { httpStatus: 202 }, requests: [], omitted: [] },
    ]);
    expect(await only(before)).toMatchObject([{ verdict: 'same', was: { failure: null } }]);
  });

  test('a backtest on the version that ran them finds all executions the same', async () => {
    const { body } = await backtest({ version: 1 });
    expect(body.data).toMatchObject({ version: 1, counts: { same: 2, differs: 0, asks: 0, unreadable: 0 } });
  });

  test('the preview of a deploy and of a rollback has the backtest where it is asked', async () => {
    const preview = (query: string) =>
      stack.call('GET', `/api/v1/workflows/${workflow}/deploy/preview?${query}`);
    await draftIs(decide(3));
    expect((await preview('backtest=200')).body.data).toMatchObject({
      faults: [],
      backtest: (await backtest({ executions: 200 })).body.data,
    });
    expect((await preview('')).body.data).not.toHaveProperty('backtest');
    expect((await preview('action=rollback&version=1&backtest=1')).body.data.backtest).toMatchObject({
      version: 1,
      counts: { same: 1, differs: 0 },
    });
    for (const [query, path] of [
      ['backtest=201', 'backtest'],
      ['action=undeploy&backtest=1', 'backtest'],
      ['action=rollback&backtest=1', 'version'],
    ] as const)
      expect(await preview(query)).toMatchObject({ status: 400, body: { details: [{ path }] } });
    await draftIs({ ...decide(10), edges: [{ from: 'start', to: 'nowhere' }] });
    expect((await preview('backtest=1')).body.data).toMatchObject({
      faults: expect.arrayContaining([expect.objectContaining({ code: expect.any(String) })]),
      backtest: null,
    });
  });

  test('holdfast deploy --dry-run says how many of the last runs decide otherwise', async () => {
    await draftIs(decide(3));
    const program = ['dist/apps/cli/src/main.js', 'deploy', workflow, '--dry-run'];
    const env = { ...process.env, HOLDFAST_URL: stack.url, HOLDFAST_API_KEY: stack.home.key };
    const { stdout } = await promisify(execFile)(process.execPath, program, { env });
    expect(stdout).toContain(
      'Of the last 2 runs, replayed with their answers, 1 would end otherwise or send other requests.',
    );
  });

  test('holdfast backtest lists the executions that would go another way, and why; holdfast fork names the calls made again', async () => {
    await draftIs(decide(3));
    const env = { ...process.env, HOLDFAST_URL: stack.url, HOLDFAST_API_KEY: stack.home.key };
    const holdfast = async (...words: string[]) =>
      (await promisify(execFile)(process.execPath, ['dist/apps/cli/src/main.js', ...words], { env })).stdout;
    const found = await holdfast('backtest', workflow);
    expect(found).toContain('Of the last 2 runs, replayed with their answers, 1 would end otherwise');
    expect(found).toMatch(/exec_\w+ +differs +completed .+ -> /);
    expect(await holdfast('backtest', workflow, '--version', '1')).toMatch(
      /^Of the last 2 runs.+ none would .+\n$/,
    );
    expect(await holdfast('fork', runs[0]?.id ?? '', '--version', '1', '--dry-run')).toContain(
      'A fork would run version 1; 0 visits are kept, 3 would run anew; made again: a.',
    );
    const [first, ...others] = decide(10).blocks as { params: object }[];
    const sending = { ...first, params: { ...first?.params, body: { n: 2 } } };
    await draftIs({ ...decide(10), blocks: [sending, ...others] });
    expect(await holdfast('backtest', workflow)).toMatch(/exec_\w+ +a +body +- +\{"n":2\}/);
    expect(await holdfast('fork', runs[0]?.id ?? '', '--from', 'check', '--dry-run')).toMatch(
      /a +kept +exec_\w+\/a/,
    );
    expect(await holdfast('fork', runs[0]?.id ?? '', '--dry-run')).toMatch(
      /a +made again +\{id of the fork\}\/a/,
    );
  });

  test('a backtest computes anew what blocks over large values decide, and fails or mends as the draft does', async () => {
    const of = (when: string, data: string) => ({
      start: { inputs: { text: { type: 'string', required: true } } },
      variables: { said: { type: 'string' } },
      blocks: [
        block('set', 'variables', { set: { said: '{{ start.text + "!" }}' } }),
        { id: 'check', type: 'condition', cases: [{ port: 'large', when }] },
        block('large', 'response', { data }),
        block('small', 'response', { data: 'small' }),
      ],
      edges: [
        { from: 'start', to: 'set' },
        { from: 'set', to: 'check' },
        { from: 'check', port: 'large', to: 'large' },
        { from: 'check', port: 'else', to: 'small' },
      ],
    });
    const of100 = of('size(vars.said) > 100', 'large');
    const large = await stack.givenDeployed(of100);
    const text = 'x'.repeat(50_000);
    const run = async () =>
      (await stack.call('POST', `/api/workflows/${large}/execute`, { inputs: { text } })).body.status;
    const only = async (draft: object) => {
      await stack.call('PATCH', `/api/v1/workflows/${large}`, { definition: draft });
      const { body } = await stack.call('POST', `/api/v1/workflows/${large}/backtest`, { executions: 1 });
      return body.data.runs[0];
    };
    expect(await run()).toBe('completed');
    expect(await only(of100)).toMatchObject({ verdict: 'same', difference: null });
    expect(await only(of('size(vars.said) > 50001', 'large'))).toMatchObject({
      verdict: 'differs',
      difference: { path: 'check', was: 'completed: large', is: 'completed: else' },
      is: { output: 'small' },
    });
    expect(await only(of('size(vars.said) > 50000', '{{ size(vars.said) }}'))).toMatchObject({
      verdict: 'differs',
      difference: null,
      is: { output: 50_001 },
    });
    const broken = of('[1][size(vars.said)] == 1', 'large');
    expect(await only(broken)).toMatchObject({ verdict: 'differs', is: { status: 'failed' } });
    await stack.call('POST', `/api/v1/workflows/${large}/deploy`, {});
    expect(await run()).toBe('failed');
    expect(await only(broken)).toMatchObject({ verdict: 'same', is: { status: 'failed' } });
    expect(await only(of100)).toMatchObject({
      verdict: 'differs',
      is: { status: 'completed', output: 'large' },
    });
  });

  test('a backtest of a draft with a fault, of no version and of too many executions is refused', async () => {
    await draftIs({ ...decide(10), edges: [{ from: 'start', to: 'nowhere' }] });
    expect(await backtest()).toMatchObject({ status: 400, body: { code: 'INVALID_DEFINITION' } });
    expect(await backtest({ version: 9 })).toMatchObject({ status: 404 });
    expect(await backtest({ executions: 201 })).toMatchObject({ status: 400 });
  });
});
