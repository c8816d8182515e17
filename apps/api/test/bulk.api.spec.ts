import type { ServerResponse } from 'node:http';
import pg from 'pg';
import { ask, block, line, respond } from './support/graphs.ts';
import { Receiver } from './support/receiver.ts';
import { Stack, until } from './support/stack.ts';
import { testInWhole } from '#libs/platform/settings/support/whole';

let stack: Stack;
let receiver: Receiver;
let owner: pg.Client;
/** True while the receiver fails. */
let fails = true;
/** The calls that get no answer yet; null while all get one at once. */
let hanging: ServerResponse[] | null = null;
beforeAll(async () => {
  receiver = await Receiver.start((_, response) => {
    if (hanging) hanging.push(response);
    else response.writeHead(fails ? 500 : 200).end('{"ok":1}');
  });
  stack = await Stack.start();
  owner = new pg.Client({ connectionString: stack.env.DATABASE_URL });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await stack.stop();
  receiver.stop();
});
beforeEach(() => {
  fails = true;
  hanging = null;
  receiver.received.length = 0;
});
// The next test counts its own calls alone.
afterEach(async () => {
  for (const response of hanging ?? []) response.end('{"ok":1}');
  hanging = null;
  await until(
    async () => (await stack.call('GET', '/api/v1/bulk')).body.data,
    (jobs) => jobs.every(({ status }: { status: string }) => status !== 'running'),
  );
  await until(
    async () => (await stack.call('GET', '/api/v1/logs?status=queued,running')).body.data,
    (log) => log.length === 0,
  );
});

const definition = (path = 'pay') => ({
  start: { inputs: { n: { type: 'number', default: 0 } } },
  ...line(
    block('call', 'http', { url: receiver.url(`/${path}`), method: 'POST' }, { retry: { maxAttempts: 1 } }),
    respond('{{ start.n }}'),
  ),
});

const bulk = (body: object, headers?: Record<string, string>) =>
  stack.call('POST', '/api/v1/bulk', body, headers);
const jobOf = async (id: string) => (await stack.call('GET', `/api/v1/bulk/${id}`)).body.data;
const itemsOf = async (id: string, query = '') =>
  (await stack.call('GET', `/api/v1/bulk/${id}/items?limit=1000${query}`)).body.data;
const ended = (id: string) =>
  until(
    () => jobOf(id),
    ({ status }) => status !== 'running',
  );
const statuses = async (workflow: string) => {
  const { body } = await stack.call('GET', `/api/v1/logs?limit=1000&workflowIds=${workflow}`);
  return body.data.map(({ status }: { status: string }) => status).toSorted();
};

/** A workflow with failed runs. */
async function givenFailed(count: number, path?: string): Promise<string> {
  const workflow = await stack.givenDeployed(definition(path));
  const run = (n: number) => stack.execute(workflow, { inputs: { n } });
  await Promise.all(Array.from({ length: count }, (_, n) => run(n)));
  return workflow;
}

test('a bulk job retries all that its filter finds, after it has counted them', async () => {
  const workflow = await givenFailed(12);
  await givenFailed(1);
  const wish = { verb: 'retry', filter: { workflowIds: workflow } };
  fails = false;
  const counted = await bulk({ ...wish, dryRun: true });
  expect(counted).toMatchObject({
    status: 202,
    body: {
      data: { dryRun: true, counts: { found: 12, eligible: 12, byStatus: { failed: 12 } }, job: null },
    },
  });
  const { body } = await bulk(wish);
  expect(body.data.job).toMatchObject({ total: 12, verb: 'retry', status: 'running', done: 0 });
  expect(await ended(body.data.job.id)).toMatchObject({ status: 'completed', done: 12, refused: 0 });
  await until(
    () => statuses(workflow),
    (all) => all.every((one: string) => one === 'completed'),
  );
  const { data } = (await stack.call('GET', '/api/v1/audit-logs?resourceType=bulk_job')).body;
  expect(data.map(({ action }: { action: string }) => action)).toEqual([
    'bulk_job.updated',
    'bulk_job.created',
  ]);
  const retried = await stack.call('GET', '/api/v1/audit-logs?action=execution.retried&limit=100');
  expect(retried.body.data).toHaveLength(12);
  expect(new Set(retried.body.data.map((entry: { actorId: string }) => entry.actorId)).size).toBe(1);
});

