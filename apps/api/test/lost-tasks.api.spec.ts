import pg from 'pg';
import { approval } from './support/definitions.ts';
import { block, line } from './support/graphs.ts';
import { OwnTemporal } from './support/own-temporal.ts';
import { givenMember } from './support/people.ts';
import { Stack, until } from './support/stack.ts';

/**
 * An update comes on a speculative workflow task, which Temporal holds in memory alone. These tests lose the task after
 * its local activities have committed: the rows then say more than the history.
 */
let temporal: OwnTemporal;
let stack: Stack;
beforeAll(async () => {
  temporal = await OwnTemporal.start();
  // All blocks run in tasks of Temporal, so that there is a task to lose.
  stack = await Stack.start({ TEMPORAL_ADDRESS: temporal.address, INLINE_MAX_MS: '0' });
});
afterAll(async () => {
  await stack.stop();
  await temporal.stop();
});

/** Runs `give`, lets its record commit, and kills Temporal and both processes before the task is completed. */
async function loseTask(executionId: string, give: () => Promise<unknown>): Promise<void> {
  // Only the record of a run updates this row, so it waits here. Earlier writes have been committed.
  await loseHeld(`select from paused_executions where execution_id = '${executionId}' for no key update`, {
    give,
    isWritten: `select from resume_entries where execution_id = '${executionId}'
      having count(*) > 0 and bool_and(status <> 'pending')`,
  });
}

/** Does this for a record that waits for the lock of `hold`. It is committed when `isWritten` finds a line. */
async function loseHeld(
  hold: string,
  { give, isWritten }: { give: () => Promise<unknown>; isWritten: string },
): Promise<void> {
  const holder = await connected();
  const looker = await connected();
  const found = (sql: string) =>
    until(
      async () => (await looker.query(sql)).rows.length,
      (count) => count > 0,
    );
  await holder.query('begin');
  await holder.query(hold);
  await give();
  await found(waiting);
  await temporal.kill();
  await holder.query('commit');
  await found(isWritten);
  await Promise.all([stack.api.kill(), stack.worker.kill()]);
  await Promise.all([holder.end(), looker.end()]);
}

async function restart(): Promise<void> {
  await temporal.start();
  await Promise.all([stack.startApi(), stack.startWorker()]);
}

const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: stack.env.DATABASE_URL });
  await client.connect();
  return client;
}

/** The execution once its row and its Temporal run have ended; both with the same output. */
async function finished(workflow: string, id: string) {
  const { body } = await until(
    () => stack.get(`/api/workflows/${workflow}/executions/${id}`),
    (answer) => !['running', 'paused'].includes(answer.body.status),
    20_000,
  );
  const run = (await stack.temporal()).workflow.getHandle(id);
  const { status } = await until(
    () => run.describe(),
    (described) => described.status.name !== 'RUNNING',
    20_000,
  );
  expect([body.status, status.name]).toEqual(['completed', 'COMPLETED']);
  expect(await run.result()).toEqual({ output: body.output });
  return body;
}

test('an answer is applied although the task that took it was lost, and once', async () => {
  const workflow = await stack.givenDeployed(approval);
  const { executionId, apiUrl } = await stack.givenPaused(workflow);
  await loseTask(executionId, () =>
    stack.post(apiUrl, { input: { approved: true, note: 'n' }, async: true }),
  );
  await restart();
  const { output } = await finished(workflow, executionId);
  expect(output).toEqual({ approved: true, note: 'n' });
  expect((await stack.post(apiUrl, { input: { approved: false } })).status).toBe(409);
});

test('an answer that comes before a lost task has come to its pause again is applied', async () => {
  // More blocks than one slice runs, so the run can take messages before it reaches the pause.
  const blocks = [
    block(
      'each',
      'loop',
      { count: 2100 },
      { body: line(block('add', 'variables', { set: { n: '{{ vars.n + 1 }}' } })) },
    ),
    block('ask', 'human', { title: 'Go on?' }),
    block('done', 'response', { data: '{{ vars.n }}' }),
  ];
  const variables = { n: { type: 'number', initial: 0 } };
  const workflow = await stack.givenDeployed({ ...line(...blocks), variables });
  let id = '';
  await loseHeld('lock table paused_executions in share row exclusive mode', {
    give: async () => {
      id = (await stack.execute(workflow, { async: true })).body.executionId;
    },
    isWritten:
      "select from paused_executions p join executions e on e.id = p.execution_id and e.status = 'paused' where resumed_count = 0",
  });
  await restart();
  const { body } = await stack.get(`/api/resume/${workflow}/${id}`);
  const [{ resumeLinks }] = body.pausePoints;
  expect((await stack.post(resumeLinks.apiUrl, { input: {}, async: true })).status).toBe(202);
  expect((await finished(workflow, id)).output).toBe(2100);
});

