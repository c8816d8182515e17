import pg from 'pg';
import { terminateSessions, untilSessions, waitsForLock } from '#libs/platform/database/support/sessions';
import { block, box, line, respond } from './support/graphs.ts';
import { Receiver } from './support/receiver.ts';
import { Stack, until } from './support/stack.ts';
import { isWhole, testMoreInWhole } from '#libs/platform/settings/support/whole';

let stack: Stack;
let database: pg.Client;
let receiver: Receiver;
/** The paths whose calls get no answer. */
const held = new Set<string>();
/** The path whose call is answered by `open`. */
const gate = { path: '', open: () => undefined as unknown };
/** Too large for a row, so it is stored apart. */
const large = 'x'.repeat(20_000);
/** Too large to be read by a process that serves callers. */
const huge = 'x'.repeat(100_000);
const texts: Record<string, string> = { '/large': large, '/huge': huge };

beforeAll(async () => {
  // Of its own, because it kills the API.
  stack = await Stack.start({ SHUTDOWN_GRACE_S: '1' });
  database = new pg.Client(stack.env['DATABASE_URL']);
  await database.connect();
  receiver = await Receiver.start(({ path }, response) => {
    const answer = () => response.end(JSON.stringify({ path, text: texts[path] ?? '' }));
    if (path === gate.path) gate.open = answer;
    else if (!held.has(path)) answer();
  });
});
beforeEach(() => {
  held.clear();
  receiver.received.length = 0;
});
afterAll(async () => {
  receiver.stop();
  await database.end();
  await stack.stop();
});

const call = (id: string, more: object = {}) =>
  block(id, 'http', { method: 'POST', url: receiver.url(`/${id}`), idempotent: true, ...more });
const three = () => line(call('a'), call('b'), call('c'), respond({ last: '{{ c.data.path }}' }));
const calls = (path: string) => receiver.received.filter((one) => one.path === path);
const isCalled = (path: string) =>
  until(
    async () => calls(path).length,
    (count) => count > 0,
  );
const job = async (jobId: string) => (await stack.get(`/api/jobs/${jobId}?wait=60`)).body;
const isOwned = async (executionId: string) => {
  const { rows } = await database.query('select process_id from direct_runs where execution_id = $1', [
    executionId,
  ]);
  return rows.length > 0;
};
/** Ends the leases of all processes that do not renew them. */
const endLeases = () => database.query(`update processes set beat_at = now() - interval '1 minute'`);

/** Accepts a run and waits until the call of the block is under way. */
async function givenHeldAt(
  id: string,
  definition: object = three(),
): Promise<{ executionId: string; jobId: string }> {
  held.add(`/${id}`);
  const { body } = await stack.execute(await stack.givenDeployed(definition), { async: true });
  await isCalled(`/${id}`);
  return body;
}

