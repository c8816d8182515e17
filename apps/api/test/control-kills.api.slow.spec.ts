import pg from 'pg';
import { findSessions, terminateSessions, untilSessions } from '#libs/platform/database/support/sessions';
import { block, line } from './support/graphs.ts';
import { type Received, Receiver } from './support/receiver.ts';
import { Stack, until } from './support/stack.ts';

let stack: Stack;
let receiver: Receiver;
let owner: pg.Client;
/** True while the second call of each run fails. */
let fails = true;
beforeAll(async () => {
  receiver = await Receiver.start(({ path }, response) =>
    response.writeHead(fails && path === '/b' ? 500 : 200).end('{"ok":1}'),
  );
  stack = await Stack.start();
  owner = new pg.Client({ connectionString: stack.env.DATABASE_URL });
  await owner.connect();
  await owner.query(`create function stop_at_commit() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(43); return null; end $$`);
});
afterAll(async () => {
  await owner.end();
  await stack.stop();
  receiver.stop();
});

interface FailedRun {
  workflow: string;
  id: string;
}

const calling = (id: string) =>
  block(id, 'http', { url: receiver.url(`/${id}`), method: 'POST' }, { retry: { maxAttempts: 1 } });
const keysOf = (path: string) =>
  receiver.received.filter((call: Received) => call.path === path).map(({ key = '' }) => key);
const pathOf = ({ workflow, id }: FailedRun) => `/api/workflows/${workflow}/executions/${id}`;
const ended = (run: FailedRun) =>
  until(
    async () => (await stack.call('GET', pathOf(run))).body,
    ({ status }) => ['completed', 'failed'].includes(status),
  );

const executionsOf = async ({ workflow }: FailedRun): Promise<string[]> => {
  const { rows } = await owner.query('select id from executions where workflow_id = $1', [workflow]);
  return rows.map(({ id }) => id);
};

const bulk = ({ workflow, id }: FailedRun, body: object) =>
  stack.call(
    'POST',
    '/api/v1/bulk',
    { filter: { workflowIds: workflow }, ...body },
    { 'idempotency-key': `bulk ${id}` },
  );

/** Each commit of run control: the change that it makes, who makes it, and the call that asks for it. */
const commits = {
  'a retry': {
    change: 'update of retried_at on executions',
    by: 'api',
    verb: 'retry',
    ask: (run: FailedRun) => stack.call('POST', `${pathOf(run)}/retry`, {}),
  },
  'a fork': {
    change: 'insert on executions',
    by: 'api',
    verb: 'fork',
    ask: (run: FailedRun) =>
      stack.call('POST', `${pathOf(run)}/fork`, { from: 'b' }, { 'idempotency-key': `fork ${run.id}` }),
  },
  'the acceptance of a bulk job': {
    change: 'insert on bulk_jobs',
    by: 'api',
    verb: 'retry',
    ask: (run: FailedRun) => bulk(run, { verb: 'retry' }),
  },
  'a retry of a bulk job': {
    change: 'update of outcome on bulk_items',
    by: 'worker',
    verb: 'retry',
    ask: (run: FailedRun) => bulk(run, { verb: 'retry' }),
  },
  'a fork of a bulk job': {
    change: 'update of outcome on bulk_items',
    by: 'worker',
    verb: 'fork',
    ask: (run: FailedRun) => bulk(run, { verb: 'fork', from: 'failure', version: 'same' }),
  },
  'the end of a bulk job': {
    change: 'update of ended_at on bulk_jobs',
    by: 'worker',
    verb: 'retry',
    ask: (run: FailedRun) => bulk(run, { verb: 'retry' }),
  },
} as const;

const cases = Object.keys(commits).flatMap((name) =>
  (['is rolled back', 'comes unheard'] as const).map((fate) => [name as keyof typeof commits, fate] as const),
);

/** The condition on a session that stands before its commit. */
const standing = `wait_event = 'advisory'`;

test.each(cases)('a kill at %s, whose commit %s, does it once', async (name, fate) => {
  const { change, by, verb, ask } = commits[name];
  fails = true;
  receiver.received.length = 0;
  const workflow = await stack.givenDeployed(line(calling('a'), calling('b'), calling('c')));
  const { body } = await stack.call('POST', `/api/workflows/${workflow}/execute`, {});
  const run = { workflow, id: body.executionId };
  expect(await ended(run)).toMatchObject({ status: 'failed' });
  fails = false;
  await owner.query(`create constraint trigger stop_at_commit after ${change} deferrable initially deferred
    for each row execute function stop_at_commit()`);
  await owner.query('select pg_advisory_lock(43)');
  const asked = ask(run).catch(() => null);
  await untilSessions(owner, standing);
  await stack[by].kill();
  if (fate === 'is rolled back') await terminateSessions(owner, standing);
  await owner.query('select pg_advisory_unlock(43)');
  await until(
    () => findSessions(owner, standing),
    ({ length }) => length === 0,
  );
  await owner.query(`drop trigger stop_at_commit on ${change.split(' ').at(-1)}`);
  await asked;
  await (by === 'api' ? stack.startApi() : stack.startWorker());
  // What the killed process had in hand is free half a minute later.
  await owner.query(`update bulk_jobs set due_at = now() where status = 'running'`);
  await owner.query(`update idempotency_keys set locked_until = now() - interval '1 second'`);
  // A retry has no key: who asks again learns that the execution goes on already.
  expect((await ask(run)).status).toBe(name === 'a retry' && fate === 'comes unheard' ? 409 : 202);
  await until(
    async () => (await owner.query(`select from bulk_jobs where status = 'running'`)).rows.length,
    (running) => running === 0,
  );
  const made = (await executionsOf(run)).filter((id) => id !== run.id);
  expect(made).toHaveLength(verb === 'fork' ? 1 : 0);
  const after = { workflow, id: made[0] ?? run.id };
  expect(await ended(after)).toMatchObject({ status: 'completed' });
  expect(keysOf('/a')).toEqual([`${run.id}/a`]);
  expect(keysOf('/b')).toEqual([`${run.id}/b`, verb === 'fork' ? `${after.id}/b` : `${run.id}/b/retry-1`]);
  expect(keysOf('/c')).toEqual([`${after.id}/c`]);
});
