import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { untilSessions } from '#libs/platform/database/support/sessions';
import { quickAgain, slowDeletion } from '#libs/platform/database/support/slow-deletion';
import { ask, block, line as straight, respond } from './support/graphs.ts';
import { Line } from './support/line.ts';
import { Receiver } from './support/receiver.ts';
import { answersIt, closed, knowsRun, resetBefore } from './support/resets.ts';
import { describeRun, Stack, until } from './support/stack.ts';
import { testInWhole } from '#libs/platform/settings/support/whole';

/** Answers after which no effect stands between the pause and the end, or the next pause: the API goes on with them. */
let stack: Stack;
let line: Line;
beforeAll(async () => {
  line = await Line.to(process.env['HOLDFAST_TEST_TEMPORAL'] ?? '');
  stack = await Stack.start({ TEMPORAL_ADDRESS: line.address });
});
afterAll(async () => {
  await stack.stop();
  line.stop();
});

const two = {
  variables: { seen: { type: 'boolean', initial: false } },
  ...straight(
    ask('first'),
    block('note', 'variables', { set: { seen: '{{ first.ok }}' } }),
    ask('second'),
    respond({ seen: '{{ vars.seen }}', last: '{{ second.ok }}' }),
  ),
};

const ending = straight(ask('first'), respond('{{ first.ok }}'));

const given = async (definition: object = two) => {
  const workflow = await stack.givenDeployed(definition);
  const { executionId, apiUrl } = await stack.givenPaused(workflow);
  const path = `/api/workflows/${workflow}/executions/${executionId}`;
  const contextId = apiUrl.split('/').at(-1);
  return { contextId, executionId, path, answer: (ok: boolean, more = {}) => say(apiUrl, ok, more) };
};
const say = (url: string, ok: boolean, more = {}) => stack.post(url, { input: { ok }, ...more });
const nextOf = ({ body }: { body: { paused: { pausePoints: { resumeLinks: { apiUrl: string } }[] } } }) =>
  new URL(body.paused.pausePoints[0]?.resumeLinks.apiUrl ?? '').pathname;
const detailOf = async (path: string) => (await stack.get(path)).body;
const ended = (path: string) =>
  until(
    () => detailOf(path),
    ({ status }) => !['running', 'paused'].includes(status),
  );
/** Waits until Temporal has closed the run, and the run has no answer to record any more. */
const closedAs = async (executionId: string) => {
  const client = await stack.temporal();
  await closed(client, executionId);
  return (await describeRun(client, executionId)).status.name;
};
const statesOf = (blocks: { blockId: string; status: string }[]) =>
  blocks.map(({ blockId, status }) => `${blockId} ${status}`);

