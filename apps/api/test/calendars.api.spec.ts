import pg from 'pg';
import { untilSessions, waitsForLock } from '#libs/platform/database/support/sessions';
import { pure } from './support/definitions.ts';
import { givenMember } from './support/people.ts';
import { Stack, until } from './support/stack.ts';

let stack: Stack;
let base: string;
beforeAll(async () => {
  stack = await Stack.shared();
  base = `/api/v1/workspaces/${stack.home.id}/calendars`;
});
const clients: pg.Client[] = [];
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await stack.stop();
});

async function givenCalendar(name: string, days: object): Promise<string> {
  const { status, body } = await stack.post(base, { name, ...days });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.data.id;
}

const change = (id: string, days: object) => stack.call('PATCH', `${base}/${id}`, days);

/** Makes a schedule of a new workflow. Returns its address. */
async function givenSchedule(schedule: object): Promise<{ path: string; next: string[] }> {
  const workflow = await stack.givenDeployed(pure);
  const path = `/api/v1/workflows/${workflow}/triggers`;
  const inputs = { amount: 1 };
  const { status, body } = await stack.post(path, { kind: 'schedule', name: 'daily', schedule, inputs });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return { path: `${path}/${body.data.id}`, next: body.data.schedule.next };
}

const readNext = async (path: string): Promise<string[]> => (await stack.get(path)).body.data.schedule.next;

async function connectTo(url: string | undefined): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  clients.push(client);
  return client;
}

const toDay = (moment = '') => moment.slice(0, 10);
const names = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const toWeekday = (moment: string) => names[new Date(moment).getUTCDay()];

