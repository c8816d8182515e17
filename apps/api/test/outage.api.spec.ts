import pg from 'pg';
import { approval, pure, waiting } from './support/definitions.ts';
import { block, line as straight, respond } from './support/graphs.ts';
import { Line } from './support/line.ts';
import { Receiver } from './support/receiver.ts';
import { describeRun, Stack, until } from './support/stack.ts';
import { testInWhole } from '#libs/platform/settings/support/whole';

let stack: Stack;
let line: Line;
beforeAll(async () => {
  line = await Line.to(process.env.HOLDFAST_TEST_TEMPORAL ?? '');
  stack = await Stack.start({ ROLES: 'api', TEMPORAL_ADDRESS: line.address });
});
afterAll(async () => {
  await stack.stop();
  line.stop();
});

describe('while Temporal is away', () => {
  test('executions are accepted, a waiting caller is answered when Temporal is back, and each runs once', async () => {
    const workflow = await stack.givenDeployed(waiting);
    expect((await stack.execute(workflow, { inputs: { amount: 1 } })).status).toBe(200);
    line.break();
    const ready = await until(
      () => stack.get('/health/ready'),
      ({ body }) => body.dependencies.temporal === 'down',
    );
    expect(ready.status).toBe(200);
    const later = stack.execute(workflow, { inputs: { amount: 2 } });
    const short = await stack.execute(workflow, { inputs: { amount: 3 } }, { prefer: 'wait=1' });
    expect(short).toMatchObject({ status: 202, body: { async: true } });
    const asynchronous = await stack.execute(workflow, { inputs: { amount: 4 }, async: true });
    expect(asynchronous.status).toBe(202);
    expect((await stack.get(`/api/jobs/${asynchronous.body.jobId}`)).body.status).toBe('queued');
    line.mend();
    expect((await later).body).toMatchObject({ status: 'completed', output: { amount: 2 } });
    for (const { body } of [short, asynchronous]) {
      expect((await stack.get(`/api/jobs/${body.jobId}?wait=60`)).body.status).toBe('completed');
    }
  });

  test('executions without effects complete, pauses open, and Temporal is told of all of them later', async () => {
    const [workflow, asking] = [await stack.givenDeployed(pure), await stack.givenDeployed(approval)];
    line.break();
    const completed = await stack.execute(workflow, { inputs: { amount: 2 } });
    expect(completed).toMatchObject({ status: 200, body: { status: 'completed', output: { amount: 2 } } });
    const paused = await stack.givenPaused(asking);
    const answered = await stack.post(paused.apiUrl, { input: { approved: true }, async: true });
    expect(answered.status).toBe(202);
    const cancelled = await stack.givenPaused(asking);
    const path = `/api/workflows/${asking}/executions/${cancelled.executionId}`;
    expect((await stack.post(`${path}/cancel`)).status).toBe(202);
    line.mend();
    const job = await stack.get(`/api/jobs/${answered.body.jobId}?wait=60`);
    expect(job.body).toMatchObject({ status: 'completed', output: { approved: true } });
    await until(
      () => stack.get(path),
      ({ body }) => body.status === 'cancelled',
    );
    const { status } = await describeRun(await stack.temporal(), completed.body.executionId);
    expect(['RUNNING', 'COMPLETED']).toContain(status.name);
  });

  test('a run ends with the answer to its last call, its caller gets the result, and nothing is repeated when the worker is lost then', async () => {
    const held: (() => void)[] = [];
    const receiver = await Receiver.start(({ path }, response) => {
      if (path === '/last') held.push(() => void response.end('{}'));
      else response.end('{}');
    });
    const call = (id: string) => block(id, 'http', { method: 'POST', url: receiver.url(`/${id}`) });
    const workflow = await stack.givenDeployed(straight(call('first'), call('last'), respond('done')));
    const running = stack.execute(workflow);
    await until(
      async () => held.length,
      (count) => count === 1,
    );
    line.break();
    held[0]?.();
    const { body } = await running;
    expect(body).toMatchObject({ status: 'completed', output: 'done' });
    await stack.worker.kill();
    line.mend();
    await stack.startWorker();
    const { status } = await until(
      async () => describeRun(await stack.temporal(), body.executionId),
      (run) => run.status.name !== 'RUNNING',
    );
    expect(status.name).toBe('COMPLETED');
    expect(receiver.received.map(({ path }) => path)).toEqual(['/first', '/last']);
    const blocks = await stack.blockLog(workflow, body.executionId);
    expect(blocks.map((one) => `${one.blockId} ${one.status}`)).toEqual(
      ['first', 'last', 'done'].map((id) => `${id} completed`),
    );
    receiver.stop();
  });

  testInWhole(
    'an event stream that was cut before the start gives each later state once, in order, when it is resumed',
    async () => {
      const workflow = await stack.givenDeployed(waiting);
      line.break();
      const { body } = await stack.execute(workflow, { inputs: { amount: 5 }, async: true });
      const url = `${stack.url}/api/jobs/${body.jobId}/events`;
      const headers = { 'x-api-key': stack.home.key };
      const reader = (await fetch(url, { headers })).body?.getReader();
      const queued = eventsOf(new TextDecoder().decode((await reader?.read())?.value));
      await reader?.cancel();
      line.mend();
      await stack.get(`/api/jobs/${body.jobId}?wait=60`);
      const resume = async (id: string) =>
        eventsOf(await (await fetch(url, { headers: { ...headers, 'last-event-id': id } })).text());

      const resumed = await resume(queued[0]?.id ?? '');
      expect([...queued, ...resumed].map(({ event, job }) => [event, job.status])).toEqual([
        ['status', 'queued'],
        ['status', 'processing'],
        ['done', 'completed'],
      ]);
      expect(resumed.map(({ job }) => job.metadata)).toEqual([
        { createdAt: expect.any(String), startedAt: expect.any(String), completedAt: null, duration: null },
        (await stack.get(`/api/jobs/${body.jobId}`)).body.metadata,
      ]);
      expect(await resume(resumed[0]?.id ?? '')).toEqual(resumed.slice(1));
    },
  );

  test('an answer is committed, and applied when Temporal is back', async () => {
    const workflow = await stack.givenDeployed(approval);
    const { apiUrl, executionId } = await stack.givenPaused(workflow);
    line.break();
    const answered = await stack.post(apiUrl, { input: { approved: true }, async: true });
    expect(answered.status).toBe(202);
    expect((await stack.post(apiUrl, { input: { approved: true } })).status).toBe(409);
    line.mend();
    const job = await stack.get(`/api/jobs/${answered.body.jobId}?wait=60`);
    expect(job.body).toMatchObject({ status: 'completed', executionId });
  });

  testInWhole('a start is tried again every 8 s at least, however often it has failed', async () => {
    const workflow = await stack.givenDeployed(waiting);
    line.break();
    const { body } = await stack.execute(workflow, { inputs: { amount: 1 }, async: true });
    const client = new pg.Client({ connectionString: stack.env.DATABASE_URL });
    await client.connect();
    await client.query(
      'update executions set delivery_attempts = 30, next_delivery_at = now() where id = $1',
      [body.executionId],
    );
    const waits = `select extract(epoch from next_delivery_at - now())::float as s, delivery_attempts from executions where id = $1`;
    const { s } = await until(
      async () => (await client.query(waits, [body.executionId])).rows[0],
      ({ delivery_attempts }) => delivery_attempts > 30,
    );
    await client.end();
    line.mend();
    expect(s).toBeLessThanOrEqual(8);
    expect((await stack.get(`/api/jobs/${body.jobId}?wait=60`)).body.status).toBe('completed');
  });

  test('a cancel of a run that Temporal never got ends the run before its first block', async () => {
    const workflow = await stack.givenDeployed(waiting);
    line.break();
    const { body } = await stack.execute(workflow, { inputs: { amount: 1 }, async: true });
    const path = `/api/workflows/${workflow}/executions/${body.executionId}`;
    expect((await stack.post(`${path}/cancel`)).status).toBe(202);
    line.mend();
    const ended = await until(
      () => stack.get(path),
      (answer) => answer.body.status === 'cancelled',
    );
    expect(ended.body.blocks).toEqual([]);
  });
});