describe('a run of calls in a row', () => {
  test('a run of calls in a row needs neither Temporal nor a worker', async () => {
    await stack.worker.kill();
    const { body } = await stack.execute(await stack.givenDeployed(three()));
    expect(body).toMatchObject({ success: true, output: { last: '/c' } });
    const { rows } = await database.query(
      `select number, event ->> 'kind' as kind, event ->> 'path' as path from run_events where execution_id = $1 order by number`,
      [body.executionId],
    );
    expect(rows).toEqual([
      { number: 1, kind: 'started', path: null },
      ...['a', 'b', 'c'].map((path, n) => ({ number: n + 2, kind: 'succeeded', path })),
    ]);
    expect(await isOwned(body.executionId)).toBe(false);
    await stack.startWorker();
  });

  test('a run of calls in a row is shown in Temporal once no caller waits', async () => {
    const { body } = await stack.execute(await stack.givenDeployed(three()));
    const run = await stack.runOf(body.executionId);
    await until(
      async () => (await run.describe()).status.name,
      (status) => status === 'COMPLETED',
    );
  });

  testMoreInWhole.each(isWhole ? ['a', 'b', 'c'] : ['b'])(
    'a run of calls in a row goes on in Temporal when its process is killed during call %s, and repeats only that call, with its key',
    async (id) => {
      const { executionId, jobId } = await givenHeldAt(id);
      expect(await isOwned(executionId)).toBe(true);
      await stack.api.kill();
      held.clear();
      await endLeases();
      await stack.startApi();
      expect(await job(jobId)).toMatchObject({ status: 'completed', output: { last: '/c' } });
      for (const other of ['a', 'b', 'c']) {
        expect(calls(`/${other}`)).toHaveLength(other === id ? 2 : 1);
        expect(new Set(calls(`/${other}`).map(({ key }) => key))).toEqual(
          new Set([`${executionId}/${other}`]),
        );
      }
    },
  );

  test('a run of calls in a row does not repeat a call that must not be repeated, and says that its outcome is unknown', async () => {
    const { jobId } = await givenHeldAt('pay', line(call('a'), call('pay', { idempotent: false })));
    await stack.api.kill();
    held.clear();
    await endLeases();
    await stack.startApi();
    expect(await job(jobId)).toMatchObject({
      status: 'failed',
      failure: { code: 'OUTCOME_UNKNOWN', blockId: 'pay' },
    });
    expect([calls('/a'), calls('/pay')].map(({ length }) => length)).toEqual([1, 1]);
    // A person who retries has decided: the call is sent, under a new key.
    const { executionId, workflowId } = (await stack.get(`/api/v1/logs?limit=1`)).body.data[0];
    const retried = await stack.post(`/api/workflows/${workflowId}/executions/${executionId}/retry`, {});
    expect(retried.status).toBe(202);
    expect(
      await until(
        () => job(jobId),
        ({ status }) => status === 'completed',
      ),
    ).toMatchObject({ status: 'completed' });
    expect(calls('/pay').map(({ key }) => key)).toEqual([`${executionId}/pay`, `${executionId}/pay/retry-1`]);
  });

  test('a run of calls in a row is written by one process: one that stood still for longer than its lease commits nothing', async () => {
    const { executionId, jobId } = await givenHeldAt('b');
    process.kill(stack.api.pid, 'SIGSTOP');
    held.clear();
    await endLeases();
    await until(
      () => isOwned(executionId),
      (owned) => !owned,
    );
    await until(
      async () => calls('/c').length,
      (count) => count === 1,
    );
    process.kill(stack.api.pid, 'SIGCONT');
    expect(await job(jobId)).toMatchObject({ status: 'completed' });
    // The process that stood still drops its call, whose answer never comes, and begins no other.
    expect(['/a', '/b', '/c'].map((path) => calls(path).length)).toEqual([1, 2, 1]);
  });

  test('a run of calls in a row is cancelled during a call, and begins no further', async () => {
    const { executionId, jobId } = await givenHeldAt('b');
    const { rows } = await database.query('select workflow_id from executions where id = $1', [executionId]);
    const answer = await stack.post(
      `/api/workflows/${rows[0].workflow_id}/executions/${executionId}/cancel`,
      {},
    );
    expect(answer.status).toBeLessThan(300);
    expect(await job(jobId)).toMatchObject({ failure: { code: 'CANCELLED' } });
    held.clear();
    const log = await stack.blockLog(rows[0].workflow_id, executionId);
    expect(log.map(({ blockId, status }) => [blockId, status])).toEqual([
      ['a', 'completed'],
      ['b', 'cancelled'],
    ]);
    expect(calls('/c')).toEqual([]);
  });

  test('a run of calls in a row is cancelled by the commit that accepts the cancel', async () => {
    const { executionId, jobId } = await givenHeldAt('b');
    const asked = `select workflow_id, cancel_requested_at from executions where id = $1`;
    const read = async () => (await database.query(asked, [executionId])).rows[0];
    await database.query('begin');
    await database.query('select from direct_runs where execution_id = $1 for update', [executionId]);
    const path = `/api/workflows/${(await read()).workflow_id}/executions/${executionId}/cancel`;
    const answer = stack.post(path, {});
    await untilSessions(database, waitsForLock, 1);
    const { cancel_requested_at: askedAt } = await read();
    await database.query('commit');
    // A process that had died then would have accepted nothing.
    expect(askedAt).toBeNull();
    expect((await answer).status).toBe(202);
    expect(await job(jobId)).toMatchObject({ failure: { code: 'CANCELLED' } });
  });

  test('a run of calls in a row that is taken over keeps to a cancel that was accepted', async () => {
    const { executionId, jobId } = await givenHeldAt('b');
    await stack.api.kill();
    await database.query('update executions set cancel_requested_at = now() where id = $1', [executionId]);
    held.clear();
    await endLeases();
    await stack.startApi();
    expect(await job(jobId)).toMatchObject({ failure: { code: 'CANCELLED' } });
    expect([calls('/b'), calls('/c')].map(({ length }) => length)).toEqual([1, 0]);
  });

  test('a run of calls in a row ends as failed when its active time is over during a call', async () => {
    held.add('/b');
    const workflow = await stack.givenDeployed(three());
    const body = { executionTimeoutSeconds: 1 };
    const answer = await stack.post(`/api/v2/workflows/${workflow}/execute`, body);
    expect(JSON.stringify(answer.body)).toContain('used up its active time');
  });

  test('a run of calls in a row goes on in Temporal where it forks, and keeps what is done', async () => {
    const wide = box('wide', 'parallel', { count: 3 }, call('inner'));
    const { body } = await stack.execute(
      await stack.givenDeployed(line(call('a'), wide, respond('{{ a.data.path }}'))),
    );
    expect(body).toMatchObject({ success: true, output: '/a' });
    expect([calls('/a'), calls('/inner')].map(({ length }) => length)).toEqual([1, 3]);
  });

  test('a run of calls in a row goes on in Temporal when its process stops during a call', async () => {
    const { executionId, jobId } = await givenHeldAt('b');
    // The call of the run in Temporal is answered, however soon it comes. The one under way is not.
    held.clear();
    const stopped = stack.api.kill('SIGTERM');
    await until(
      () => isOwned(executionId),
      (owned) => !owned,
    );
    await stopped;
    await stack.startApi();
    expect(await job(jobId)).toMatchObject({ status: 'completed', output: { last: '/c' } });
    expect(calls('/a')).toHaveLength(1);
  });
});