test('an answer whose task was lost counts although the deadline passes before anybody can take it again', async () => {
  const form = [{ name: 'ok', type: 'boolean', required: true }];
  const params = { title: 'Go on?', form, expiresAfter: 8, onExpiry: 'fail' };
  const workflow = await stack.givenDeployed(line(block('ask', 'human', params)));
  const begun = Date.now();
  const { executionId, apiUrl } = await stack.givenPaused(workflow);
  await loseTask(executionId, () => stack.post(apiUrl, { input: { ok: true }, async: true }));
  await until(
    async () => Date.now() - begun,
    (ms) => ms > 8000,
  );
  await restart();
  expect((await finished(workflow, executionId)).output).toEqual({ ok: true });
});

test('a vote is counted although the task that took it was lost', async () => {
  const form = [{ name: 'approved', type: 'boolean', required: true }];
  const params = { title: 'Go on?', form, approvals: { required: 2 } };
  const workflow = await stack.givenDeployed(line(block('ask', 'human', params)));
  const ann = await givenMember(stack, 'ann@lost.test');
  const bob = await givenMember(stack, 'bob@lost.test');
  const { executionId, apiUrl } = await stack.givenPaused(workflow);
  const yes = { input: { approved: true }, async: true };
  await loseTask(executionId, () => stack.post(apiUrl, yes, ann.headers));
  await restart();
  expect((await stack.post(apiUrl, yes, bob.headers)).status).toBe(202);
  const { output } = await finished(workflow, executionId);
  expect(output.approved).toBe(true);
  expect(output.votes.map(({ person }: { person: string }) => person)).toEqual([ann.id, bob.id]);
});

test('a child is started once although the task that opened it was lost', async () => {
  const inner = await stack.givenDeployed(line(block('done', 'response', { data: 'inner' })));
  const workflow = await stack.givenDeployed(
    line(block('ask', 'human', { title: 'Go on?' }), block('sub', 'workflow', { workflowId: inner })),
  );
  const { executionId, apiUrl } = await stack.givenPaused(workflow);
  await loseTask(executionId, () => stack.post(apiUrl, { input: {}, async: true }));
  await restart();
  expect((await finished(workflow, executionId)).output).toBe('inner');
  const client = await connected();
  const { rows } = await client.query('select status from executions where parent_id = $1', [executionId]);
  await client.end();
  expect(rows).toEqual([{ status: 'completed' }]);
});

test('a pause whose answer the run refuses is open again', async () => {
  const form = [{ name: 'approved', type: 'boolean', required: true }];
  const params = { title: 'Go on?', form, approvals: { required: 1, assignees: ['ann@refused.test'] } };
  const workflow = await stack.givenDeployed(line(block('ask', 'human', params)));
  const ann = await givenMember(stack, 'ann@refused.test');
  const { executionId, contextId, apiUrl } = await stack.givenPaused(workflow);
  // No caller can do this: the rows refuse first whom the run would refuse.
  const client = await connected();
  await client.query(answerOfStranger, [contextId]);
  await client.end();
  const read = () => stack.get(`/api/resume/${workflow}/${executionId}`);
  const { body } = await until(read, (answer) => answer.body.pausePoints[0].resumeStatus === 'paused');
  expect(body.queue).toEqual([
    expect.objectContaining({ status: 'failed', failureReason: 'This request was not put to you.' }),
  ]);
  const path = `/api/workflows/${workflow}/executions/${executionId}`;
  expect((await stack.get(path)).body.status).toBe('paused');
  expect((await stack.post(apiUrl, { input: { approved: true }, async: true }, ann.headers)).status).toBe(
    202,
  );
  expect((await finished(workflow, executionId)).output).toMatchObject({ approved: true });
});

/** Writes a deciding answer as the API does, of a person who is no assignee. */
const answerOfStranger = `
with entry as (
  insert into resume_entries (id, workspace_id, execution_id, paused_execution_id, new_execution_id, context_id, resume_input,
    mode, actor, person, next_delivery_at)
  select 'res_stranger', workspace_id, execution_id, paused_execution_id, 'exec_stranger', context_id, '{"approved":true}',
    'async', '{}', '{"id":"usr_x","names":["x@refused.test"]}', now() from pause_points where context_id = $1
  returning execution_id
), point as (
  update pause_points set resume_status = 'resuming' where context_id = $1
)
update executions set status = 'running' where id = (select execution_id from entry)`;
