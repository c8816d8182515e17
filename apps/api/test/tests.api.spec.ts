import pg from 'pg';
import { ask, block, box, line, respond } from './support/graphs.ts';
import { Receiver } from './support/receiver.ts';
import { Stack, until } from './support/stack.ts';

let stack: Stack;
let receiver: Receiver;
let owner: pg.Client;
beforeAll(async () => {
  receiver = await Receiver.start(({ path }, response) =>
    response.writeHead(path === '/fails' ? 500 : 200).end('{"ok":1}'),
  );
  stack = await Stack.start();
  owner = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await stack.stop();
  receiver.stop();
});
beforeEach(() => {
  receiver.received.length = 0;
});

const calling = (id: string, more: object = { retry: { maxAttempts: 1 } }) =>
  block(id, 'http', { url: receiver.url(`/${id}`), method: 'POST' }, more);

const detail = (workflow: string, id: string) =>
  stack.get(`/api/workflows/${workflow}/executions/${id}`).then(({ body }) => body);

const ended = (workflow: string, id: string) =>
  until(
    () => detail(workflow, id),
    ({ status }) => ['completed', 'failed', 'cancelled'].includes(status),
  );

async function runTest(workflow: string, body: object = {}) {
  const { status, body: answer } = await stack.post(`/api/v1/workflows/${workflow}/test`, body);
  if (status !== 202) throw new Error(JSON.stringify(answer));
  return ended(workflow, answer.data.executionId);
}

async function givenLive(definition: object, draft: object): Promise<string> {
  const workflow = await stack.givenDeployed(definition);
  await stack.call('PATCH', `/api/v1/workflows/${workflow}`, { definition: draft });
  return workflow;
}

test('a test runs the draft while the live version stays, makes its calls, and is marked in the log', async () => {
  const workflow = await givenLive(
    line(respond('live')),
    line(calling('a'), respond('{{ a.status }} of the draft')),
  );
  const run = await runTest(workflow, { inputs: {} });
  expect(run).toMatchObject({
    status: 'completed',
    output: '200 of the draft',
    isTest: true,
    version: 0,
    trigger: 'test',
  });
  expect(receiver.received).toHaveLength(1);
  const { body } = await stack.get(`/api/v1/logs?workflowIds=${workflow}&triggers=test`);
  expect(body.data).toMatchObject([{ executionId: run.executionId, isTest: true }]);
  const live = await stack.execute(workflow, { inputs: {} });
  expect(live.body.output).toBe('live');
  const { body: read } = await stack.get(
    `/api/workflows/${workflow}/executions/${run.executionId}/definition`,
  );
  const draft = { blocks: [{ id: 'a' }, { id: 'done' }] };
  expect(read.data).toMatchObject({ version: 0, definition: draft });
  const state = await stack.get(`/api/v1/logs/executions/${run.executionId}`);
  expect(state.body.workflowState).toMatchObject(draft);
});

test('a test of a workflow that was never deployed runs a definition that nobody has stored', async () => {
  const workflow = await stack.givenWorkflow(line(respond('stored')));
  const definition = line(respond('{{ run.version }}'));
  expect(await runTest(workflow, { definition })).toMatchObject({ output: 0 });
  expect((await stack.get(`/api/v1/workflows/${workflow}`)).body.data.definition.blocks[0].params.data).toBe(
    'stored',
  );
});

test('a scenario answers the calls and children of a test, attempt by attempt, and none is made', async () => {
  const tries = { retry: { maxAttempts: 3, initialDelay: 'PT0S' } };
  const child = block('child', 'workflow', { workflowId: 'wf_nowhere', inputs: {} });
  const workflow = await stack.givenWorkflow(
    line(
      calling('a', tries),
      box('each', 'loop', { count: 2 }, calling('b')),
      child,
      respond('{{ a.status }} {{ child }}'),
    ),
  );
  const fail = { code: 'HTTP_500', message: 'away' };
  const run = await runTest(workflow, {
    effects: { a: [{ fail }, { output: { status: 7 } }], b: { output: 1 }, 'b@each[1]': { output: 2 } },
    children: { child: { output: 'of the child' } },
  });
  expect(run).toMatchObject({ status: 'completed', output: '7 of the child' });
  const visits = run.blocks.map(({ path, attempts, output }: Record<string, unknown>) => ({
    path,
    attempts,
    output,
  }));
  expect(visits).toContainEqual({ path: 'a', attempts: 2, output: { status: 7 } });
  expect(visits).toContainEqual({ path: 'b@each[1]', attempts: 1, output: 2 });
  expect(receiver.received).toEqual([]);
});

