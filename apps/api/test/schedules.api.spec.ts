import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { approval, pure } from './support/definitions.ts';
import { Line } from './support/line.ts';
import { type Answer, Stack, until } from './support/stack.ts';
import { testInWhole } from '#libs/platform/settings/support/whole';

let stack: Stack;
let owner: pg.Client;
let line: Line;
beforeAll(async () => {
  // Of its own, because it kills the worker and cuts Temporal off.
  line = await Line.to(process.env['HOLDFAST_TEST_TEMPORAL'] ?? '');
  stack = await Stack.start({ TEMPORAL_ADDRESS: line.address });
  owner = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await stack.stop();
  line.stop();
});

interface GivenSchedule {
  workflowId: string;
  id: string;
  path: string;
  created: Answer;
}

const hourly = { everySeconds: 3600 };

async function givenSchedule({
  schedule = hourly,
  workflow = pure,
  inputs = { amount: 5 },
}: { schedule?: object; workflow?: object; inputs?: object | null } = {}): Promise<GivenSchedule> {
  const workflowId = await stack.givenDeployed(workflow);
  const path = `/api/v1/workflows/${workflowId}/triggers`;
  const body = { kind: 'schedule', name: `schedule ${randomUUID()}`, schedule, inputs };
  const created = await stack.post(path, body);
  if (created.status !== 201) throw new Error(JSON.stringify(created.body));
  return { workflowId, id: created.body.data.id, path: `${path}/${created.body.data.id}`, created };
}

/** Makes the moment so many minutes ago the next one, as if no worker had run since. */
async function setBack({ id }: GivenSchedule, minutes: number): Promise<Date> {
  const moment = new Date((Math.floor(Date.now() / 60_000) - minutes) * 60_000);
  await owner.query('update triggers set next_at = $2, due_at = now(), claimed_until = null where id = $1', [
    id,
    moment,
  ]);
  return moment;
}

const read = async ({ path }: GivenSchedule) => (await stack.get(path)).body.data;

/** What became of the moments, the oldest first. */
async function momentsOf({
  path,
}: GivenSchedule): Promise<{ verdict: string; senderId: string; executionId: string }[]> {
  const found: Answer['body'][] = [];
  for (let cursor = ''; ;) {
    const { body } = await stack.get(`${path}/deliveries?limit=100${cursor}`);
    found.push(...body.data);
    if (body.nextCursor === null) return found.toReversed();
    cursor = `&cursor=${body.nextCursor}`;
  }
}

const verdictsOf = async (schedule: GivenSchedule) =>
  (await momentsOf(schedule)).map(({ verdict }) => verdict);