testInWhole('a bulk job does each act once, when its worker is killed again and again', async () => {
  const workflow = await givenFailed(40, 'killed');
  fails = false;
  receiver.received.length = 0;
  const { body } = await bulk({ verb: 'fork', filter: { workflowIds: workflow }, perSecond: 20 });
  const { id } = body.data.job;
  for (const done of [1, 8, 16]) {
    await until(
      () => jobOf(id),
      (job) => job.done >= done,
    );
    await stack.worker.kill();
    await stack.startWorker();
    // What the killed worker had in hand is free half a minute later.
    await owner.query('update bulk_jobs set due_at = now() where id = $1', [id]);
  }
  expect(await ended(id)).toMatchObject({ status: 'completed', done: 40, refused: 0 });
  const made = (await itemsOf(id)).map((item: { madeExecutionId: string }) => item.madeExecutionId);
  expect(new Set(made).size).toBe(40);
  const all = await until(
    () => statuses(workflow),
    (found) => found.every((one: string) => ['completed', 'failed'].includes(one)),
  );
  expect(all).toHaveLength(80);
  // A call under way at a kill is not made again, so its run may have failed: nobody knows its outcome.
  const keys = receiver.received.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
});

test('a bulk job says for each execution why it was refused, and goes on', async () => {
  const broken = await stack.givenDeployed(line(block('bad', 'response', { data: '{{ int("x") }}' })));
  await stack.execute(broken, {});
  const failed = await givenFailed(2);
  fails = false;
  const { body } = await bulk({ verb: 'retry', filter: { workflowIds: `${broken},${failed}` } });
  const job = await ended(body.data.job.id);
  expect(job).toMatchObject({ status: 'completed', total: 3, done: 2, refused: 1 });
  expect(await itemsOf(job.id, '&outcome=refused')).toEqual([
    expect.objectContaining({ outcome: 'refused', code: 'WOULD_FAIL_AGAIN', madeExecutionId: null }),
  ]);
});

test('a bulk job answers what waits for people, and refuses what does not fit or is not clear', async () => {
  const one = await stack.givenDeployed(line(ask('may'), respond('{{ may.ok }}')));
  const two = await stack.givenDeployed({
    blocks: [ask('may'), ask('must')],
    edges: [
      { from: 'start', to: 'may' },
      { from: 'start', to: 'must' },
    ],
  });
  for (const workflow of [one, one, two]) await stack.givenPaused(workflow);
  const filter = { workflowIds: `${one},${two}` };
  const eligible = async (wish: object) =>
    (await bulk({ verb: 'answer', filter, dryRun: true, ...wish })).body.data.counts.eligible;
  expect(await eligible({ answers: { ok: 'perhaps' } })).toBe(0);
  expect(await eligible({ answers: { ok: true } })).toBe(2);
  expect(await eligible({ answers: { ok: true }, block: 'must' })).toBe(1);
  const wrong = await bulk({ verb: 'answer', filter, answers: { ok: true }, block: 'mist' });
  expect(wrong).toMatchObject({ status: 400, body: { details: [{ path: 'block', code: 'unknown_block' }] } });
  expect(wrong.body.details[0].message).toMatch(/they wait at (may, must|must, may)$/);
  const unfit = await bulk({ verb: 'answer', filter, answers: { ok: 'perhaps' } });
  const refused = await ended(unfit.body.data.job.id);
  expect(refused).toMatchObject({ total: 3, done: 0, refused: 3 });
  expect((await itemsOf(refused.id))[0].message).toBe('input.ok: It must be true or false.');
  const unclear = await bulk({ verb: 'answer', filter, answers: { ok: true } });
  const { id } = await ended(unclear.body.data.job.id);
  const items = await itemsOf(id);
  expect(
    items.map(({ outcome, code }: { outcome: string; code: string }) => code ?? outcome).toSorted(),
  ).toEqual(['SEVERAL_PAUSES', 'done', 'done']);
  expect(await statuses(one)).toEqual(['completed', 'completed']);
  const named = await bulk({ verb: 'answer', filter, answers: { ok: true }, block: 'must' });
  expect(await ended(named.body.data.job.id)).toMatchObject({ total: 1, done: 1, refused: 0 });
});