test('a call without an answer fails a test with a scenario, and a retry of it is refused in words', async () => {
  const workflow = await stack.givenWorkflow(line(calling('a'), calling('b')));
  const run = await runTest(workflow, { effects: { a: { output: 1 } } });
  expect(run).toMatchObject({ status: 'failed', failure: { code: 'SCENARIO_ANSWER_MISSING', blockId: 'b' } });
  const path = `/api/workflows/${workflow}/executions/${run.executionId}`;
  expect(await stack.post(`${path}/retry`, {})).toMatchObject({
    status: 409,
    body: { code: 'WOULD_FAIL_AGAIN' },
  });
  const fork = await stack.post(`${path}/fork`, { from: 'b', output: { status: 200 } });
  expect(fork.status).toBe(202);
  const forked = await ended(workflow, fork.body.data.execution.executionId);
  expect(forked).toMatchObject({ status: 'completed', failure: null, isTest: true });
  expect(receiver.received).toEqual([]);
});

test('a test whose call the scenario fails makes no call later: a retry, a fork into a version and a bulk job leave it', async () => {
  const definition = line(calling('a'));
  const workflow = await stack.givenDeployed(definition);
  const run = await runTest(workflow, { effects: { a: { fail: { code: 'X', message: 'down' } } } });
  expect(run.status).toBe('failed');
  const path = `/api/workflows/${workflow}/executions/${run.executionId}`;
  const retried = await stack.post(`${path}/retry`, {});
  expect(retried).toMatchObject({ status: 409, body: { code: 'WOULD_FAIL_AGAIN' } });
  expect(retried.body.error).toContain('The scenario answers the calls');
  expect(await stack.post(`${path}/fork`, { version: 1 })).toMatchObject({
    status: 400,
    body: { details: [{ path: 'version', code: 'is_test' }] },
  });
  for (const verb of ['retry', 'fork']) {
    const { body } = await stack.post('/api/v1/bulk', {
      verb,
      filter: { workflowIds: workflow },
      dryRun: true,
    });
    expect(body.data.counts).toMatchObject({ found: 1, eligible: 0 });
  }
  expect(receiver.received).toEqual([]);
});

test('a test with a scenario tells nobody of its question, and a test without one does', async () => {
  const question = {
    title: 'Go on?',
    form: [{ name: 'yes', type: 'boolean' }],
    notify: { emails: ['ada@example.org'] },
  };
  const workflow = await stack.givenWorkflow(line(block('ask', 'human', question)));
  const askedBy = async (body: object) => {
    const { executionId } = (await stack.post(`/api/v1/workflows/${workflow}/test`, body)).body.data;
    await until(
      () => detail(workflow, executionId),
      ({ status }) => status === 'paused',
    );
    return executionId;
  };
  const silent = await askedBy({ effects: {} });
  const told = await askedBy({});
  const asked = async () => {
    const { rows } = await owner.query(
      'select p.execution_id as id from notices n join pause_points p using (context_id) where p.execution_id = any($1)',
      [[silent, told]],
    );
    return rows.map(({ id }) => id);
  };
  expect(await until(asked, (ids) => ids.length > 0)).toEqual([told]);
});

test('a long scenario goes on behind a pause and over many steps', async () => {
  const workflow = await stack.givenWorkflow(
    line(ask('may'), box('each', 'loop', { count: 1500 }, calling('a')), respond('done')),
  );
  const { body } = await stack.post(`/api/v1/workflows/${workflow}/test`, { effects: { a: { output: 1 } } });
  const paused = await until(
    () => detail(workflow, body.data.executionId),
    ({ status }) => status === 'paused',
  );
  const { apiUrl } = paused.paused.pausePoints[0].resumeLinks;
  await stack.post(new URL(apiUrl).pathname, { input: { ok: true } });
  expect(await ended(workflow, body.data.executionId)).toMatchObject({ status: 'completed', output: 'done' });
  expect(receiver.received).toEqual([]);
});

test('a test is not in the statistics and lists of its workflow, takes no place in its line, and tells no event trigger', async () => {
  const flow = { concurrency: { limit: 1, onLimit: 'reject' } };
  const definition = { start: { inputs: {}, flow }, ...line(ask('may')) };
  const workflow = await givenLive(definition, definition);
  const heard = await stack.givenDeployed({
    start: { inputs: { event: { type: 'object', default: {} } } },
    ...line(respond(1)),
  });
  const listening = {
    kind: 'event',
    name: 'ends',
    event: { types: ['execution.cancelled', 'execution.paused'], workflowIds: [workflow] },
    inputs: {},
  };
  expect((await stack.post(`/api/v1/workflows/${heard}/triggers`, listening)).status).toBe(201);
  const { body: held } = await stack.execute(workflow, { inputs: {} });
  const { body } = await stack.post(`/api/v1/workflows/${workflow}/test`, {});
  const id = body.data.executionId;
  await until(
    () => detail(workflow, id),
    ({ status }) => status === 'paused',
  );
  await stack.post(`/api/workflows/${workflow}/executions/${id}/cancel`);
  await ended(workflow, id);
  await stack.post(`/api/workflows/${workflow}/executions/${held.executionId}/cancel`);
  await ended(workflow, held.executionId);
  const { body: events } = await until(
    () => stack.get(`/api/v1/logs?workflowIds=${heard}`),
    ({ body: { data } }) => data.length === 2,
  );
  expect(events.data).toHaveLength(2);
  const { body: stats } = await stack.get(`/api/v1/logs/stats?workflowIds=${workflow}`);
  expect(stats.data.reduce((sum: number, { runs }: { runs: number }) => sum + runs, 0)).toBe(1);
  const { body: listed } = await stack.get(`/api/v1/workflows?limit=100`);
  const [row] = listed.data.filter((one: { id: string }) => one.id === workflow);
  expect(row.lastExecution.executionId).toBe(held.executionId);
});