describe('a schedule', () => {
  test('a schedule starts an execution at each moment, until it has started as many as it may', async () => {
    const schedule = await givenSchedule({
      schedule: { everySeconds: 1, maxRuns: 3 },
      inputs: { amount: 5, note: '{{ schedule.scheduledAt }}' },
    });
    const ended = await until(
      () => read(schedule),
      ({ status }) => status === 'ended',
    );
    expect(ended).toMatchObject({
      schedule: { runs: 3, next: [] },
      lastDelivery: { verdict: 'accepted', reason: null },
    });
    const moments = await momentsOf(schedule);
    expect(moments.map(({ verdict }) => verdict)).toEqual(['accepted', 'accepted', 'accepted']);
    expect(new Set(moments.map(({ senderId }) => senderId)).size).toBe(3);
    await stack.call('PATCH', schedule.path, { schedule: { everySeconds: 1, maxRuns: 3 } });
    await until(
      () => read(schedule),
      ({ status }) => status === 'ended',
    );
    expect((await momentsOf(schedule)).length).toBe(3);
    const yearly = { cron: '0 0 1 1 *', maxRuns: 3 };
    const over = { status: 'ended', schedule: { runs: 3, next: [] } };
    expect((await stack.call('PATCH', schedule.path, { schedule: yearly })).body.data).toMatchObject(over);
    expect((await stack.post(`${schedule.path}/resume`)).body.data).toMatchObject(over);
    const more = { schedule: { ...yearly, maxRuns: 5 } };
    const goingOn = (await stack.call('PATCH', schedule.path, more)).body.data;
    expect([goingOn.status, goingOn.schedule.next.length]).toEqual(['active', 2]);
    for (const { senderId, executionId } of moments) {
      const { body } = await stack.get(`/api/workflows/${schedule.workflowId}/executions/${executionId}`);
      expect(body).toMatchObject({
        trigger: 'schedule',
        inputs: { amount: 5, note: senderId },
        actor: { triggerId: schedule.id },
      });
    }
    const log = (await stack.get(`/api/v1/logs?triggerIds=${schedule.id},trg_other`)).body.data;
    expect(log.map(({ trigger, triggerId }: Answer['body']) => [trigger, triggerId])).toEqual(
      Array.from({ length: 3 }, () => ['schedule', schedule.id]),
    );
  });

  test('a schedule shows its next five moments in its zone, none while it is paused, and goes on from now', async () => {
    const schedule = await givenSchedule({
      schedule: { cron: '0 9 * * MON-FRI', timezone: 'Europe/Berlin' },
    });
    const { data } = schedule.created.body;
    expect(data).toMatchObject({
      kind: 'schedule',
      status: 'active',
      webhook: null,
      url: null,
      secret: null,
    });
    expect(data.schedule.next).toHaveLength(5);
    const hours = data.schedule.next.map((moment: string) =>
      new Date(moment).toLocaleString('en-GB', {
        timeZone: 'Europe/Berlin',
        hour: '2-digit',
        minute: '2-digit',
      }),
    );
    expect(new Set(hours)).toEqual(new Set(['09:00']));
    expect((await stack.post(`${schedule.path}/pause`, { note: 'Holidays.' })).body.data).toMatchObject({
      status: 'paused',
      reason: 'Holidays.',
      schedule: { next: [] },
    });
    await setBack(schedule, 60);
    expect((await stack.post(`${schedule.path}/resume`)).body.data.schedule.next).toEqual(data.schedule.next);
    const changed = await stack.call('PATCH', schedule.path, {
      schedule: { everySeconds: 60, overlap: 'buffer_all' },
    });
    expect(changed.body.data.schedule).toMatchObject({ cron: null, everySeconds: 60, overlap: 'buffer_all' });
    expect(Date.parse(changed.body.data.schedule.next[0]) - Date.now()).toBeLessThanOrEqual(60_000);
    expect(await momentsOf(schedule)).toEqual([]);
    expect((await stack.post(`${schedule.path}/rotate`, { url: true })).body.code).toBe('NOT_A_WEBHOOK');
  });

  test('a schedule that is resumed says how many moments passed while it was paused, and starts none of them', async () => {
    const schedule = await givenSchedule({ schedule: { everySeconds: 60 } });
    const resume = async () => (await stack.post(`${schedule.path}/resume`)).body.data;
    await stack.post(`${schedule.path}/pause`, { note: 'Holidays.' });
    await setBack(schedule, 5);
    const since = (await owner.query('select next_at from triggers where id = $1', [schedule.id])).rows[0]
      .next_at;
    const { lastDelivery } = await resume();
    // Another minute may have begun meanwhile.
    expect(lastDelivery).toMatchObject({
      verdict: 'paused',
      executionId: null,
      reason: expect.stringMatching(
        `^The schedule was paused. Holidays. This is the newest of [67] moments that passed since ${since.toISOString()}.$`,
      ),
    });
    const [entry, ...others] = await momentsOf(schedule);
    expect([others, entry]).toMatchObject([[], { error: { code: 'TRIGGER_PAUSED' } }]);
    expect(Date.now() - Date.parse(entry?.senderId ?? '')).toBeLessThan(120_000);
    await stack.post(`${schedule.path}/pause`);
    await resume();
    expect(await verdictsOf(schedule)).toEqual(['paused']);
    const replayed = await stack.post(`${schedule.path}/deliveries/replay`, { verdict: 'paused' });
    expect(replayed.body.data.replays).toHaveLength(1);
  });

  test('a schedule of listed moments starts on them alone, without the days that it leaves out', async () => {
    const year = new Date().getUTCFullYear() + 1;
    const schedule = await givenSchedule({
      schedule: {
        dates: [`${year}-03-01T09:00`, `${year}-01-29T09:00`, `${year}-08-02T09:00`],
        except: [`${year}-03-01`],
        timezone: 'Europe/Berlin',
      },
    });
    const { data } = schedule.created.body;
    expect(data.schedule).toMatchObject({ cron: null, everySeconds: null, except: [`${year}-03-01`] });
    // The second one is in summer time.
    const next = [`${year}-01-29T08:00:00.000Z`, `${year}-08-02T07:00:00.000Z`];
    expect(data.schedule.next).toEqual(next);
    const changed = await stack.call('PATCH', schedule.path, {
      schedule: { everySeconds: 3600, except: [`${year}-03-01`] },
    });
    expect(changed.body.data.schedule).toMatchObject({ dates: null, everySeconds: 3600 });
  });

  test.each([
    ['skip', ['accepted', 'overlapped', 'overlapped'], 0],
    ['buffer_one', ['accepted', 'overlapped'], 1],
    ['buffer_all', ['accepted'], 2],
    ['allow_all', ['accepted', 'accepted', 'accepted'], 0],
  ])(
    'a schedule with the overlap %s decides so while an execution waits for a person',
    async (overlap, verdicts, waiting) => {
      const schedule = await givenSchedule({ schedule: { everySeconds: 60, overlap }, workflow: approval });
      // The moment of this minute may come while the test runs, so what comes first is looked at.
      await setBack(schedule, 2);
      const met = await until(
        async () => ({ found: await verdictsOf(schedule), shown: await read(schedule) }),
        ({ found, shown }) => found.length + shown.schedule.waiting.length >= 3,
      );
      expect(met.found.slice(0, verdicts.length)).toEqual(verdicts);
      expect(met.shown.schedule.waiting.length).toBeGreaterThanOrEqual(waiting);
      if (waiting === 0) return;
      await stack.post(`${schedule.path}/pause`);
      const [first] = await momentsOf(schedule);
      await stack.post(`/api/workflows/${schedule.workflowId}/executions/${first?.executionId}/cancel`);
      // Neither a pause nor a change of the schedule drops the moments that wait.
      await stack.call('PATCH', schedule.path, { schedule: { everySeconds: 3600, overlap } });
      await stack.post(`${schedule.path}/resume`);
      await until(
        async () => (await verdictsOf(schedule)).filter((one) => one === 'accepted').length,
        (count) => count === 2,
      );
    },
  );

  test('a worker that another one has overtaken logs no moment of a schedule, and leaves its next one as it is', async () => {
    const schedule = await givenSchedule({ workflow: approval });
    await setBack(schedule, 0);
    await until(
      () => verdictsOf(schedule),
      (found) => found.length === 1,
    );
    const holder = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
    await holder.connect();
    await holder.query('begin');
    await holder.query('lock table trigger_deliveries in access exclusive mode');
    const overtaken = await setBack(schedule, 2);
    await until(
      () => owner.query('select from triggers where id = $1 and claimed_until > now()', [schedule.id]),
      ({ rowCount }) => rowCount === 1,
    );
    const after = await setBack(schedule, 1);
    await holder.query('commit');
    await holder.end();
    const moments = await until(
      () => momentsOf(schedule),
      (found) => found.some(({ senderId }) => senderId === after.toISOString()),
    );
    expect(moments.map(({ senderId }) => senderId)).not.toContain(overtaken.toISOString());
  });

  test('a schedule with the overlap cancel_other ends the earlier execution before the next one begins', async () => {
    const schedule = await givenSchedule({
      schedule: { everySeconds: 60, overlap: 'cancel_other' },
      workflow: approval,
    });
    await setBack(schedule, 0);
    const [first] = await until(
      () => momentsOf(schedule),
      (found) => found.length === 1,
    );
    await setBack(schedule, 1);
    const both = await until(
      async () => (await momentsOf(schedule)).filter(({ verdict }) => verdict === 'accepted'),
      (found) => found.length >= 2,
    );
    const states = await Promise.all(
      [first, both.at(-1)].map(
        async (one) =>
          (await stack.get(`/api/workflows/${schedule.workflowId}/executions/${one?.executionId}`)).body
            .status,
      ),
    );
    expect(states[0]).toBe('cancelled');
    expect(['paused', 'queued', 'running']).toContain(states[1]);
  });

  test('a schedule catches up the moments of its window after an outage, and says which it missed', async () => {
    const schedule = await givenSchedule({
      schedule: { everySeconds: 60, overlap: 'allow_all', catchUpSeconds: 300 },
    });
    await setBack(schedule, 600);
    const found = await until(
      () => momentsOf(schedule),
      (moments) => moments.filter(({ verdict }) => verdict === 'accepted').length >= 5,
    );
    const missed = found.filter(({ verdict }) => verdict === 'missed');
    expect(missed).toHaveLength(100);
    expect(missed[0]).toMatchObject({
      error: { code: 'MISSED', message: expect.stringMatching(/300 s too late.* moments before it/) },
    });
    const accepted = found.filter(({ verdict }) => verdict === 'accepted');
    const oldest = Date.now() - Date.parse(accepted[0]?.senderId ?? '');
    expect(oldest).toBeLessThan(7 * 60_000);
    const replayed = await stack.post(`${schedule.path}/deliveries/replay`, { verdict: 'missed', limit: 1 });
    const [{ executionId }] = replayed.body.data.replays;
    expect(
      (await stack.get(`/api/workflows/${schedule.workflowId}/executions/${executionId}`)).body.trigger,
    ).toBe('schedule');
  });

  test('a schedule of a workflow that is not deployed says so with each moment', async () => {
    const schedule = await givenSchedule();
    await stack.call('DELETE', `/api/v1/workflows/${schedule.workflowId}/deploy`);
    await setBack(schedule, 1);
    const { lastDelivery, status } = await until(
      () => read(schedule),
      ({ lastDelivery: last }) => last !== null,
    );
    expect([status, lastDelivery.verdict, lastDelivery.reason]).toEqual([
      'paused',
      'undeployed',
      expect.stringContaining('not deployed'),
    ]);
  });

  test('a schedule is run by hand without a change of its moments', async () => {
    const schedule = await givenSchedule({ inputs: null, workflow: { ...pure, start: {} } });
    const { next } = schedule.created.body.data.schedule;
    const { executionId } = (await stack.post(`${schedule.path}/run`)).body.data;
    const { body } = await stack.get(`/api/workflows/${schedule.workflowId}/executions/${executionId}`);
    expect(body).toMatchObject({
      trigger: 'schedule',
      inputs: { scheduledAt: expect.stringMatching(/^20/) },
    });
    expect((await read(schedule)).schedule).toMatchObject({ next, runs: 0 });
    for (const scheduledAt of ['garbage', '', 5])
      expect(await stack.post(`${schedule.path}/run`, { body: { scheduledAt } })).toMatchObject({
        status: 400,
        body: { details: [{ path: 'body.scheduledAt' }] },
      });
    expect(await momentsOf(schedule)).toHaveLength(1);
  });

  test.each([
    ['a cron expression that never comes', { schedule: { cron: '0 0 30 2 *' } }, 'schedule.cron'],
    [
      'a zone that does not exist',
      { schedule: { cron: '0 0 * * *', timezone: 'Mars/Base' } },
      'schedule.timezone',
    ],
    ['an interval of no length', { schedule: { everySeconds: 0 } }, 'schedule.everySeconds'],
    ['an unknown overlap', { schedule: { everySeconds: 60, overlap: 'both' } }, 'schedule.overlap'],
    [
      'a window that is too short',
      { schedule: { everySeconds: 60, catchUpSeconds: 1 } },
      'schedule.catchUpSeconds',
    ],
    [
      'an end in the past',
      { schedule: { everySeconds: 60, endsAt: '2020-01-01T00:00:00Z' } },
      'schedule.endsAt',
    ],
    [
      'a listed moment that no calendar has',
      { schedule: { dates: ['2027-02-30T09:00'] } },
      'schedule.dates.0',
    ],
    ['a listed moment without its time', { schedule: { dates: ['2027-02-01'] } }, 'schedule.dates.0'],
    ['listed moments that are all past', { schedule: { dates: ['2020-02-01T09:00'] } }, 'schedule.dates'],
    [
      'listed moments beside an interval',
      { schedule: { everySeconds: 60, dates: ['2027-02-01T09:00'] } },
      'schedule.dates',
    ],
    [
      'a left out day with a time',
      { schedule: { ...hourly, except: ['2027-02-01T09:00'] } },
      'schedule.except.0',
    ],
    [
      'a template that reads no member of a moment',
      { schedule: hourly, inputs: { a: '{{ schedule.nope }}' } },
      'inputs.a',
    ],
    ['a template that reads a body', { schedule: hourly, inputs: { a: '{{ event.body }}' } }, 'inputs.a'],
    ['a filter', { schedule: hourly, when: 'true' }, 'when'],
    ['a webhook beside it', { schedule: hourly, webhook: { scheme: 'none' } }, 'webhook'],
    ['no schedule', {}, 'schedule'],
  ])('a schedule with %s is refused, and the field is named', async (_, fields, path) => {
    const workflowId = await stack.givenDeployed(pure);
    const body = { kind: 'schedule', name: 'bad', ...fields };
    const refused = await stack.post(`/api/v1/workflows/${workflowId}/triggers`, body);
    expect(refused).toMatchObject({ status: 400, body: { details: [{ path }] } });
  });
});

