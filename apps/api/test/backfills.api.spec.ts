import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { approval, pure } from './support/definitions.ts';
import { type Answer, Stack, until } from './support/stack.ts';
import { testInWhole } from '#libs/platform/settings/support/whole';

let stack: Stack;
let owner: pg.Client;
beforeAll(async () => {
  // Of its own, because it kills the worker.
  stack = await Stack.start();
  owner = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await stack.stop();
});

interface GivenSchedule {
  workflowId: string;
  id: string;
  path: string;
}

async function givenSchedule({
  workflow = pure,
  schedule = {},
}: { workflow?: object; schedule?: object } = {}): Promise<GivenSchedule> {
  const workflowId = await stack.givenDeployed(workflow);
  const path = `/api/v1/workflows/${workflowId}/triggers`;
  const inputs = workflow === pure ? { amount: 5, note: '{{ schedule.scheduledAt }}' } : {};
  const body = {
    kind: 'schedule',
    name: `schedule ${randomUUID()}`,
    schedule: { everySeconds: 3600, ...schedule },
    inputs,
  };
  const created = await stack.post(path, body);
  if (created.status !== 201) throw new Error(JSON.stringify(created.body));
  const { id } = created.body.data;
  return { workflowId, id, path: `${path}/${id}` };
}

/** From midnight on, so many hours. */
const hours = (count: number) => ({
  from: '2026-01-06T00:00:00Z',
  to: new Date(Date.parse('2026-01-06T00:00:00Z') + count * 3_600_000).toISOString(),
});

const backfill = ({ path }: GivenSchedule, body: object) => stack.post(`${path}/backfill`, body);

async function make(schedule: GivenSchedule, body: object): Promise<string> {
  const { status, body: answer } = await backfill(schedule, body);
  if (status !== 202) throw new Error(JSON.stringify(answer));
  return answer.data.backfill.id;
}

const read = async ({ path }: GivenSchedule, id: string): Promise<Answer['body']> =>
  (await stack.get(`${path}/backfills/${id}`)).body.data;

const waitForEnd = (schedule: GivenSchedule, id: string) =>
  until(
    () => read(schedule, id),
    ({ status }) => status === 'completed',
  );

const momentsOf = async ({ path }: GivenSchedule): Promise<Answer['body'][]> =>
  (await stack.get(`${path}/deliveries?limit=100`)).body.data.toReversed();