describe('while Temporal is away', () => {
  afterEach(() => line.mend());

  test('an answer opens the next pause, whose answer waits for the run, and the run records the same times', async () => {
    const { path, executionId, answer } = await given();
    await knowsRun(await stack.temporal(), executionId);
    line.break();
    const opened = await answer(true);
    expect(opened).toMatchObject({ status: 200, body: { status: 'paused' } });
    const { blocks } = await detailOf(path);
    expect(statesOf(blocks)).toEqual(['first completed', 'note completed', 'second paused']);
    const last = await say(nextOf(opened), false, { async: true });
    expect(last.status).toBe(202);
    expect((await say(nextOf(opened), true)).status).toBe(409);
    line.mend();
    expect(await ended(path)).toMatchObject({ status: 'completed', output: { seen: true, last: false } });
    expect(await closedAs(executionId)).toBe('COMPLETED');
    expect((await detailOf(path)).blocks.slice(0, 2)).toEqual(blocks.slice(0, 2));
  });

  test('an answer ends the run, and survives the process that took it', async () => {
    const { path, executionId, answer } = await given(ending);
    await knowsRun(await stack.temporal(), executionId);
    line.break();
    expect(await answer(true)).toMatchObject({ status: 200, body: { status: 'completed', output: true } });
    await stack.api.kill();
    line.mend();
    await stack.startApi();
    const before = await detailOf(path);
    expect(before).toMatchObject({ status: 'completed', output: true });
    expect(await closedAs(executionId)).toBe('COMPLETED');
    expect(await detailOf(path)).toEqual(before);
    expect((await answer(false)).body.code).toBe('ALREADY_RESUMED');
  });

  testInWhole(
    'an answer ends the run, and survives the worker that is killed while the run records it',
    async () => {
      const { path, executionId, answer } = await given(ending);
      await knowsRun(await stack.temporal(), executionId);
      line.break();
      expect((await answer(true)).body.status).toBe('completed');
      const before = await detailOf(path);
      const holder = new pg.Client({ connectionString: stack.env['DATABASE_URL'] });
      holder.on('error', () => undefined);
      await holder.connect();
      await holder.query('begin');
      await holder.query('select from executions where id = $1 for update', [executionId]);
      line.mend();
      await untilSessions(holder);
      await stack.worker.kill();
      await holder.query('rollback');
      await holder.end();
      await stack.startWorker();
      expect(await closedAs(executionId)).toBe('COMPLETED');
      expect(await detailOf(path)).toEqual(before);
    },
  );

  test('a cancel after the answer keeps the finished blocks, and closes the next pause', async () => {
    const { path, executionId, answer } = await given();
    await knowsRun(await stack.temporal(), executionId);
    line.break();
    await answer(true);
    expect((await stack.post(`${path}/cancel`)).status).toBe(202);
    line.mend();
    expect(await ended(path)).toMatchObject({ status: 'cancelled' });
    expect(await closedAs(executionId)).toBe('CANCELLED');
    const states = statesOf((await detailOf(path)).blocks);
    expect(states.slice(0, 2)).toEqual(['first completed', 'note completed']);
    expect(states.slice(2)).not.toContain('second paused');
  });

  test('a cancel that meets the end of its run is refused, and asks nothing of it', async () => {
    const { path, executionId } = await given(ending);
    const holder = new pg.Client({ connectionString: stack.env['DATABASE_URL'] });
    await holder.connect();
    await holder.query('begin');
    await holder.query(`update executions set status = 'completed' where id = $1`, [executionId]);
    const cancel = stack.post(`${path}/cancel`);
    await untilSessions(holder);
    await holder.query('commit');
    expect(await cancel).toMatchObject({
      status: 409,
      body: { error: 'The execution is completed already.' },
    });
    const asked = `select cancel_requested_at as at from executions where id = $1`;
    expect((await holder.query(asked, [executionId])).rows).toEqual([{ at: null }]);
    await holder.end();
  });

  test('an operator who cancels the run before it has the answer takes nothing back', async () => {
    const { path, executionId, answer } = await given();
    await knowsRun(await stack.temporal(), executionId);
    line.break();
    await answer(true);
    const connection = await Connection.connect({ address: process.env['HOLDFAST_TEST_TEMPORAL'] });
    await new Client({ connection }).workflow.getHandle(executionId).cancel();
    await connection.close();
    // Its worker is behind the same line: the run has the cancel before the answer.
    line.mend();
    expect(await ended(path)).toMatchObject({ status: 'cancelled' });
    expect(await closedAs(executionId)).toBe('CANCELLED');
    const { blocks } = await detailOf(path);
    expect(statesOf(blocks)).toEqual(['first completed', 'note completed', 'second cancelled']);
  });
});

test('a run that ended with an answer, and is reset to before it, ends with the next answer', async () => {
  const { path, executionId, contextId, answer } = await given(ending);
  const client = await stack.temporal();
  await knowsRun(client, executionId);
  expect((await answer(true)).body.output).toBe(true);
  await closed(client, executionId);
  await resetBefore(client, executionId, answersIt, { withAnswers: false });
  // Only an operator's signal wakes the run before it is answered.
  await (await stack.runOf(executionId)).signal('resumeSignal', { contextId: 'ctx_none' });
  await (await stack.runOf(executionId)).signal('resumeSignal', { contextId, answers: { ok: false } });
  await closed(client, executionId);
  expect(await detailOf(path)).toMatchObject({ status: 'completed', output: false });
});

testInWhole(
  'a reset of a run with more visits than one statement deletes in time puts back all of them',
  async () => {
    const { path, executionId, contextId, answer } = await given(ending);
    const client = await stack.temporal();
    await knowsRun(client, executionId);
    await answer(true);
    await closed(client, executionId);
    const owner = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
    await owner.connect();
    const copied = 'workspace_id, block_id, name, type, status, started_at, ended_at';
    await owner.query(
      `insert into visits (execution_id, path, seq, ${copied}, first_recorded_at, recorded_at)
     select execution_id, 'more ' || n, 1000 + n, ${copied}, now(), now() from visits, generate_series(1, 500) n
     where execution_id = $1 and block_id = 'done'`,
      [executionId],
    );
    await owner.query(slowDeletion('visits', 100));
    await resetBefore(client, executionId, answersIt, { withAnswers: false });
    await (await stack.runOf(executionId)).signal('resumeSignal', { contextId, answers: { ok: false } });
    await closed(client, executionId);
    await owner.query(quickAgain('visits'));
    await owner.end();
    const { status, output, blocks } = await detailOf(path);
    expect([status, output, blocks.length]).toEqual(['completed', false, 2]);
  },
);

