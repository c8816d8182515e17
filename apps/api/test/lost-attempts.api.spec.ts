import pg from 'pg';
import { block, line, respond } from './support/graphs.ts';
import { Receiver } from './support/receiver.ts';
import { Stack, until } from './support/stack.ts';
import { ToolServer } from './support/tools.ts';
import { testInWhole } from '#libs/platform/settings/support/whole';

/** Calls that must not be repeated, when an attempt is lost before or while it is made. */
let stack: Stack;
let owner: pg.Client;
beforeAll(async () => {
  // Of its own, because it kills the worker.
  stack = await Stack.start({ ROLES: 'api' });
  owner = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await stack.stop();
});

const settled = (jobId: string) => stack.get(`/api/jobs/${jobId}?wait=60`);

/** Takes tasks of the queue for calls from Temporal as a worker would, and never says a word about them; or says why they have failed. */
async function loseTasks(count: number, failure?: { message: string; type: string }): Promise<void> {
  const { connection, options } = await stack.temporal();
  const { namespace } = options;
  const identity = 'a worker that is lost';
  const task = { namespace, taskQueue: { name: `${stack.env.TASK_QUEUE}-io` }, identity };
  for (let taken = 0; taken < count;) {
    const poll = () => connection.workflowService.pollActivityTaskQueue(task);
    const { taskToken } = await connection.withDeadline(Date.now() + 70_000, poll);
    if (taskToken.length === 0) continue;
    taken++;
    if (failure)
      await connection.workflowService.respondActivityTaskFailed({
        namespace,
        identity,
        taskToken,
        failure: {
          message: failure.message,
          applicationFailureInfo: { type: failure.type, nonRetryable: true },
        },
      });
  }
}

test('a call whose attempts met no database is made when it is back, and is no failed attempt', async () => {
  const receiver = await Receiver.start();
  const workflow = await stack.givenDeployed(
    line(block('pay', 'http', { method: 'POST', url: receiver.url() })),
  );
  await stack.worker.kill('SIGTERM');
  const { body } = await stack.execute(workflow, { async: true });
  await loseTasks(1, { message: 'away', type: 'DATABASE_AWAY' });
  await stack.startWorker();
  expect((await settled(body.jobId)).body.status).toBe('completed');
  expect((await stack.blockLog(workflow, body.executionId)).map(({ attempts }) => attempts).at(-1)).toBe(1);
  expect(receiver.received).toHaveLength(1);
  receiver.stop();
});

test('a failure of our own shows neither its words nor its name in code', async () => {
  const workflow = await stack.givenDeployed(
    line(block('pay', 'http', { method: 'POST', url: 'http://127.0.0.1:9' })),
  );
  await stack.worker.kill('SIGTERM');
  const { body } = await stack.execute(workflow, { async: true });
  await loseTasks(1, { message: 'connect ECONNREFUSED 10.0.0.7:5432', type: 'QueryFailedError' });
  const ended = await settled(body.jobId);
  await stack.startWorker();
  expect(ended.body.status).toBe('failed');
  expect(JSON.stringify(ended.body)).toContain('ENGINE_FAULT');
  expect(JSON.stringify(ended.body)).not.toContain('10.0.0.7');
});

testInWhole('a step that brought down three workers is taken out, and its error port is taken', async () => {
  const receiver = await Receiver.start();
  const pay = block('pay', 'http', { method: 'POST', url: receiver.url() });
  const { blocks, edges } = line(pay, respond('paid'));
  const failing = block('failed', 'response', { data: '{{ pay.error.code }}' });
  const workflow = await stack.givenDeployed({
    blocks: [...blocks, failing],
    edges: [...edges, { from: 'pay', port: 'error', to: 'failed' }],
  });
  await stack.worker.kill('SIGTERM');
  const { body } = await stack.execute(workflow, { async: true });
  await loseTasks(1);
  // As three workers would have counted it when they ended.
  await owner.query(
    `insert into visits (execution_id, workspace_id, path, seq, block_id, name, type, status, started_at, worker_ends)
     values ($1, $2, 'pay', 1, 'pay', 'pay', 'http', 'running', now(), 3)
     on conflict (execution_id, path) do update set worker_ends = 3`,
    [body.executionId, stack.home.id],
  );
  await stack.startWorker();
  expect((await settled(body.jobId)).body).toMatchObject({ status: 'completed', output: 'WORKER_CRASHED' });
  expect(receiver.received).toEqual([]);
  receiver.stop();
});