test('a bulk job cancels what waits, and deletes what has ended', async () => {
  const workflow = await stack.givenDeployed(line(ask('ask')));
  for (let n = 0; n < 3; n++) await stack.givenPaused(workflow);
  const filter = { workflowIds: workflow };
  const none = await bulk({ verb: 'delete', filter, dryRun: true });
  expect(none.body.data.counts).toEqual({ found: 3, eligible: 0, byStatus: { paused: 3 } });
  const cancel = await bulk({ verb: 'cancel', filter });
  expect(await ended(cancel.body.data.job.id)).toMatchObject({ done: 3 });
  await until(
    () => statuses(workflow),
    (all) => all.every((one: string) => one === 'cancelled'),
  );
  const gone = await bulk({ verb: 'delete', filter });
  expect(await ended(gone.body.data.job.id)).toMatchObject({ done: 3, refused: 0 });
  expect(await statuses(workflow)).toEqual([]);
  const { body } = await stack.call('GET', '/api/v1/audit-logs?action=execution.deleted');
  expect(body.data).toHaveLength(3);
});

test('a bulk job forks failed runs into the live version, from the visit that failed', async () => {
  const first = block('first', 'http', { url: receiver.url('/first'), method: 'POST' });
  fails = false;
  const workflow = await stack.givenDeployed(
    line(first, block('bad', 'response', { data: '{{ int("x") }}' })),
  );
  for (let n = 0; n < 3; n++) await stack.execute(workflow, {});
  await stack.call('PATCH', `/api/v1/workflows/${workflow}`, {
    definition: line(first, block('bad', 'response', { data: '{{ first.status }}' })),
  });
  await stack.call('POST', `/api/v1/workflows/${workflow}/deploy`);
  receiver.received.length = 0;
  const { body } = await bulk({ verb: 'fork', from: 'failure', filter: { workflowIds: workflow } });
  expect(await ended(body.data.job.id)).toMatchObject({ done: 3, refused: 0 });
  await until(
    () => statuses(workflow),
    (all) => all.filter((one: string) => one === 'completed').length === 3,
  );
  expect(receiver.received).toEqual([]);
});

test('a bulk job waits for a hold, says so, and can be aborted', async () => {
  const workflow = await givenFailed(2);
  const holds = `/api/v1/workspaces/${stack.home.id}/holds`;
  const hold = await stack.call('POST', holds, { workflowId: workflow, reason: 'The ledger is moved.' });
  const { body } = await bulk({ verb: 'retry', filter: { workflowIds: workflow } });
  const { id } = body.data.job;
  const waiting = await until(
    () => jobOf(id),
    ({ waitsFor }) => waitsFor !== null,
  );
  expect(waiting).toMatchObject({ status: 'running', done: 0, refused: 0 });
  expect(waiting.waitsFor).toMatch(/The ledger is moved/);
  const aborted = await stack.call('POST', `/api/v1/bulk/${id}/abort`);
  expect(aborted).toMatchObject({ status: 200, body: { data: { status: 'aborted', waitsFor: null } } });
  await stack.call('POST', `${holds}/${hold.body.data.id}/release`);
  expect(await statuses(workflow)).toEqual(['failed', 'failed']);
  expect((await stack.call('POST', `/api/v1/bulk/${id}/abort`)).status).toBe(200);
  const done = await bulk({ verb: 'retry', filter: { workflowIds: workflow, status: 'completed' } });
  expect(done.body.data.job).toMatchObject({ status: 'completed', total: 0, endedAt: expect.any(String) });
  expect(await stack.call('POST', `/api/v1/bulk/${done.body.data.job.id}/abort`)).toMatchObject({
    status: 409,
    body: { code: 'BULK_JOB_ENDED' },
  });
});