test('a child of a test is a test', async () => {
  const child = await stack.givenDeployed(line(respond('child')));
  const workflow = await stack.givenWorkflow(
    line(block('c', 'workflow', { workflowId: child, inputs: {} }), respond('{{ c }}')),
  );
  const run = await runTest(workflow);
  expect(run.output).toBe('child');
  const { body } = await stack.get(`/api/v1/logs?workflowIds=${child}`);
  expect(body.data).toMatchObject([{ isTest: true, trigger: 'workflow', version: 1 }]);
});

test('a test during a hold is queued, and its answer says why', async () => {
  const workflow = await stack.givenWorkflow(line(respond('done')));
  const holds = `/api/v1/workspaces/${stack.home.id}/holds`;
  const { body } = await stack.post(holds, { workflowId: workflow, reason: 'It is being moved.' });
  const tested = await stack.post(`/api/v1/workflows/${workflow}/test`);
  expect(tested).toMatchObject({ status: 202, body: { data: { held: { reason: 'It is being moved.' } } } });
  await stack.post(`${holds}/${body.data.id}/release`);
  expect((await ended(workflow, tested.body.data.executionId)).output).toBe('done');
});

test('a tested draft is stored with its execution, and goes with it; a fork has its own', async () => {
  const drafts = async () =>
    (await owner.query('select hash from plans where definition is not null')).rows.map(({ hash }) => hash);
  const workflow = await stack.givenWorkflow(line(calling('a'), respond('done')));
  const before = await drafts();
  const { executionId } = await runTest(workflow);
  const forked = await stack.post(`/api/workflows/${workflow}/executions/${executionId}/fork`, { from: 'a' });
  const fork = await ended(workflow, forked.body.data.execution.executionId);
  expect(new Set((await drafts()).filter((hash) => !before.includes(hash)))).toEqual(
    new Set([`test ${executionId}`, `test ${fork.executionId}`]),
  );
  await owner.query('delete from executions where id = $1', [executionId]);
  expect((await drafts()).filter((hash) => !before.includes(hash))).toEqual([`test ${fork.executionId}`]);
  expect(fork).toMatchObject({ status: 'completed', output: 'done', isTest: true });
});

describe('bad input', () => {
  let workflow: string;
  beforeAll(async () => {
    workflow = await stack.givenWorkflow({
      start: { inputs: { n: { type: 'number', required: true } } },
      ...line(calling('a')),
    });
  });

  test.each([
    ['a missing input', {}, 'inputs.n'],
    ['an input of another type', { inputs: { n: 'x' } }, 'inputs.n'],
    [
      'a definition with a fault',
      { inputs: { n: 1 }, definition: line(block('x', 'nothing', {})) },
      'blocks[0].type',
    ],
    [
      'an answer of a block that is not there',
      { inputs: { n: 1 }, effects: { b: { output: 1 } } },
      'effects.b',
    ],
    ['an answer that is none', { inputs: { n: 1 }, effects: { a: {} } }, 'effects.a'],
    [
      'an answer that names a stored value',
      { inputs: { n: 1 }, effects: { a: { output: { $payload: 'pay_1', bytes: 1 } } } },
      'effects',
    ],
    [
      'answers that are too long',
      { inputs: { n: 1 }, effects: { a: { output: 'x'.repeat(17_000) } } },
      'effects',
    ],
  ])('a test with %s is refused, and the field is named', async (_, body, path) => {
    const before = await owner.query('select hash from plans');
    const { status, body: answer } = await stack.post(`/api/v1/workflows/${workflow}/test`, body);
    expect((await owner.query('select hash from plans')).rows).toEqual(before.rows);
    expect({ status, paths: answer.details?.map((one: { path: string }) => one.path) }).toMatchObject({
      status: 400,
      paths: expect.arrayContaining([path]),
    });
    const { body: log } = await stack.get(`/api/v1/logs?workflowIds=${workflow}`);
    expect(log.data).toEqual([]);
  });

  test('a test of another tenant does not exist', async () => {
    const theirs = await stack.givenWorkspace();
    const { status } = await stack.post(
      `/api/v1/workflows/${workflow}/test`,
      { inputs: { n: 1 } },
      { 'x-api-key': theirs.key },
    );
    expect(status).toBe(404);
  });
});