test('a call is made by the next attempt when the task was lost before it began', async () => {
  const receiver = await Receiver.start();
  const tools = await ToolServer.start(() => ({ content: [{ type: 'text', text: 'paid' }] }));
  const workflows = await Promise.all([
    stack.givenDeployed(
      line(block('pay', 'http', { method: 'POST', url: receiver.url(), body: { amount: 1 } })),
    ),
    stack.givenDeployed(line(block('pay', 'mcp', { url: tools.url, tool: 'pay' }))),
  ]);
  await stack.worker.kill('SIGTERM');
  const jobs = await Promise.all(workflows.map((workflow) => stack.execute(workflow, { async: true })));
  await loseTasks(jobs.length);
  await stack.startWorker();
  const ended = await Promise.all(jobs.map(({ body }) => settled(body.jobId)));
  expect(ended.map(({ body }) => body.status)).toEqual(['completed', 'completed']);
  expect(receiver.received).toHaveLength(1);
  expect(tools.called).toEqual(['pay']);
  receiver.stop();
  tools.stop();
});

test('a worker that is stopped finishes the calls that it has in flight', async () => {
  const slowMs = 5000;
  const slow = await Receiver.start((_, response) => void setTimeout(() => response.end('{}'), slowMs));
  const pay = block('pay', 'http', { method: 'POST', url: slow.url(), body: { amount: 1 } });
  const { body } = await stack.execute(await stack.givenDeployed(line(pay)), { async: true });
  await until(
    async () => slow.received.length,
    (count) => count === 1,
  );
  await stack.worker.kill('SIGTERM');
  await stack.startWorker();
  expect((await settled(body.jobId)).body).toMatchObject({ status: 'completed' });
  expect(slow.received).toHaveLength(1);
  slow.stop();
});

testInWhole(
  'a worker that is stopped in the middle of its clean-up takes no further call, and finishes the calls in flight',
  async () => {
    await owner.query(`
    insert into executions (id, workspace_id, workflow_id, workflow_name, version, plan_hash, mode, trigger, actor, inputs, status, completed_at)
    select 'exec_old_' || n, '${stack.home.id}', 'wf', 'old', 1, '', 'async', 'api', '{}', '{}', 'completed', now() - interval '300 days'
    from generate_series(1, 20000) n;
    create function slow_deletion() returns trigger language plpgsql as $$ begin perform pg_sleep(1); return null; end $$;
    create trigger slow_deletion after delete on executions for each statement execute function slow_deletion()`);
    const slow = await Receiver.start((_, response) => void setTimeout(() => response.end('{}'), 3000));
    const workflow = await stack.givenDeployed(
      line(block('pay', 'http', { method: 'POST', url: slow.url(), body: { amount: 1 } })),
    );
    await stack.worker.kill('SIGTERM');
    await stack.startWorker({ LOG_LEVEL: 'debug' });
    const before = await stack.execute(workflow, { async: true });
    await until(
      async () => slow.received.length,
      (count) => count === 1,
    );
    const stopped = stack.worker.kill('SIGTERM');
    await until(
      async () => stack.worker.lines.filter(noLongerPolls).length,
      (count) => count > 0,
    );
    const after = await stack.execute(workflow, { async: true });
    await stopped;
    expect(slow.received).toHaveLength(1);
    await owner.query('drop trigger slow_deletion on executions');
    await stack.startWorker();
    const ended = await Promise.all([before, after].map(({ body }) => settled(body.jobId)));
    expect(ended.map(({ body }) => body.status)).toEqual(['completed', 'completed']);
    expect(slow.received).toHaveLength(2);
    slow.stop();
  },
);

/** The line of the SDK which says that the polls of the queue for calls have ended. */
const noLongerPolls = (entry: string) =>
  entry.includes('DRAINING') && entry.includes(`${stack.env.TASK_QUEUE}-io`);