describe('a calendar', () => {
  test('a calendar that a schedule leaves out is changed for the moments that have not come, and is not deleted while it is used', async () => {
    const cron = '0 9 * * *';
    const { next: all } = await givenSchedule({ cron });
    const id = await givenCalendar('holidays', { dates: [toDay(all[0])] });
    const { path, next } = await givenSchedule({ cron, except: ['holidays', toDay(all[2])] });
    expect(next.slice(0, 3)).toEqual([all[1], all[3], all[4]]);
    const changed = await change(id, { dates: [toDay(all[1])] });
    expect(changed.body.data).toMatchObject({ name: 'holidays', dates: [toDay(all[1])], weekdays: [] });
    expect((await readNext(path)).slice(0, 3)).toEqual([all[0], all[3], all[4]]);
    const refused = await stack.call('DELETE', `${base}/${id}`);
    expect([refused.status, refused.body.code]).toEqual([409, 'CALENDAR_USED']);
    expect(refused.body.error).toContain('"daily" of');
    await stack.call('PATCH', path, { schedule: { cron } });
    expect((await stack.call('DELETE', `${base}/${id}`)).body.data).toEqual({ id, deleted: true });
    const unknown = await stack.call('PATCH', path, { schedule: { cron, except: ['holidays'] } });
    expect([unknown.status, unknown.body.details]).toMatchObject([400, [{ path: 'schedule.except.0' }]]);
  });

  test('a calendar gives a schedule its days with a time, those of each week too', async () => {
    const id = await givenCalendar('closing-days', { weekdays: ['monday'], dates: ['2099-12-31'] });
    const { path, next } = await givenSchedule({ dates: ['closing-daysT09:30'], timezone: 'UTC' });
    expect(next.map(toWeekday)).toEqual(Array.from({ length: 5 }, () => 'monday'));
    expect(next.every((moment) => moment.endsWith('T09:30:00.000Z'))).toBe(true);
    await change(id, { weekdays: [] });
    expect(await readNext(path)).toEqual(['2099-12-31T09:30:00.000Z']);
    const none = await change(id, { dates: [] });
    expect([none.status, none.body.details]).toMatchObject([400, [{ path: 'dates' }]]);
  });

  test('a schedule of seconds stops when its calendar takes in today, and goes on when that is over', async () => {
    const today = new Date();
    const soon = [0, 1].map((days) => toWeekday(new Date(today.getTime() + days * 86_400_000).toISOString()));
    const others = names.filter((name) => !soon.includes(name)).slice(0, 1);
    const id = await givenCalendar('rest', { weekdays: others });
    const { path } = await givenSchedule({ everySeconds: 1, except: ['rest'], overlap: 'allow_all' });
    const readRuns = async () => (await stack.get(path)).body.data.schedule.runs;
    await until(readRuns, (runs) => runs > 0);
    await change(id, { weekdays: soon });
    expect((await readNext(path)).map(toWeekday).filter((day) => soon.includes(day))).toEqual([]);
    // A moment that had come is still started.
    const listed = async () => (await stack.get(`${path}/deliveries`)).body.data.length;
    const stopped = await until(
      async () => [await listed(), await readRuns()],
      ([count, runs]) => count === runs,
    );
    const rested = await readNext(path);
    expect(new Date(rested[0] ?? 0).getTime()).toBeGreaterThan(Date.now());
    await change(id, { weekdays: others });
    await until(readRuns, (runs) => runs > (stopped[1] ?? 0));
  });

  test('a calendar in the triggers of a definition is checked at the deploy, which changes nothing when it is done again', async () => {
    const trigger = {
      kind: 'schedule',
      name: 'nightly',
      schedule: { cron: '0 2 * * *', except: ['bank-days'] },
      inputs: { amount: 1 },
    };
    const workflow = await stack.givenWorkflow({
      ...pure,
      start: { inputs: { amount: { type: 'number', default: 1 } }, triggers: [trigger] },
    });
    const deploy = () => stack.post(`/api/v1/workflows/${workflow}/deploy`);
    const refused = await deploy();
    expect(refused.status).toBe(400);
    expect(refused.body.details).toMatchObject([
      { path: 'start.triggers[0].schedule.except[0]', code: 'unknown' },
    ]);
    await givenCalendar('bank-days', { dates: ['2099-01-01'] });
    expect((await deploy()).body.data.triggers).toMatchObject([{ change: 'added', name: 'nightly' }]);
    expect((await deploy()).body.data.triggers).toEqual([]);
  });

  test('a calendar and another one of the same schedules are changed at once, in whatever order the schedules lie', async () => {
    const [one, other] = [
      await givenCalendar('one', { weekdays: ['sunday'] }),
      await givenCalendar('other', { weekdays: ['sunday'] }),
    ];
    const schedules = [];
    for (const except of [['one'], ['one', 'other'], ['one', 'other'], ['other']])
      schedules.push((await givenSchedule({ cron: '0 9 * * *', except })).path.split('/').at(-1));
    const [first, moved, , last] = schedules;
    const url = stack.env['DATABASE_DIRECT_URL'];
    const watcher = await connectTo(url);
    const holders = await Promise.all([connectTo(url), connectTo(url)]);
    for (const [n, id] of [first, last].entries()) {
      await holders[n]?.query('begin');
      await holders[n]?.query('select id from triggers where id = $1 for update', [id]);
    }
    const changes = [change(one, { weekdays: ['monday'] })];
    await untilSessions(watcher);
    // Its new row lies behind the others, so that a change that begins later comes to it last.
    await watcher.query(`update triggers set due_at = due_at + interval '1 second' where id = $1`, [moved]);
    changes.push(change(other, { weekdays: ['monday'] }));
    await untilSessions(watcher, waitsForLock, 2);
    for (const holder of holders) await holder.query('commit');
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([200, 200]);
  });

  test('a calendar that is changed while another one is, schedules name both and workflows with such schedules are deployed, answers each call', async () => {
    const ids = [];
    for (const name of ['left', 'right']) ids.push(await givenCalendar(name, { weekdays: ['sunday'] }));
    const carrying = (except: string[]) => ({
      ...pure,
      start: {
        inputs: { amount: { type: 'number', default: 1 } },
        triggers: [except, except.toReversed()].flatMap((pair) =>
          pair.map((name) => ({
            kind: 'schedule',
            name: `${pair.join('-')} ${name}`,
            schedule: { cron: '0 9 * * *', except: [name, ...pair] },
          })),
        ),
      },
    });
    const workflows = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        stack.givenDeployed(carrying(n % 2 === 0 ? ['left', 'right'] : ['right', 'left'])),
      ),
    );
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([
        ...[...ids, ...ids].map((id, n) => change(id, { dates: [`2099-01-${10 + round + n}`] })),
        ...workflows.map((workflow) => stack.post(`/api/v1/workflows/${workflow}/deploy`)),
      ]);
      expect(answers.map(({ status, body }) => (status === 200 ? 200 : body))).toEqual(
        answers.map(() => 200),
      );
    }
    const removed = await Promise.all([
      ...ids.map((id) => change(id, { weekdays: ['monday'] })),
      ...workflows.map((workflow) => stack.call('DELETE', `/api/v1/workflows/${workflow}`)),
    ]);
    expect(removed.map(({ status }) => status)).toEqual(removed.map(() => 200));
  });

  test.each([
    [{ name: 'Holidays', dates: ['2030-12-25'] }, 'name'],
    [{ name: '2030', dates: ['2030-12-25'] }, 'name'],
    [{ name: 'none' }, 'dates'],
    [{ name: 'bad', dates: ['2030-02-30'] }, 'dates.0'],
    [{ name: 'bad', dates: ['holidays'] }, 'dates.0'],
    [{ name: 'bad', dates: ['2030-12-25T09:00'] }, 'dates.0'],
    [{ name: 'bad', weekdays: ['someday'] }, 'weekdays.0'],
    [{ name: 'bad', dates: Array.from({ length: 367 }, () => '2030-12-25') }, 'dates'],
  ])('a calendar %j is refused', async (body, path) => {
    const refused = await stack.post(base, body);
    expect([refused.status, refused.body.details]).toMatchObject([400, [{ path }]]);
  });

  test('a calendar that leaves no moment out of a week makes a schedule that never comes, which is refused', async () => {
    await givenCalendar('always', { weekdays: names });
    const workflow = await stack.givenDeployed(pure);
    const schedule = { cron: '0 9 * * *', except: ['always'] };
    const path = `/api/v1/workflows/${workflow}/triggers`;
    const refused = await stack.post(path, { kind: 'schedule', name: 'never', schedule });
    expect([refused.status, refused.body.details]).toMatchObject([400, [{ code: 'never' }]]);
  });

  test('a calendar is changed by admins of its workspace alone, and each name is given once', async () => {
    const id = await givenCalendar('ours', { weekdays: ['sunday'] });
    expect((await stack.post(base, { name: 'ours', weekdays: ['monday'] })).status).toBe(409);
    const editor = await givenMember(stack, stack.at('editor'));
    const body = { name: 'theirs', weekdays: ['sunday'] };
    expect((await stack.post(base, body, editor.headers)).status).toBe(403);
    const other = await stack.givenWorkspace();
    const foreign = `/api/v1/workspaces/${other.id}/calendars/${id}`;
    expect((await stack.get(foreign, { 'x-api-key': other.key })).status).toBe(404);
    expect((await stack.call('DELETE', foreign, undefined, { 'x-api-key': other.key })).status).toBe(404);
  });
});