describe('a backfill', () => {
  test('a backfill counts the moments of its range first, and writes nothing', async () => {
    const schedule = await givenSchedule();
    const { status, body } = await backfill(schedule, { ...hours(3), dryRun: true });
    expect(status).toBe(202);
    expect(body.data).toEqual({
      dryRun: true,
      backfill: null,
      counts: {
        moments: 3,
        alreadyRan: 0,
        first: '2026-01-06T00:00:00.000Z',
        last: '2026-01-06T02:00:00.000Z',
      },
    });
    expect((await stack.get(`${schedule.path}/backfills`)).body.data).toEqual([]);
  });

  test('a backfill with a rate starts no more moments than that, and those that ran before cost none of it', async () => {
    const schedule = await givenSchedule();
    await waitForEnd(schedule, await make(schedule, hours(3)));
    const id = await make(schedule, { ...hours(7), perSecond: 2, overlap: 'allow_all' });
    const ended = await waitForEnd(schedule, id);
    expect(ended).toMatchObject({ perSecond: 2, started: 4, alreadyRan: 3 });
    const begun = (await momentsOf(schedule)).slice(3).map(({ receivedAt }) => Date.parse(receivedAt));
    // The clocks of the process and of the database differ a little.
    for (const [n, ms] of begun.entries())
      expect(ms - Date.parse(ended.createdAt)).toBeGreaterThan(n * 500 - 100);
    const refused = await backfill(schedule, { ...hours(3), perSecond: 0 });
    expect([refused.status, refused.body.details]).toMatchObject([400, [{ path: 'perSecond' }]]);
  });

  test('a backfill starts each moment of its range once, with the moment in its inputs', async () => {
    const schedule = await givenSchedule();
    await stack.post(`${schedule.path}/pause`);
    const id = await make(schedule, hours(3));
    expect(await waitForEnd(schedule, id)).toMatchObject({
      triggerId: schedule.id,
      total: 3,
      started: 3,
      alreadyRan: 0,
      refused: 0,
      next: null,
      actsFor: { kind: 'key' },
    });
    const moments = await momentsOf(schedule);
    expect(moments).toMatchObject([
      { source: 'backfill', verdict: 'accepted', senderId: '2026-01-06T00:00:00.000Z' },
      { source: 'backfill', verdict: 'accepted', senderId: '2026-01-06T01:00:00.000Z' },
      { source: 'backfill', verdict: 'accepted', senderId: '2026-01-06T02:00:00.000Z' },
    ]);
    const { executionId, senderId } = moments[1];
    const execution = await stack.get(`/api/workflows/${schedule.workflowId}/executions/${executionId}`);
    expect(execution.body).toMatchObject({ trigger: 'schedule', inputs: { amount: 5, note: senderId } });
    const trigger = (await stack.get(schedule.path)).body.data;
    expect(trigger).toMatchObject({ status: 'paused', schedule: { runs: 0 } });
    const entries = await owner.query(`select action from audit_entries where resource_id = $1 order by 1`, [
      id,
    ]);
    expect(entries.rows.map(({ action }) => action)).toEqual(['backfill.created', 'backfill.updated']);
  });

  test.each([
    ['skips', '2026-03-28', ['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30']],
    ['repeats', '2026-10-24', ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30']],
  ])(
    'a backfill over a night whose clock %s the time of a schedule starts it once each day',
    async (_, from, expected) => {
      const daily = { everySeconds: undefined, cron: '30 2 * * *', timezone: 'Europe/Vienna' };
      const schedule = await givenSchedule({ schedule: { ...daily, overlap: 'allow_all' } });
      const start = Date.parse(from);
      const range = {
        from: new Date(start).toISOString(),
        to: new Date(start + 3 * 86_400_000).toISOString(),
      };
      await waitForEnd(schedule, await make(schedule, range));
      expect((await momentsOf(schedule)).map(({ senderId }) => senderId)).toEqual(
        expected.map((moment) => `${moment}:00.000Z`),
      );
    },
  );

  test('a moment that ran already is not started by another backfill, unless it is asked for again', async () => {
    const schedule = await givenSchedule();
    await waitForEnd(schedule, await make(schedule, hours(2)));
    const counted = await backfill(schedule, { ...hours(3), dryRun: true });
    expect(counted.body.data.counts).toMatchObject({ moments: 3, alreadyRan: 2 });
    const wider = await waitForEnd(schedule, await make(schedule, hours(3)));
    expect(wider).toMatchObject({ total: 3, started: 1, alreadyRan: 2 });
    const again = await waitForEnd(schedule, await make(schedule, { ...hours(3), again: true }));
    expect(again).toMatchObject({ total: 3, started: 3, alreadyRan: 0 });
    expect(await momentsOf(schedule)).toHaveLength(6);
  });

  test('two backfills of one range at once start each moment once', async () => {
    const schedule = await givenSchedule();
    const range = { ...hours(20), overlap: 'allow_all' };
    const ids = await Promise.all([make(schedule, range), make(schedule, range)]);
    const ended = await Promise.all(ids.map((id) => waitForEnd(schedule, id)));
    expect(ended.reduce((sum, { started }) => sum + started, 0)).toBe(20);
    expect(ended.reduce((sum, { alreadyRan }) => sum + alreadyRan, 0)).toBe(20);
    expect(await momentsOf(schedule)).toHaveLength(20);
  });

  test('a backfill waits while an execution of its schedule is open, unless it may start beside it', async () => {
    const schedule = await givenSchedule({ workflow: approval });
    const id = await make(schedule, hours(2));
    const waiting = await until(
      () => read(schedule, id),
      ({ waitsFor }) => waitsFor !== null,
    );
    expect(waiting).toMatchObject({ status: 'running', started: 1, waitsFor: /has not ended/ });
    const beside = await make(schedule, { ...hours(2), overlap: 'allow_all' });
    expect(await waitForEnd(schedule, beside)).toMatchObject({ started: 1, alreadyRan: 1 });
    expect((await stack.post(`${schedule.path}/backfills/${id}/abort`)).body.data.status).toBe('aborted');
  });

  test('a backfill waits for a hold that refuses, and says so', async () => {
    const schedule = await givenSchedule();
    const holds = `/api/v1/workspaces/${stack.home.id}/holds`;
    const wanted = { workflowId: schedule.workflowId, mode: 'refuse', reason: 'Upgrade.' };
    const held = await stack.post(holds, wanted);
    expect(held.status).toBe(201);
    const id = await make(schedule, hours(2));
    const waiting = await until(
      () => read(schedule, id),
      ({ waitsFor }) => waitsFor !== null,
    );
    expect(waiting.waitsFor).toContain('Upgrade.');
    expect(waiting).toMatchObject({ started: 0, refused: 0 });
    await stack.post(`${holds}/${held.body.data.id}/release`);
    expect(await waitForEnd(schedule, id)).toMatchObject({ started: 2, refused: 0 });
  });

  test('a backfill of a workflow that is not deployed says so with each moment', async () => {
    const schedule = await givenSchedule();
    await stack.call('DELETE', `/api/v1/workflows/${schedule.workflowId}/deploy`);
    const id = await make(schedule, hours(2));
    expect(await waitForEnd(schedule, id)).toMatchObject({ started: 0, refused: 2 });
    expect(await momentsOf(schedule)).toMatchObject([
      { source: 'backfill', verdict: 'undeployed' },
      { source: 'backfill', verdict: 'undeployed' },
    ]);
  });

  test('a moment that a replay has started is not started by a backfill', async () => {
    const schedule = await givenSchedule();
    const workflow = `/api/v1/workflows/${schedule.workflowId}`;
    await stack.call('DELETE', `${workflow}/deploy`);
    await waitForEnd(schedule, await make(schedule, hours(2)));
    await stack.post(`${workflow}/deploy`);
    const { body } = await stack.post(`${schedule.path}/deliveries/replay`, { verdict: 'undeployed' });
    const started = body.data.replays.map(({ executionId }: { executionId: string }) => executionId);
    expect(new Set(started).size).toBe(2);
    const again = await make(schedule, hours(2));
    await waitForEnd(schedule, again);
    expect(await read(schedule, again)).toMatchObject({ alreadyRan: 2, started: 0 });
  });

  test('a repeated call with a key makes one backfill', async () => {
    const schedule = await givenSchedule();
    const key = { 'Idempotency-Key': randomUUID() };
    const answers = [
      await stack.post(`${schedule.path}/backfill`, hours(1), key),
      await stack.post(`${schedule.path}/backfill`, hours(1), key),
    ];
    expect(new Set(answers.map(({ body }) => body.data.backfill.id)).size).toBe(1);
    expect((await stack.get(`${schedule.path}/backfills`)).body.data).toHaveLength(1);
  });

  test('an ended backfill cannot be aborted, and one of another schedule is not found', async () => {
    const schedule = await givenSchedule();
    const id = await make(schedule, hours(1));
    await waitForEnd(schedule, id);
    expect((await stack.post(`${schedule.path}/backfills/${id}/abort`)).body.code).toBe('BACKFILL_ENDED');
    const other = await givenSchedule();
    expect((await stack.get(`${other.path}/backfills/${id}`)).status).toBe(404);
    const stranger = await stack.givenWorkspace();
    const headers = { 'x-api-key': stranger.key };
    expect((await stack.post(`${schedule.path}/backfill`, hours(1), headers)).status).toBe(404);
  });

  test.each([
    ['ends before it begins', { from: '2026-01-06', to: '2026-01-05' }, 'to'],
    ['ends in the future', { from: '2026-01-06', to: '2999-01-01' }, 'to'],
    ['holds too many moments', { from: '2020-01-01', to: '2026-01-01' }, 'to'],
    ['holds no moment', { from: '2026-01-06T00:10:00Z', to: '2026-01-06T00:20:00Z' }, 'from'],
    ['has a time that is none', { from: 'yesterday', to: '2026-01-06' }, 'from'],
    ['has no end', { from: '2026-01-06' }, 'to'],
  ])('a backfill whose range %s is refused', async (_, range, field) => {
    const schedule = await givenSchedule();
    expect(await backfill(schedule, range)).toMatchObject({
      status: 400,
      body: { details: [{ path: field }] },
    });
    expect((await stack.get(`${schedule.path}/backfills`)).body.data).toEqual([]);
  });

  test('a webhook has no moments to backfill', async () => {
    const workflowId = await stack.givenDeployed(pure);
    const path = `/api/v1/workflows/${workflowId}/triggers`;
    const made = await stack.post(path, { kind: 'webhook', name: 'hook', webhook: { scheme: 'none' } });
    const answer = await stack.post(`${path}/${made.body.data.id}/backfill`, hours(1));
    expect(answer).toMatchObject({ status: 409, body: { code: 'NOT_A_SCHEDULE' } });
  });
});

testInWhole('each of 200 moments of a backfill starts one execution, while workers are killed', async () => {
  const schedule = await givenSchedule();
  const id = await make(schedule, { ...hours(200), overlap: 'allow_all' });
  for (const share of [20, 90]) {
    await until(
      () => read(schedule, id),
      ({ started }) => started >= share,
    );
    await stack.worker.kill('SIGKILL');
    await stack.startWorker();
    // What the killed worker had in hand is free half a minute later.
    await owner.query(`update backfills set due_at = now() where id = $1`, [id]);
  }
  expect(await waitForEnd(schedule, id)).toMatchObject({ started: 200, alreadyRan: 0, refused: 0 });
  const { rows } = await owner.query(
    `select (select count(*)::int from executions where workflow_id = $1) as executions,
       (select count(distinct sender_id)::int from trigger_deliveries where trigger_id = $2) as moments`,
    [schedule.workflowId, schedule.id],
  );
  expect(rows[0]).toEqual({ executions: 200, moments: 200 });
});
