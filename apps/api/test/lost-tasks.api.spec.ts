import { createHash } from 'node:crypto';
import pg from 'pg';
import { untilSessions } from '#libs/platform/database/support/sessions';
import { approval } from './support/definitions.ts';
import { block, line } from './support/graphs.ts';
import { OwnTemporal } from './support/own-temporal.ts';
import { givenMember } from './support/people.ts';
import { Stack, until } from './support/stack.ts';
import { testInWhole } from '#libs/platform/settings/support/whole';

/**
 * These tests kill everything between a commit and the moment at which Temporal learns of it: the rows then say more than
 * the history.
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

/** Commits what `give` asks for while Temporal is away, and kills both processes before it is back. */
async function loseMessage(give: () => Promise<unknown>): Promise<void> {
  await temporal.kill();
  await give();
  await Promise.all([stack.api.kill(), stack.worker.kill()]);
}

/**
 * Lets a commit of a workflow task wait for `hold`, kills Temporal, and kills both processes when the commit is made: when `isWritten` finds a
 * line.
 */
async function loseHeld(
  hold: string,
  { give, isWritten }: { give: () => Promise<unknown>; isWritten: string },
): Promise<void> {
  const holder = await connected();
  const looker = await connected();
  await holder.query('begin');
  await holder.query(hold);
  await give();
  await untilSessions(looker);
  await temporal.kill();
  await holder.query('rollback');
  await until(
    async () => (await looker.query(isWritten)).rows.length,
    (count) => count > 0,
  );
  await Promise.all([stack.api.kill(), stack.worker.kill()]);
  await Promise.all([holder.end(), looker.end()]);
}

async function restart(): Promise<void> {
  await temporal.start();
  await Promise.all([stack.startApi(), stack.startWorker()]);
}

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
  );
  const run = (await stack.temporal()).workflow.getHandle(id);
  const { status } = await until(
    () => run.describe(),
    (described) => described.status.name !== 'RUNNING',
  );
  expect([body.status, status.name]).toEqual(['completed', 'COMPLETED']);
  expect(await run.result()).toEqual({ output: body.output });
  return body;
}

test('an answer is applied although everything was killed before Temporal had it, and once', async () => {
  const workflow = await stack.givenDeployed(approval);
  const { executionId, apiUrl } = await stack.givenPaused(workflow);
  await loseMessage(() => stack.post(apiUrl, { input: { approved: true, note: 'n' }, async: true }));
  await restart();
  const { output } = await finished(workflow, executionId);
  expect(output).toEqual({ approved: true, note: 'n' });
  expect((await stack.post(apiUrl, { input: { approved: false } })).status).toBe(409);
});

testInWhole('an answer that comes before a lost task has come to its pause again is applied', async () => {
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

testInWhole(
  'an answer that Temporal does not have counts although the deadline passes before Temporal is back',
  async () => {
    const form = [{ name: 'ok', type: 'boolean', required: true }];
    const params = { title: 'Go on?', form, expiresAfter: 8, onExpiry: 'fail' };
    const workflow = await stack.givenDeployed(line(block('ask', 'human', params)));
    const begun = Date.now();
    const { executionId, apiUrl } = await stack.givenPaused(workflow);
    await loseMessage(() => stack.post(apiUrl, { input: { ok: true }, async: true }));
    await until(
      async () => Date.now() - begun,
      (ms) => ms > 8000,
    );
    await restart();
    expect((await finished(workflow, executionId)).output).toEqual({ ok: true });
  },
);

testInWhole('a vote is counted although everything was killed before Temporal had it', async () => {
  const form = [{ name: 'approved', type: 'boolean', required: true }];
  const params = { title: 'Go on?', form, approvals: { required: 2 } };
  const workflow = await stack.givenDeployed(line(block('ask', 'human', params)));
  const ann = await givenMember(stack, 'ann@lost.test');
  const bob = await givenMember(stack, 'bob@lost.test');
  const { executionId, apiUrl } = await stack.givenPaused(workflow);
  const yes = { input: { approved: true }, async: true };
  await loseMessage(() => stack.post(apiUrl, yes, ann.headers));
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
  const childId = `exec_${createHash('sha256').update(`${executionId} sub`).digest('hex').slice(0, 32)}`;
  const columns =
    'workspace_id, workflow_id, workflow_name, version, plan_hash, mode, trigger, actor, inputs';
  await loseHeld(
    // The row of the child waits for another with its id.
    `insert into executions (id, ${columns}) select '${childId}', ${columns} from executions where id = '${executionId}'`,
    {
      give: () => stack.post(apiUrl, { input: {}, async: true }),
      isWritten: `select from executions where id = '${childId}'`,
    },
  );
  await restart();
  expect((await finished(workflow, executionId)).output).toBe('inner');
  const client = await connected();
  const { rows } = await client.query('select status from executions where parent_id = $1', [executionId]);
  await client.end();
  expect(rows).toEqual([{ status: 'completed' }]);
});