test('a key makes one bulk job of two calls, and two jobs over the same runs retry each once', async () => {
  const workflow = await givenFailed(5);
  fails = false;
  receiver.received.length = 0;
  const wish = { verb: 'retry', filter: { workflowIds: workflow } };
  const headers = { 'idempotency-key': 'one-bulk' };
  const [first, again] = [await bulk(wish, headers), await bulk(wish, headers)];
  expect(again.body.data.job.id).toBe(first.body.data.job.id);
  const other = await bulk(wish);
  const jobs = await Promise.all([first, other].map(({ body }) => ended(body.data.job.id)));
  expect(jobs.reduce((sum, { done }) => sum + done, 0)).toBe(5);
  await until(
    () => statuses(workflow),
    (all) => all.every((one: string) => one === 'completed'),
  );
  expect(receiver.received).toHaveLength(5);
});

test('a repeated call of a bulk job has the first answer, also once nothing is left of its workflow', async () => {
  const workflow = await givenFailed(1);
  const wish = { verb: 'delete', filter: { workflowIds: workflow } };
  const headers = { 'idempotency-key': 'delete once' };
  const { body } = await bulk(wish, headers);
  await ended(body.data.job.id);
  await stack.call('DELETE', `/api/v1/workflows/${workflow}/deploy`);
  await stack.call('DELETE', `/api/v1/workflows/${workflow}`);
  expect(await bulk(wish)).toMatchObject({
    status: 400,
    body: { details: [{ path: 'filter.workflowIds' }] },
  });
  expect(await bulk(wish, headers)).toMatchObject({ status: 202, body });
});

test.each([
  [{ verb: 'explode', filter: {} }, 'verb'],
  [{ verb: 'retry' }, 'filter'],
  [{ verb: 'retry', filter: { status: 'odd' } }, 'filter.status'],
  [{ verb: 'retry', filter: { endDate: 'soon' } }, 'filter.endDate'],
  [{ verb: 'retry', filter: { colour: 'red' } }, 'filter.colour'],
  [{ verb: 'retry', filter: { workflowIds: 'wf_none' } }, 'filter.workflowIds'],
  [{ verb: 'retry', filter: { executionId: 'exec_none' }, dryRun: true }, 'filter.executionId'],
  [{ verb: 'retry', filter: { parentExecutionId: 'log_none' } }, 'filter.parentExecutionId'],
  [{ verb: 'retry', filter: {}, perSecond: 0 }, 'perSecond'],
  [{ verb: 'retry', filter: {}, from: 'failure' }, 'from'],
  [{ verb: 'answer', filter: {} }, 'answers'],
  [{ verb: 'answer', filter: {}, answers: { text: 'x'.repeat(16_384) } }, 'answers'],
  [{ verb: 'cancel', filter: {}, block: 'may' }, 'block'],
])('a bulk job of %j is refused for its %s', async (wish, path) => {
  const { status, body } = await bulk(wish);
  expect(status).toBe(400);
  expect(body.details.map((detail: { path: string }) => detail.path)).toContain(path);
});

test('a bulk job is of its workspace alone, and a reader may make none', async () => {
  const workflow = await givenFailed(1);
  const { body } = await bulk({ verb: 'retry', filter: { workflowIds: workflow } });
  const { id } = body.data.job;
  const { key } = await stack.givenWorkspace();
  const others = { 'x-api-key': key };
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/items'],
    ['POST', '/abort'],
  ] as const)
    expect((await stack.call(method, `/api/v1/bulk/${id}${path}`, undefined, others)).status).toBe(404);
  const found = await bulk({ verb: 'retry', filter: { workflowIds: workflow }, dryRun: true }, others);
  expect(found).toMatchObject({ status: 400, body: { details: [{ path: 'filter.workflowIds' }] } });
  const keys = `/api/v1/workspaces/${stack.home.id}/keys`;
  const keyOf = async (role: string) =>
    (await stack.call('POST', keys, { name: role, role })).body.data.key as string;
  const reader = { 'x-api-key': await keyOf('viewer') };
  expect((await bulk({ verb: 'retry', filter: {} }, reader)).status).toBe(403);
  const editor = { 'x-api-key': await keyOf('editor') };
  expect((await bulk({ verb: 'delete', filter: {}, dryRun: true }, editor)).status).toBe(403);
  expect((await bulk({ verb: 'retry', filter: {}, dryRun: true }, editor)).status).toBe(202);
  expect((await stack.call('GET', '/api/v1/bulk')).body.data.length).toBeGreaterThan(1);
});