test('a moment over a limit waits within its window, and starts its execution when the limit allows it', async () => {
  const schedule = await givenSchedule({ schedule: { ...hourly, catchUpSeconds: 3600, maxRuns: 1 } });
  const fill = (tokens: number) =>
    owner.query(
      `insert into rate_buckets (owner, kind, tokens, updated_at)
       select coalesce(t.actor ->> 'id', t.workspace_id), 'async', $2::float8, clock_timestamp() from triggers t where t.id = $1
       union all select t.workspace_id, 'async', $2::float8, clock_timestamp() from triggers t where t.id = $1
       on conflict (owner, kind) do update set tokens = excluded.tokens, updated_at = clock_timestamp()`,
      [schedule.id, tokens],
    );
  await fill(-1e9);
  await setBack(schedule, 1);
  const claimed = () => owner.query('select claimed_until from triggers where id = $1', [schedule.id]);
  await until(claimed, ({ rows }) => rows[0].claimed_until !== null);
  await fill(10);
  await owner.query('update triggers set claimed_until = null where id = $1', [schedule.id]);
  expect(
    await until(
      () => verdictsOf(schedule),
      (found) => found.length > 0,
    ),
  ).toEqual(['accepted']);
});

testInWhole(
  'each of 200 moments of 20 schedules starts one execution, while workers are killed',
  async () => {
    const schedule = { everySeconds: 60, overlap: 'allow_all', catchUpSeconds: 3600 };
    const schedules: GivenSchedule[] = [];
    for (let i = 0; i < 20; i++) schedules.push(await givenSchedule({ schedule }));
    const ids = schedules.map(({ id }) => id);
    const moment = new Date((Math.floor(Date.now() / 60_000) - 10) * 60_000);
    const latest = new Date(moment.getTime() + 9 * 60_000);
    await owner.query('update triggers set next_at = $2, due_at = now() where id = any($1)', [ids, moment]);
    const counted = async () => {
      const { rows } = await owner.query(
        `select count(*)::int as moments, count(distinct (trigger_id, sender_id))::int as distinct, count(distinct execution_id)::int as executions
       from trigger_deliveries where trigger_id = any($1) and verdict = 'accepted' and sender_id <= $2`,
        [ids, latest.toISOString()],
      );
      return rows[0];
    };
    for (const share of [20, 90]) {
      await until(counted, ({ moments }) => moments >= share);
      await stack.worker.kill('SIGKILL');
      await stack.startWorker();
      // What the killed worker had in hand is free half a minute later.
      await owner.query('update triggers set claimed_until = null where id = any($1)', [ids]);
    }
    const found = await until(counted, ({ moments }) => moments >= 200);
    expect(found).toEqual({ moments: 200, distinct: 200, executions: 200 });
    // One statement, because another minute may begin between two.
    const { rows } = await owner.query(
      `select (select count(*) from executions where workflow_id = any($1)) as executions,
       (select count(*) from trigger_deliveries where trigger_id = any($2) and verdict = 'accepted') as accepted`,
      [schedules.map(({ workflowId }) => workflowId), ids],
    );
    expect(rows[0].executions).toBe(rows[0].accepted);
  },
);

