import pg from 'pg';
import { findSessions, terminateSessions, untilSessions } from '#libs/platform/database/support/sessions';
import { approval } from './support/definitions.ts';
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

interface Kill {
  /** The change of the commit, and the process that makes it. */
  change: string;
  by: 'api' | 'worker';
  fate: 'is rolled back' | 'comes unheard';
  ask: () => Promise<unknown>;
}

/** Kills a process at a commit that `ask` leads to, and starts it again. */
async function killAtCommit({ change, by, fate, ask }: Kill): Promise<void> {
  await owner.query(`create constraint trigger stop_at_commit after ${change} deferrable initially deferred
    for each row execute function stop_at_commit()`);
  await owner.query('select pg_advisory_lock(43)');
  const asked = ask().catch(() => null);
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
}

const untilJobsEnd = () =>
  until(
    async () => (await owner.query(`select from bulk_jobs where status = 'running'`)).rows.length,
    (running) => running === 0,
  );

test.each(cases)('a kill at %s, whose commit %s, does it once', async (name, fate) => {
  const { change, by, verb, ask } = commits[name];
  fails = true;
  receiver.received.length = 0;
  const workflow = await stack.givenDeployed(line(calling('a'), calling('b'), calling('c')));
  const { body } = await stack.call('POST', `/api/workflows/${workflow}/execute`, {});
  const run = { workflow, id: body.executionId };
  expect(await ended(run)).toMatchObject({ status: 'failed' });
  fails = false;
  await killAtCommit({ change, by, fate, ask: () => ask(run) });
  // A retry has no key: who asks again learns that the execution goes on already.
  expect((await ask(run)).status).toBe(name === 'a retry' && fate === 'comes unheard' ? 409 : 202);
  await untilJobsEnd();
  const made = (await executionsOf(run)).filter((id) => id !== run.id);
  expect(made).toHaveLength(verb === 'fork' ? 1 : 0);
  const after = { workflow, id: made[0] ?? run.id };
  expect(await ended(after)).toMatchObject({ status: 'completed' });
  expect(keysOf('/a')).toEqual([`${run.id}/a`]);
  expect(keysOf('/b')).toEqual([`${run.id}/b`, verb === 'fork' ? `${after.id}/b` : `${run.id}/b/retry-1`]);
  expect(keysOf('/c')).toEqual([`${after.id}/c`]);
});

const itemOutcome = 'update of outcome on bulk_items';

/** Acts of bulk jobs on paused executions: what they change, and how the execution ends. */
const acts = {
  'an answer': {
    change: itemOutcome,
    by: 'worker',
    wish: { verb: 'answer', answers: { approved: true } },
    end: 'completed',
  },
  'a cancel': { change: itemOutcome, by: 'worker', wish: { verb: 'cancel' }, end: 'cancelled' },
  'a delete': { change: itemOutcome, by: 'worker', wish: { verb: 'delete' }, end: undefined },
} as const;

const actCases = Object.keys(acts).flatMap((name) =>
  (['is rolled back', 'comes unheard'] as const).map((fate) => [name as keyof typeof acts, fate] as const),
);

test.each(actCases)('a kill at %s by a bulk job, whose commit %s, does it once', async (name, fate) => {
  const { change, by, wish, end } = acts[name];
  const workflow = await stack.givenDeployed(approval);
  const { executionId: id } = await stack.givenPaused(workflow);
  const run = { workflow, id };
  if (wish.verb === 'delete') await stack.call('POST', `${pathOf(run)}/cancel`, {});
  const read = async () => (await stack.call('GET', pathOf(run))).body.status;
  await until(read, (status) => status === (wish.verb === 'delete' ? 'cancelled' : 'paused'));
  const ask = () => bulk(run, wish);
  await killAtCommit({ change, by, fate, ask });
  const { job } = (await ask()).body.data;
  await untilJobsEnd();
  const { body } = await stack.get(`/api/v1/bulk/${job.id}`);
  expect(body.data).toMatchObject({ done: 1, refused: 0, status: 'completed' });
  await until(read, (status) => status === end);
  const { rows } = await owner.query('select from resume_entries where execution_id = $1', [id]);
  expect(rows).toHaveLength(wish.verb === 'answer' ? 1 : 0);
});

test.each(['is rolled back', 'comes unheard'] as const)(
  'a kill at the abort of a bulk job, whose commit %s, ends it once it is asked again, and nothing is done afterwards',
  async (fate) => {
    const workflow = await stack.givenDeployed(approval);
    const ids: string[] = [];
    // The last of them waits for more than a minute, so that the job is under way also on a slow machine.
    for (let n = 0; n < 8; n++) ids.push((await stack.givenPaused(workflow)).executionId);
    const { job } = (await bulk({ workflow, id: ids[0] ?? '' }, { verb: 'cancel', perSecond: 0.1 })).body
      .data;
    const counts = async () => (await stack.get(`/api/v1/bulk/${job.id}`)).body.data;
    await until(counts, ({ done }) => done >= 1);
    const ask = () => stack.call('POST', `/api/v1/bulk/${job.id}/abort`);
    await killAtCommit({ change: 'update of ended_at on bulk_jobs', by: 'api', fate, ask });
    await ask();
    const { status, done } = await counts();
    expect(status).toBe('aborted');
    const readStates = () =>
      Promise.all(ids.map(async (id) => (await stack.call('GET', pathOf({ workflow, id }))).body.status));
    // The cancels of the first ones were accepted, and end them soon.
    const cancelled = (states: string[]) => states.filter((state) => state === 'cancelled');
    const states = await until(readStates, (now) => cancelled(now).length >= done);
    expect(cancelled(states)).toHaveLength(done);
    expect(new Set(states)).toEqual(new Set(['cancelled', 'paused']));
  },
);