describe('the undo of a bulk job', () => {
  const undo = (id: string, body: object = {}) => stack.call('POST', `/api/v1/bulk/${id}/undo`, body);

  /** Runs a job over all executions of a workflow to its end. */
  async function givenJob(workflow: string, wish: object): Promise<string> {
    const { body } = await bulk({ filter: { workflowIds: workflow }, ...wish });
    const { id } = await ended(body.data.job.id);
    return id;
  }

  /** A workflow that asks before its call, and forks of failed executions of it that wait there. */
  async function givenForks(count: number): Promise<{ workflow: string; job: string }> {
    const workflow = await stack.givenDeployed(line(ask('may'), block('call', 'http', call)));
    for (let n = 0; n < count; n++) {
      const { apiUrl } = await stack.givenPaused(workflow);
      await stack.post(apiUrl, { input: { ok: true } });
    }
    await until(
      () => statuses(workflow),
      (all) => all.every((one: string) => one === 'failed'),
    );
    const job = await givenJob(workflow, { verb: 'fork', version: 'same' });
    await until(
      () => statuses(workflow),
      (all) => all.filter((one: string) => one === 'paused').length === count,
    );
    return { workflow, job };
  }

  const call = { url: '', method: 'POST' };
  beforeAll(() => {
    call.url = receiver.url('/undo');
  });

  /** Answers the question of a fork. */
  async function answerFork(workflow: string, executionId: string): Promise<void> {
    const { body } = await stack.call('GET', `/api/jobs/${executionId.replace('exec_', 'job_')}`);
    const { pathname } = new URL(body.paused.pausePoints[0].resumeLinks.apiUrl);
    await stack.post(pathname, { input: { ok: true }, async: true });
  }

  test('the undo of retries that wait in their line lets them fail again as before, once for two undos, and they can be retried later', async () => {
    const flow = { start: { ...definition().start, flow: { concurrency: { limit: 1 } } } };
    const workflow = await stack.givenDeployed({ ...definition('undo'), ...flow });
    for (const n of [1, 2, 3]) await stack.execute(workflow, { inputs: { n } });
    hanging = [];
    await stack.execute(workflow, { inputs: { n: 4 }, async: true });
    await until(
      async () => hanging?.length,
      (calls) => calls === 1,
    );
    const before = receiver.received.length;
    const job = await givenJob(workflow, { verb: 'retry' });
    expect((await statuses(workflow)).filter((one: string) => one === 'queued')).toHaveLength(3);
    expect(await undo(job, { dryRun: true })).toMatchObject({
      status: 202,
      body: { data: { counts: { found: 3, eligible: 3, byStatus: { queued: 3 } }, job: null } },
    });
    // Both undos are accepted before either has taken anything back.
    await owner.query('begin');
    await owner.query('select from executions where workflow_id = $1 for update', [workflow]);
    const undos = [await undo(job), await undo(job)].map(({ body }) => body.data.job);
    await owner.query('commit');
    const [undone, again] = await Promise.all(undos.map(({ id }) => ended(id)));
    expect(undone).toMatchObject({ verb: 'undo', status: 'completed', total: 3 });
    expect([undone.done + again.done, undone.refused + again.refused]).toEqual([3, 3]);
    const items = await Promise.all(undos.map(({ id }) => itemsOf(id, '&outcome=refused')));
    expect(new Set(items.flat().map(({ code }: { code: string }) => code))).toEqual(
      new Set(['ALREADY_UNDONE']),
    );
    expect((await statuses(workflow)).filter((one: string) => one === 'failed')).toHaveLength(3);
    expect(await jobOf(job)).toMatchObject({ done: 3, undone: 3 });
    expect(receiver.received).toHaveLength(before);
    fails = false;
    for (const response of hanging.splice(0)) response.end('{"ok":1}');
    hanging = null;
    await givenJob(workflow, { verb: 'retry' });
    await until(
      () => statuses(workflow),
      (all) => all.every((one: string) => one === 'completed'),
    );
    const keys = receiver.received.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toHaveLength(before + 3);
  });

  test('the undo of forks cancels those that have begun no call, and leaves the others', async () => {
    const { workflow, job } = await givenForks(2);
    const [first, second] = await itemsOf(job);
    await answerFork(workflow, first.madeExecutionId);
    await until(
      () => statuses(workflow),
      (all) => all.filter((one: string) => one === 'failed').length === 3,
    );
    const counts = { found: 2, eligible: 1, byStatus: { failed: 1, paused: 1 } };
    expect((await undo(job, { dryRun: true })).body.data.counts).toEqual(counts);
    const { id } = (await undo(job)).body.data.job;
    expect(await ended(id)).toMatchObject({ total: 1, done: 1 });
    await until(
      () => statuses(workflow),
      (all) => all.includes('cancelled'),
    );
    expect(await itemsOf(job)).toEqual([
      expect.objectContaining({ madeExecutionId: first.madeExecutionId, undoneAt: null }),
      expect.objectContaining({ madeExecutionId: second.madeExecutionId, undoneAt: expect.any(String) }),
    ]);
    // What is undone is not undone again.
    expect((await undo(job, { dryRun: true })).body.data.counts).toMatchObject({ found: 1, eligible: 0 });
  });

  test('the undo of a fork whose call has begun meanwhile is refused for it alone', async () => {
    const { workflow, job } = await givenForks(2);
    const { id } = (await undo(job, { perSecond: 0.1 })).body.data.job;
    await until(
      () => jobOf(id),
      ({ done }) => done === 1,
    );
    const [, second] = await itemsOf(id);
    const { madeExecutionId } = (await itemsOf(job))[1];
    hanging = [];
    await answerFork(workflow, madeExecutionId);
    await until(
      async () => hanging?.length,
      (calls) => calls === 1,
    );
    await owner.query('update bulk_jobs set due_at = now(), credited_at = now() where id = $1', [id]);
    expect(await ended(id)).toMatchObject({ done: 1, refused: 1 });
    expect(await itemsOf(id, '&outcome=refused')).toEqual([
      expect.objectContaining({ executionId: second.executionId, code: 'HAS_BEGUN' }),
    ]);
    for (const response of hanging.splice(0)) response.end('{}');
  });

  testInWhole('an undo does each act once, when its worker is killed again and again', async () => {
    const { workflow, job } = await givenForks(8);
    const key = { 'idempotency-key': 'undo once' };
    const begin = () => stack.call('POST', `/api/v1/bulk/${job}/undo`, { perSecond: 4 }, key);
    const [one, other] = [await begin(), await begin()];
    const { id } = one.body.data.job;
    expect(other.body.data.job.id).toBe(id);
    for (const done of [1, 4]) {
      await until(
        () => jobOf(id),
        (now) => now.done >= done,
      );
      await stack.worker.kill();
      await stack.startWorker();
      await owner.query('update bulk_jobs set due_at = now() where id = $1', [id]);
    }
    expect(await ended(id)).toMatchObject({ total: 8, done: 8, refused: 0 });
    await until(
      () => statuses(workflow),
      (all) => all.filter((status: string) => status === 'cancelled').length === 8,
    );
    const { rows } = await owner.query(
      `select resource_id, count(*)::int as n from audit_entries where action = 'execution.undone' and resource_id in
        (select made_id from bulk_items where job_id = $1) group by resource_id`,
      [job],
    );
    expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 8 }, () => 1));
  });

  test('the undo of a job that runs, of another verb, and of another workspace is refused in words', async () => {
    const { workflow, job } = await givenForks(2);
    const running = (
      await bulk({ verb: 'fork', filter: { workflowIds: workflow, status: 'failed' }, perSecond: 0.1 })
    ).body.data.job.id;
    expect(await undo(running)).toMatchObject({ status: 409, body: { code: 'BULK_JOB_RUNNING' } });
    await stack.call('POST', `/api/v1/bulk/${running}/abort`);
    expect(await undo(running, { dryRun: true })).toMatchObject({ status: 202 });
    const cancel = await givenJob(workflow, { verb: 'cancel' });
    expect(await undo(cancel)).toMatchObject({
      status: 409,
      body: { code: 'NOT_UNDOABLE', error: expect.stringMatching(/cancel cannot be undone.*Fork/) },
    });
    expect(await undo('bulk_none')).toMatchObject({ status: 404 });
    expect(await undo(job, { perSecond: 0 })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'perSecond' }] },
    });
  });
});