test('a run of calls in a row stays with a process that stops until its call has ended, for longer than a lease', async () => {
  await stack.api.kill();
  await stack.startApi({ SHUTDOWN_GRACE_S: '60' });
  gate.path = '/pay';
  const workflow = await stack.givenDeployed(line(call('pay', { idempotent: false }), call('b')));
  const { executionId, jobId } = (await stack.execute(workflow, { async: true })).body;
  await isCalled('/pay');
  const stopped = stack.api.kill('SIGTERM');
  await until(
    () =>
      stack.get('/health/ready').then(
        ({ status }) => status,
        () => 0,
      ),
    (status) => status !== 200,
  );
  const { rows } = await database.query('select clock_timestamp()::text as now');
  const isRenewed = `select from processes p join direct_runs d on d.process_id = p.id where d.execution_id = $1 and p.beat_at > $2`;
  await until(
    async () => (await database.query(isRenewed, [executionId, rows[0].now])).rowCount,
    (count) => count === 1,
    30_000,
  );
  gate.open();
  gate.path = '';
  await stopped;
  await stack.startApi();
  expect(await job(jobId)).toMatchObject({ status: 'completed' });
  expect([calls('/pay'), calls('/b')].map(({ length }) => length)).toEqual([1, 1]);
});

test('a run of a lost process that cannot be read does not keep the others from going on', async () => {
  const unreadable = await givenHeldAt('b');
  receiver.received.length = 0;
  const other = await givenHeldAt('b');
  await database.query(`update executions set plan_hash = 'none' where id = $1`, [unreadable.executionId]);
  await stack.api.kill();
  held.clear();
  await endLeases();
  await stack.startApi();
  expect(await job(other.jobId)).toMatchObject({ status: 'completed' });
  expect(await isOwned(unreadable.executionId)).toBe(true);
  // The recovery looks at it meanwhile, and locks its rows in another order.
  const remove = () => database.query('delete from executions where id = $1', [unreadable.executionId]);
  await until(
    () =>
      remove().then(
        () => true,
        ({ code }) => code !== '40P01' && Promise.reject(new Error(code)),
      ),
    Boolean,
  );
});

