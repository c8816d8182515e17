import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { pure } from './support/definitions.ts';
import { givenMember } from './support/people.ts';
import { type Answer, Stack, until } from './support/stack.ts';
import { Tables } from './support/tables.ts';
import { testInWhole } from '#libs/platform/settings/support/whole';

let stack: Stack;
let owner: pg.Client;
const tables = new Tables(() => stack);
beforeAll(async () => {
  // Of its own, because it kills processes.
  stack = await Stack.start();
  owner = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await stack.stop();
});
afterEach(async () => {
  // A trigger of one test must not hear of the runs of the next.
  await owner.query('delete from triggers');
});

/** Answers with what started it. */
const echo = {
  start: { inputs: { event: { type: 'json' } } },
  blocks: [{ id: 'answer', type: 'response', params: { data: { event: '{{ start.event }}' } } }],
  edges: [{ from: 'start', to: 'answer' }],
};
const inputs = { event: '{{ event.body }}' };

/** Fails at once. */
const failing = {
  blocks: [
    {
      id: 'call',
      type: 'http',
      params: { url: 'http://127.0.0.1:1/', method: 'GET' },
      retry: { maxAttempts: 1 },
    },
  ],
  edges: [{ from: 'start', to: 'call' }],
};

interface GivenTrigger {
  workflowId: string;
  id: string;
  path: string;
}

async function givenTrigger(
  event: object,
  more: object = {},
  definition: object = echo,
): Promise<GivenTrigger> {
  return addTrigger(await stack.givenDeployed(definition), event, more);
}

async function addTrigger(workflowId: string, event: object, more: object = {}): Promise<GivenTrigger> {
  const created = await attempt(workflowId, event, more);
  if (created.status !== 201) throw new Error(JSON.stringify(created.body));
  const { id } = created.body.data;
  return { workflowId, id, path: `/api/v1/workflows/${workflowId}/triggers/${id}` };
}

const attempt = (workflowId: string, event: object, more: object = {}): Promise<Answer> =>
  stack.post(`/api/v1/workflows/${workflowId}/triggers`, {
    kind: 'event',
    name: `event ${randomUUID()}`,
    inputs,
    event,
    ...more,
  });

const run = (workflowId: string, values: object = {}) =>
  stack.post(`/api/workflows/${workflowId}/execute`, { inputs: values });

const listDeliveries = async ({ path }: GivenTrigger): Promise<Answer['body'][]> =>
  (await stack.get(`${path}/deliveries?limit=100`)).body.data;

/** Waits until so many deliveries have come, and returns them with the oldest first. */
const awaitDeliveries = async (trigger: GivenTrigger, count: number) =>
  (
    await until(
      () => listDeliveries(trigger),
      (found) => found.length >= count,
    )
  ).toReversed();

/** What the execution of a delivery has answered. */
async function readAnswer({ executionId }: Answer['body']): Promise<Answer['body']> {
  const read = () => stack.get(`/api/jobs/${executionId.replace('exec_', 'job_')}`);
  return (await until(read, ({ body }) => body.status === 'completed')).body.output.event;
}