const definitions: Record<string, object> = {
  'that ends': straight(ask('first'), respond({ said: '{{ first.ok }}' })),
  'that asks again': two,
  'that fails': straight(ask('first'), respond('{{ int("none") }}')),
  'that calls out': {
    start: { inputs: { url: { type: 'string', default: 'http://127.0.0.1:9/' } } },
    ...straight(
      ask('first'),
      block('call', 'http', { method: 'GET', url: '{{ start.url }}' }),
      respond('done'),
    ),
  },
};

/** The view that callers have of a run whose pauses are all answered, without values that differ from run to run. */
async function traceOf(name: string) {
  const { path, answer } = await given(definitions[name]);
  const answers = [await answer(true)];
  while (answers.at(-1)?.body.status === 'paused')
    answers.push(await say(nextOf(answers.at(-1) as never), true));
  const { status, output, failure, blocks } = await ended(path);
  return {
    answers: answers.map(({ status: code, body }) => ({
      code,
      status: body.status,
      output: body.output,
      error: body.error,
    })),
    ended: { status, output, failure },
    blocks: blocks.map((one: Record<string, unknown>) => ({
      ...one,
      ...Object.fromEntries(
        ['startedAt', 'endedAt', 'durationMs', 'duration'].map((key) => [key, typeof one[key]]),
      ),
    })),
  };
}

test('a synchronous answer to a child waits for the parent that works beside it', async () => {
  const held: (() => void)[] = [];
  const receiver = await Receiver.start((_, response) => void held.push(() => response.end('{}')));
  const sub = await stack.givenDeployed(straight(ask('first'), ask('second'), respond('done')));
  const blocks = [
    block('sub', 'workflow', { workflowId: sub }),
    block('call', 'http', { method: 'GET', url: receiver.url('/') }),
  ];
  const edges = blocks.map(({ id }) => ({ from: 'start', to: id }));
  const workflow = await stack.givenDeployed({ blocks, edges });
  const running = stack.execute(workflow);
  const readPauses = async () =>
    (await stack.get(`/api/workflows/${workflow}/paused`)).body.pausedExecutions?.[0]?.pausePoints ?? [];
  const [first] = await until(readPauses, (points) => points.length === 1 && held.length === 1);
  const answering = say(new URL(first.resumeLinks.apiUrl).pathname, true);
  await until(readPauses, (points) => points.length === 2);
  held[0]?.();
  expect((await answering).body).toMatchObject({ status: 'paused' });
  expect((await running).body).toMatchObject({ status: 'paused' });
  receiver.stop();
});

test('a caller who waits for the result of an answer counts among those who wait in the process', async () => {
  const held: (() => void)[] = [];
  const receiver = await Receiver.start((_, response) => void held.push(() => response.end('{}')));
  const call = block('call', 'http', { method: 'GET', url: receiver.url('/') });
  const { answer } = await given(straight(ask('first'), call, respond('done')));
  const owner = new pg.Client({ connectionString: stack.env['DATABASE_URL'] });
  await owner.connect();
  const readBusy = async () => (await owner.query('select from processes where is_busy')).rows.length;
  await until(readBusy, (count) => count === 0);
  const answering = answer(true);
  await until(readBusy, (count) => count > 0);
  await owner.end();
  await until(
    async () => held.length,
    (count) => count === 1,
  );
  held[0]?.();
  expect((await answering).body).toMatchObject({ status: 'completed', output: 'done' });
  receiver.stop();
});

test('an answer applied by the API leaves the same rows as an answer applied by the worker', async () => {
  const here: Record<string, unknown> = {};
  for (const name of Object.keys(definitions)) here[name] = await traceOf(name);
  await stack.api.kill('SIGTERM');
  await stack.startApi({ INLINE_MAX_MS: '0' });
  for (const name of Object.keys(definitions))
    expect({ [name]: await traceOf(name) }).toEqual({ [name]: here[name] });
});