/** Server-sent events by their three lines. */
function eventsOf(text: string) {
  return [...text.matchAll(/^id: (.*)\nevent: (.*)\ndata: (.*)\n\n/gm)].map(
    ([, id = '', event, data = '']) => ({
      id,
      event,
      job: JSON.parse(data),
    }),
  );
}

test('a table block waits for a database that is away, and writes once', async () => {
  const database = new URL(stack.env['DATABASE_URL'] ?? '');
  const way = await Line.to(database.host);
  await stack.worker.kill('SIGTERM');
  await stack.startWorker({ DATABASE_URL: Object.assign(new URL(database), { host: way.address }).href });
  await stack.post('/api/v1/tables', {
    name: 'notes',
    schema: { columns: [{ name: 'text', type: 'string' }] },
  });
  const note = block('note', 'table', { operation: 'insert', table: 'notes', data: { text: 'once' } });
  const workflow = await stack.givenDeployed(straight(note, respond('{{ note.insertedCount }}')));
  way.break();
  const { body } = await stack.execute(workflow, { async: true });
  const client = await stack.temporal();
  await until(
    async () => (await describeRun(client, body.executionId)).raw.pendingActivities?.[0],
    (activity) => activity?.activityId === 'note' && (activity.attempt ?? 0) >= 3,
  );
  way.mend();
  expect((await stack.get(`/api/jobs/${body.jobId}?wait=60`)).body).toMatchObject({
    status: 'completed',
    output: 1,
  });
  await stack.worker.kill('SIGTERM');
  way.stop();
  await stack.startWorker();
});

test('a call that gets no connection to the database in time is refused with Retry-After', async () => {
  await stack.api.kill('SIGTERM');
  await stack.startApi({ DATABASE_POOL_MAX: '1', DATABASE_WAIT_MS: '1000' });
  const owner = new pg.Client({ connectionString: stack.env['DATABASE_URL'] });
  await owner.connect();
  try {
    const path = `/api/v1/tables?workspaceId=${stack.home.id}`;
    await until(
      () => stack.get(path),
      ({ status }) => status === 200,
    );
    await owner.query('begin; lock table tables in access exclusive mode');
    const calls = [1, 2].map(() => stack.get(`/api/v1/tables?workspaceId=${stack.home.id}`));
    const { status, headers, body } = await Promise.race(calls);
    await owner.query('rollback');
    const told = { status, code: body.code, after: headers.get('retry-after') };
    expect(told).toEqual({ status: 503, code: 'UNAVAILABLE', after: '2' });
    expect(new Set((await Promise.all(calls)).map((answer) => answer.status))).toEqual(new Set([200, 503]));
  } finally {
    await owner.end();
  }
});