describe('an event trigger', () => {
  test('an execution that fails starts the workflow that waits for failures, with the event as its input', async () => {
    const source = await stack.givenDeployed(failing);
    const trigger = await givenTrigger({ types: ['execution.failed'], workflowIds: [source] });
    const failed = (await run(source)).body.executionId;
    const [delivery] = await awaitDeliveries(trigger, 1);
    expect(await readAnswer(delivery)).toMatchObject({
      type: 'execution.failed',
      data: { executionId: failed, workflowId: source, status: 'failed', failure: { blockId: 'call' } },
    });
    const { body } = await stack.get(`/api/v1/logs?executionId=${delivery.executionId}&details=full`);
    expect(body.data[0]).toMatchObject({ trigger: 'event' });
  });

  test('an event starts nothing for another type, another workflow, and when the filter says no', async () => {
    const [source, other] = [await stack.givenDeployed(pure), await stack.givenDeployed(pure)];
    const trigger = await givenTrigger(
      { types: ['execution.completed'], workflowIds: [source] },
      { when: 'event.body.data.mode == "sync"' },
    );
    await run(other, { amount: 1 });
    await stack.post(`/api/workflows/${source}/execute`, { inputs: { amount: 1 }, async: true });
    const last = (await run(source, { amount: 2 })).body.executionId;
    const deliveries = await awaitDeliveries(trigger, 2);
    expect(new Set(deliveries.map(({ verdict }) => verdict))).toEqual(new Set(['accepted', 'filtered']));
    const accepted = deliveries.find(({ verdict }) => verdict === 'accepted');
    expect((await readAnswer(accepted)).data.executionId).toBe(last);
  });

  test('an event whose worker ended before it was marked as decided is logged once, whatever became of it', async () => {
    const source = await stack.givenDeployed(pure);
    const trigger = await givenTrigger(
      { types: ['execution.completed'], workflowIds: [source] },
      { when: 'event.body.data.mode == "sync"' },
    );
    await stack.post(`/api/workflows/${source}/execute`, { inputs: { amount: 1 }, async: true });
    await run(source, { amount: 2 });
    const before = await awaitDeliveries(trigger, 2);
    await owner.query(
      `update event_deliveries set status = 'pending', due_at = now(), settled_at = null where trigger_id = $1`,
      [trigger.id],
    );
    await until(
      () =>
        owner.query(`select from event_deliveries where trigger_id = $1 and settled_at is null`, [
          trigger.id,
        ]),
      ({ rowCount }) => rowCount === 0,
    );
    expect(await awaitDeliveries(trigger, 2)).toEqual(before);
  });

  test('a trigger that names no workflow hears of every other workflow, and never of its own', async () => {
    const trigger = await givenTrigger({ types: ['execution.completed'] });
    await run(trigger.workflowId, { event: 1 });
    const source = await stack.givenDeployed(pure);
    const started = (await run(source, { amount: 1 })).body.executionId;
    const [delivery] = await awaitDeliveries(trigger, 1);
    expect((await readAnswer(delivery)).data.executionId).toBe(started);
    expect(await listDeliveries(trigger)).toHaveLength(1);
  });

  test('two workflows that start each other end with a delivery that says why', async () => {
    const second = await stack.givenDeployed(echo);
    const first = await givenTrigger({ types: ['execution.completed'], workflowIds: [second] });
    const back = await addTrigger(second, {
      types: ['execution.completed'],
      workflowIds: [first.workflowId],
    });
    await run(first.workflowId, { event: 1 });
    const [, looped] = await awaitDeliveries(back, 2);
    expect(looped).toMatchObject({ verdict: 'looped', executionId: null, error: { code: 'EVENT_LOOP' } });
    expect((await listDeliveries(first)).map(({ verdict }) => verdict)).toEqual(['accepted']);
  });

  test('an event that comes while the trigger is paused is kept, and its replay starts the workflow', async () => {
    const source = await stack.givenDeployed(pure);
    const trigger = await givenTrigger({ types: ['execution.completed'], workflowIds: [source] });
    await stack.post(`${trigger.path}/pause`, { note: 'An upgrade.' });
    const { executionId } = (await run(source, { amount: 1 })).body;
    const [kept] = await awaitDeliveries(trigger, 1);
    expect(kept).toMatchObject({
      verdict: 'paused',
      error: { message: 'The trigger is paused. An upgrade.' },
    });
    await stack.post(`${trigger.path}/resume`);
    const replayed = await stack.post(`${trigger.path}/deliveries/${kept.id}/replay`);
    expect(replayed.status).toBe(202);
    expect((await readAnswer(replayed.body.data)).data.executionId).toBe(executionId);
  });

  test('a limit that refuses starts is told once for its period, and another limit by another event', async () => {
    const trigger = await givenTrigger({ types: ['limit.reached'] });
    const workflowId = await stack.givenDeployed(pure);
    const { id: userId, headers } = await givenMember(stack, `${randomUUID()}@example.org`, 'editor');
    const cap = `/api/v1/workspaces/${stack.home.id}/members/${userId}/cap`;
    await stack.call('PUT', cap, { monthlyCost: 0 });
    const start = async () => (await stack.execute(workflowId, { inputs: { amount: 1 } }, headers)).status;
    expect([await start(), await start(), await start()]).toEqual([402, 402, 402]);
    const readAll = async () => Promise.all((await listDeliveries(trigger)).map(readAnswer));
    const [first] = await until(readAll, ({ length }) => length > 0);
    expect(first).toMatchObject({
      type: 'limit.reached',
      data: { limit: 'member_cap', userId, period: new Date().toISOString().slice(0, 7) },
    });
    await owner.query(
      `insert into rate_buckets (owner, kind, tokens, updated_at) values ($1, 'sync', -1e9, clock_timestamp())
       on conflict (owner, kind) do update set tokens = excluded.tokens, updated_at = clock_timestamp()`,
      [userId],
    );
    expect([await start(), await start()]).toEqual([429, 429]);
    const told = await until(readAll, ({ length }) => length > 1);
    expect(new Set(told.map(({ data }) => data.limit))).toEqual(new Set(['member_cap', 'rate']));
    const { rows } = await owner.query(
      `select id, workspace_id, data from events where type = 'limit.reached'`,
    );
    expect(rows).toHaveLength(2);
    // Another process, which has not told of it, writes the same id.
    await owner.query(`select record_event($2, 'limit.reached', null, null, 0, null, $3, $1)`, [
      rows[0].id,
      rows[0].workspace_id,
      JSON.stringify(rows[0].data),
    ]);
    const after = await owner.query(`select from events where type = 'limit.reached'`);
    expect(after.rows).toHaveLength(2);
  });

  test('an event on which the template fails is logged with its fault, and its replay starts the workflow once the template is mended', async () => {
    const source = await stack.givenDeployed(failing);
    const event = { types: ['execution.failed'], workflowIds: [source] };
    const trigger = await givenTrigger(event, { inputs: { event: '{{ int(event.body.type) }}' } });
    await run(source);
    const [refused] = await awaitDeliveries(trigger, 1);
    expect(refused).toMatchObject({
      verdict: 'invalid',
      executionId: null,
      error: { code: 'INVALID_REQUEST', message: expect.stringContaining('is no whole number') },
    });
    await stack.call('PATCH', trigger.path, { inputs });
    const replayed = await stack.post(`${trigger.path}/deliveries/${refused.id}/replay`);
    expect(await readAnswer(replayed.body.data)).toMatchObject({ type: 'execution.failed' });
  });

  test('a moment of a schedule on which the template fails is logged and told, and its replay starts the workflow once the template is mended', async () => {
    const trigger = await givenTrigger({ types: ['trigger.missed'] });
    const workflowId = await stack.givenDeployed(pure);
    const path = `/api/v1/workflows/${workflowId}/triggers`;
    const { id } = (
      await stack.post(path, {
        kind: 'schedule',
        name: 'broken',
        inputs: { amount: '{{ int("at " + schedule.scheduledAt) }}' },
        schedule: { everySeconds: 1, maxRuns: 1 },
      })
    ).body.data;
    const broken = { workflowId, id, path: `${path}/${id}` };
    const [refused] = await awaitDeliveries(broken, 1);
    await stack.call('PATCH', broken.path, { inputs: { amount: 3 } });
    expect(refused).toMatchObject({ verdict: 'invalid', error: { code: 'INVALID_REQUEST' } });
    const [told] = await awaitDeliveries(trigger, 1);
    expect((await readAnswer(told)).data).toMatchObject({
      triggerId: id,
      scheduledAt: refused.senderId,
      reason: expect.stringContaining('is no whole number'),
    });
    const replayed = await stack.post(`${broken.path}/deliveries/${refused.id}/replay`);
    expect(replayed.body.data.executionId).toMatch(/^exec_/);
  });

  test('a schedule that is switched off and a moment that is missed are told', async () => {
    const trigger = await givenTrigger({ types: ['trigger.disabled', 'trigger.missed'] });
    const other = await stack.givenDeployed(pure);
    const daily = {
      kind: 'schedule',
      name: 'daily',
      inputs: { amount: 1 },
      schedule: { everySeconds: 86_400 },
    };
    const { id } = (await stack.post(`/api/v1/workflows/${other}/triggers`, daily)).body.data;
    await owner.query(
      `update triggers set next_at = now() - interval '2 hours', due_at = now(), claimed_until = null where id = $1`,
      [id],
    );
    const [missed] = await awaitDeliveries(trigger, 1);
    expect(await readAnswer(missed)).toMatchObject({
      type: 'trigger.missed',
      data: { workflowId: other, triggerId: id, triggerName: 'daily' },
    });
    await owner.query(`update triggers set status = 'disabled', note = 'Forged.' where id = $1`, [id]);
    const readAll = async () => Promise.all((await listDeliveries(trigger)).map(readAnswer));
    const isDisabled = ({ type }: Answer['body']) => type === 'trigger.disabled';
    const events = await until(readAll, (found) => found.some(isDisabled));
    expect(events.find(isDisabled).data).toMatchObject({ triggerId: id, reason: 'Forged.' });
  });
});