testInWhole(
  'each moment of an hour that was skipped starts one execution and that ends, while Temporal is away and a worker is killed',
  async () => {
    const schedule = { everySeconds: 300, overlap: 'allow_all', catchUpSeconds: 7200 };
    const schedules: GivenSchedule[] = [];
    for (let i = 0; i < 10; i++) schedules.push(await givenSchedule({ schedule }));
    const ids = schedules.map(({ id }) => id);
    const moment = new Date((Math.floor(Date.now() / 300_000) - 12) * 300_000);
    const latest = new Date(moment.getTime() + 11 * 300_000).toISOString();
    const count = async () => {
      const { rows } = await owner.query(
        `select count(*)::int as moments, count(distinct (d.trigger_id, d.sender_id))::int as distinct,
           count(distinct e.id)::int as executions, count(*) filter (where e.status = 'completed')::int as ended
         from trigger_deliveries d join executions e on e.id = d.execution_id where d.trigger_id = any($1) and d.sender_id <= $2`,
        [ids, latest],
      );
      return rows[0];
    };
    line.break();
    await owner.query('update triggers set next_at = $2, due_at = now() where id = any($1)', [ids, moment]);
    // The commit accepts a moment, so none of them waits for Temporal.
    await until(count, ({ moments }) => moments >= 30);
    await stack.worker.kill('SIGKILL');
    line.mend();
    await stack.startWorker();
    await owner.query('update triggers set claimed_until = null where id = any($1)', [ids]);
    const found = await until(count, ({ ended }) => ended >= 120);
    expect(found).toEqual({ moments: 120, distinct: 120, executions: 120, ended: 120 });
  },
);