/** The first call, and the effect behind it. */
const behind: Record<string, () => [string, ReturnType<typeof block>]> = {
  'had an answer of 100 KB stays in its process': () => ['huge', call('b')],
  'reads a stored value of 20 KB stays in its process': () => [
    'large',
    call('b', { body: '{{ large.data }}' }),
  ],
  'reads a stored value of 100 KB goes on in Temporal': () => [
    'huge',
    call('b', { body: '{{ huge.data }}' }),
  ],
  'calls an MCP server goes on in Temporal': () => [
    'a',
    block('b', 'mcp', { url: receiver.url('/b'), tool: 'add' }),
  ],
};

test.each([
  'had an answer of 100 KB stays in its process',
  'reads a stored value of 20 KB stays in its process',
  'reads a stored value of 100 KB goes on in Temporal',
  'calls an MCP server goes on in Temporal',
])('a run that %s', async (what) => {
  const [first, effect] = behind[what]?.() ?? ['', block('none', 'wait', {})];
  gate.path = '/b';
  const definition = line(call(first), effect, respond(`{{ size(${first}.data.text) }}`));
  const { body } = await stack.execute(await stack.givenDeployed(definition), { async: true });
  await isCalled('/b');
  expect(await isOwned(body.executionId)).toBe(what.endsWith('stays in its process'));
  gate.path = '';
  gate.open();
  const { status, output } = await job(body.jobId);
  expect(calls(`/${first}`)).toHaveLength(1);
  // What answers here speaks no MCP.
  const ended = { status: 'completed', output: texts[`/${first}`]?.length };
  expect({ status, output }).toEqual(first === 'a' ? { status: 'failed' } : ended);
});

test('an output that is stored apart is committed once, also when the connection broke during its commit', async () => {
  gate.path = '/large';
  const definition = line(call('large'), call('b'), respond({ size: '{{ size(large.data.text) }}' }));
  const { body } = await stack.execute(await stack.givenDeployed(definition), { async: true });
  await isCalled('/large');
  const holder = new pg.Client(stack.env['DATABASE_URL']);
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from direct_runs where execution_id = $1 for update', [body.executionId]);
  gate.open();
  const committing = `${waitsForLock} and query like '%run_events%'`;
  await untilSessions(database, committing);
  await terminateSessions(database, committing);
  await holder.end();
  gate.path = '';
  expect(await job(body.jobId)).toMatchObject({ status: 'completed', output: { size: 20_000 } });
  expect([calls('/large'), calls('/b')].map(({ length }) => length)).toEqual([1, 1]);
});

test('an event of a run cannot be written twice, nor by a process that does not own the run', async () => {
  const { executionId, jobId } = await givenHeldAt('b');
  const { rows } = await database.query('select number from run_events where execution_id = $1', [
    executionId,
  ]);
  expect(rows).toEqual([{ number: 1 }, { number: 2 }]);
  await database.query(`update direct_runs set process_id = 'another' where execution_id = $1`, [
    executionId,
  ]);
  held.clear();
  expect(await job(jobId)).toMatchObject({ status: 'completed' });
  expect(calls('/a')).toHaveLength(1);
});

test('a run of calls in a row goes on in Temporal when DIRECT_MAX_MS is over', async () => {
  await stack.api.kill('SIGTERM');
  await stack.startApi({ DIRECT_MAX_MS: '0' });
  gate.path = '/b';
  const { body } = await stack.execute(await stack.givenDeployed(three()), { async: true });
  await isCalled('/b');
  expect(await isOwned(body.executionId)).toBe(false);
  gate.path = '';
  gate.open();
  expect(await job(body.jobId)).toMatchObject({ status: 'completed', output: { last: '/c' } });
  expect(['/a', '/b', '/c'].map((path) => calls(path).length)).toEqual([1, 1, 1]);
});