describe('rows', () => {
  test('a row that is inserted, changed and deleted starts the workflow with its cells before and after', async () => {
    const table = await tables.given([
      { name: 'email', type: 'string' },
      { name: 'score', type: 'number' },
    ]);
    const tableId = table.split('/').at(-1);
    const types = ['table.row.inserted', 'table.row.updated', 'table.row.deleted'];
    const trigger = await givenTrigger({ types, tableId });
    const [rowId] = await tables.rows(table, [{ email: 'ann@example.org', score: 1 }]);
    const change = { workspaceId: stack.home.id, data: { score: 2 } };
    expect((await stack.call('PATCH', `${table}/rows/${rowId}`, change)).status).toBe(200);
    // The same value again is no change.
    await stack.call('PATCH', `${table}/rows/${rowId}`, change);
    await stack.call('DELETE', `${table}/rows/${rowId}`, { workspaceId: stack.home.id });
    const events = await Promise.all((await awaitDeliveries(trigger, 3)).map(readAnswer));
    const [before, after] = [
      { email: 'ann@example.org', score: 1 },
      { email: 'ann@example.org', score: 2 },
    ];
    const shown = events.map(({ type, data }) => [type, data.rowId, data.row ?? null, data.previous ?? null]);
    expect(new Set(shown)).toEqual(
      new Set([
        ['table.row.inserted', rowId, before, null],
        ['table.row.updated', rowId, after, before],
        ['table.row.deleted', rowId, null, after],
      ]),
    );
  });

  testInWhole(
    'each of 300 new rows starts one execution, while the API and the worker are killed',
    async () => {
      const table = await tables.given([{ name: 'n', type: 'number' }]);
      const trigger = await givenTrigger(
        { types: ['table.row.inserted'], tableId: table.split('/').at(-1) },
        { inputs: { event: '{{ event.body.data.row.n }}' } },
      );
      const insert = (from: number) =>
        tables.rows(
          table,
          Array.from({ length: 100 }, (_, n) => ({ n: from + n })),
        );
      await Promise.all([insert(0), insert(100)]);
      const count = async () => {
        await owner.query(
          `update event_deliveries set due_at = now() where trigger_id = $1 and status = 'pending' and due_at > now() + interval '20 seconds'`,
          [trigger.id],
        );
        const { rows } = await owner.query(
          `select count(*)::int as all, count(distinct inputs ->> 'event')::int as distinct from executions where workflow_id = $1`,
          [trigger.workflowId],
        );
        return rows[0];
      };
      await until(count, ({ all }) => all > 20);
      await stack.worker.kill('SIGKILL');
      await stack.api.kill();
      await Promise.all([stack.startApi(), stack.startWorker()]);
      await insert(200);
      await until(count, ({ all }) => all > 220);
      await stack.worker.kill('SIGKILL');
      await stack.startWorker();
      expect(await until(count, ({ distinct }) => distinct === 300)).toEqual({
        all: 300,
        distinct: 300,
      });
    },
  );
});

describe('a refused event trigger', () => {
  test.each([
    ['no type', { types: [] }, 'event.types'],
    ['an unknown type', { types: ['execution.started'] }, 'event.types.0'],
    ['events of rows without a table', { types: ['table.row.inserted'] }, 'event.tableId'],
    ['an unknown table', { types: ['table.row.inserted'], tableId: 'tbl_none' }, 'event.tableId'],
    ['a table for events of runs', { types: ['execution.failed'], tableId: 'tbl_none' }, 'event.tableId'],
    ['an unknown workflow', { types: ['execution.failed'], workflowIds: ['wf_none'] }, 'event.workflowIds.0'],
  ])('an event trigger with %s is refused by its field', async (_, event, path) => {
    const workflow = await stack.givenDeployed(echo);
    const { status, body } = await attempt(workflow, event);
    expect([status, body.details?.[0].path]).toEqual([400, path]);
  });

  test('an event trigger is refused for its own workflow, with members of another kind, and without its settings', async () => {
    const workflow = await stack.givenDeployed(echo);
    const own = await attempt(workflow, { types: ['execution.completed'], workflowIds: [workflow] });
    expect([own.status, own.body.details[0]]).toMatchObject([
      400,
      { path: 'event.workflowIds.0', code: 'loop' },
    ]);
    const types = { types: ['execution.completed'] };
    const mixed = await attempt(workflow, types, { schedule: { everySeconds: 60 } });
    expect([mixed.status, mixed.body.details[0].path]).toEqual([400, 'schedule']);
    const bare = await stack.post(`/api/v1/workflows/${workflow}/triggers`, { kind: 'event', name: 'bare' });
    expect([bare.status, bare.body.details[0].path]).toEqual([400, 'event']);
    const { path } = await addTrigger(workflow, types);
    const changed = await stack.call('PATCH', path, { event: { types: ['no'] } });
    expect([changed.status, changed.body.details[0].path]).toEqual([400, 'event.types.0']);
  });
});
