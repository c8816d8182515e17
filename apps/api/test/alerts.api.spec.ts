import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { pure } from './support/definitions.ts';
import { givenMember } from './support/people.ts';
import { type Answer, Stack, until } from './support/stack.ts';

let stack: Stack;
let owner: pg.Client;
let base: string;
beforeAll(async () => {
  // The watch looks often, and the tests move the times of rows.
  stack = await Stack.start({ RECONCILE_EVERY_MS: '200' });
  owner = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
  await owner.connect();
  base = `/api/v1/workspaces/${stack.home.id}/alerts`;
});
afterAll(async () => {
  await owner.end();
  await stack.stop();
});
afterEach(() => owner.query('delete from alert_rules; delete from triggers'));

/** Fails when its input says so. */
const fragile = {
  start: { inputs: { fails: { type: 'boolean', default: false } } },
  blocks: [
    { id: 'check', type: 'condition', cases: [{ port: 'bad', when: 'start.fails' }] },
    { id: 'bad', type: 'response', params: { data: { never: '{{ 1 / 0 }}' } } },
    { id: 'good', type: 'response', params: { data: { ok: true } } },
  ],
  edges: [
    { from: 'start', to: 'check' },
    { from: 'check', port: 'bad', to: 'bad' },
    { from: 'check', port: 'else', to: 'good' },
  ],
};
const echo = {
  start: { inputs: { event: { type: 'json' } } },
  blocks: [{ id: 'answer', type: 'response', params: { data: { event: '{{ start.event }}' } } }],
  edges: [{ from: 'start', to: 'answer' }],
};

async function givenRule(fields: object): Promise<string> {
  const { status, body } = await stack.post(base, { name: `rule ${randomUUID()}`, ...fields });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return `${base}/${body.data.id}`;
}

/** A workflow that an alert starts. Gives the path of its trigger. */
async function givenListener(): Promise<string> {
  const workflow = await stack.givenDeployed(echo);
  const path = `/api/v1/workflows/${workflow}/triggers`;
  const event = { types: ['alert.raised', 'alert.resolved'] };
  const inputs = { event: '{{ event.body }}' };
  const { body } = await stack.post(path, { kind: 'event', name: 'alerts', event, inputs });
  return `${path}/${body.data.id}`;
}

/** Waits until so many alerts have come, and returns them with the oldest first. */
async function awaitAlerts(trigger: string, count: number): Promise<Answer['body'][]> {
  const list = async () => (await stack.get(`${trigger}/deliveries`)).body.data;
  const deliveries: Answer['body'][] = await until(list, (found) => found.length >= count);
  const bodies = deliveries.map(async ({ id }) =>
    JSON.parse((await stack.get(`${trigger}/deliveries/${id}`)).body.data.body),
  );
  return (await Promise.all(bodies)).toReversed();
}

const run = (workflow: string, inputs: object) =>
  stack.post(`/api/workflows/${workflow}/execute`, { inputs });
/** Has every rule checked at the next look. */
const look = () => owner.query('update alert_rules set checked_at = null');

describe('an alert rule', () => {
  test('failures in a row raise an alert once, which is resolved by an execution that completes', async () => {
    const workflow = await stack.givenDeployed(fragile);
    const trigger = await givenListener();
    const path = await givenRule({ workflowId: workflow, metric: 'failuresInRow', threshold: 2 });
    await run(workflow, { fails: true });
    await run(workflow, { fails: true });
    await look();
    const [raised] = await awaitAlerts(trigger, 1);
    expect(raised).toMatchObject({
      type: 'alert.raised',
      data: { workflowId: workflow, metric: 'failuresInRow', threshold: 2, value: 2 },
    });
    expect((await stack.get(path)).body.data).toMatchObject({ isRaised: true, value: 2 });
    // A third failure within the cool-down is not told again.
    await run(workflow, { fails: true });
    await look();
    await until(
      () => stack.get(path),
      ({ body }) => body.data.value === 3,
    );
    await run(workflow, {});
    await look();
    const alerts = await awaitAlerts(trigger, 2);
    expect(alerts.map(({ type }) => type)).toEqual(['alert.raised', 'alert.resolved']);
    expect((await stack.get(path)).body.data).toMatchObject({ isRaised: false, value: 0 });
  });

  test('a rule that stays broken tells so again after its cool-down', async () => {
    const workflow = await stack.givenDeployed(fragile);
    const trigger = await givenListener();
    await givenRule({ workflowId: workflow, metric: 'failuresInRow', threshold: 1, cooldownSeconds: 60 });
    await run(workflow, { fails: true });
    await look();
    await awaitAlerts(trigger, 1);
    await owner.query(`update alert_rules set raised_at = now() - interval '61 seconds', checked_at = null`);
    const alerts = await awaitAlerts(trigger, 2);
    expect(alerts.map(({ type }) => type)).toEqual(['alert.raised', 'alert.raised']);
  });

  test('a failure rate and a duration say nothing of too few executions', async () => {
    const workflow = await stack.givenDeployed(fragile);
    const rate = await givenRule({
      workflowId: workflow,
      metric: 'failureRate',
      threshold: 50,
      minExecutions: 4,
    });
    const duration = await givenRule({
      workflowId: workflow,
      metric: 'duration',
      threshold: 1e9,
      minExecutions: 4,
    });
    for (const fails of [true, false, false]) await run(workflow, { fails });
    await look();
    const read = async () => [(await stack.get(rate)).body.data, (await stack.get(duration)).body.data];
    const isChecked = (rules: Answer['body'][]) => rules.every(({ checkedAt }) => checkedAt !== null);
    expect((await until(read, isChecked)).map(({ value }) => value)).toEqual([null, null]);
    await run(workflow, { fails: false });
    await look();
    const [shown, lasting] = await until(read, (rules) => rules.every(({ value }) => value !== null));
    expect(shown).toMatchObject({ value: 25, isRaised: false });
    expect(lasting.value).toBeGreaterThanOrEqual(0);
  });

  test('a workflow without executions is inactive, and the cost of a workspace is added up', async () => {
    const workflow = await stack.givenDeployed(pure);
    const trigger = await givenListener();
    const idle = await givenRule({ workflowId: workflow, metric: 'inactivity', threshold: 600 });
    const cost = await givenRule({ metric: 'cost', threshold: 1000 });
    await look();
    await until(
      async () => [(await stack.get(idle)).body.data.value, (await stack.get(cost)).body.data.value],
      (values) => values.every((value) => value !== null),
    );
    await owner.query(
      `update alert_rules set updated_at = now() - interval '20 minutes', checked_at = null where metric = 'inactivity'`,
    );
    const [alert] = await awaitAlerts(trigger, 1);
    expect(alert).toMatchObject({ type: 'alert.raised', data: { metric: 'inactivity' } });
    expect(alert.data.value).toBeGreaterThanOrEqual(1200);
  });

  test('the cost of tests is in no alert on the cost of a workspace', async () => {
    const workflow = await stack.givenDeployed(pure);
    const { executionId: real } = (await stack.execute(workflow, { inputs: { amount: 1 } })).body;
    const { executionId: tested } = (await stack.execute(workflow, { inputs: { amount: 1 } })).body;
    await owner.query('update executions set is_test = true where id = $1', [tested]);
    await owner.query(
      `insert into usage_entries (workspace_id, execution_id, actor, cost) values ($1, $2, 'key', 5), ($1, $3, 'key', 70)`,
      [stack.home.id, real, tested],
    );
    await owner.query(
      `insert into usage_entries (workspace_id, during_execution, actor, kind, cost) values ($1, $2, 'key', 'call', 700)`,
      [stack.home.id, tested],
    );
    const cost = await givenRule({ metric: 'cost', threshold: 1000 });
    await look();
    await until(
      async () => (await stack.get(cost)).body.data.value,
      (value) => value === 5,
    );
  });

  test('an execution that an alert has started raises no alert when it fails', async () => {
    const workflow = await stack.givenDeployed(fragile);
    const path = `/api/v1/workflows/${workflow}/triggers`;
    const event = { types: ['alert.raised'] };
    await stack.post(path, { kind: 'event', name: 'alerts', event, inputs: { fails: true } });
    const rule = await givenRule({ metric: 'failuresInRow', threshold: 2 });
    await stack.givenDeployed(pure);
    const other = await stack.givenDeployed(fragile);
    await run(other, { fails: true });
    await run(other, { fails: true });
    await look();
    const failed = async () => (await stack.get(`/api/v1/logs?workflowIds=${workflow}`)).body.data;
    await until(failed, (found: { level: string }[]) => found.some(({ level }) => level === 'error'));
    await run(other, { fails: false });
    await look();
    expect(
      (
        await until(
          () => stack.get(rule),
          ({ body }) => body.data.value === 0,
        )
      ).body.data.isRaised,
    ).toBe(false);
  });
});

describe('a refused alert rule', () => {
  test.each([
    ['a threshold of zero', { metric: 'cost', threshold: 0 }, 'threshold'],
    ['a rate above a hundred', { metric: 'failureRate', threshold: 101 }, 'threshold'],
    ['half a failure', { metric: 'failuresInRow', threshold: 1.5 }, 'threshold'],
    ['an unknown metric', { metric: 'mood', threshold: 1 }, 'metric'],
    ['a window of a second', { metric: 'cost', threshold: 1, windowSeconds: 1 }, 'windowSeconds'],
    ['an unknown workflow', { metric: 'cost', threshold: 1, workflowId: 'wf_none' }, 'workflowId'],
  ])('an alert rule with %s is refused by its field', async (_, fields, path) => {
    const { status, body } = await stack.post(base, { name: 'a rule', ...fields });
    expect([status, body.details?.[0].path]).toEqual([400, path]);
  });

  test('an alert rule is changed by admins alone, and another workspace does not see it', async () => {
    const rule = await givenRule({ metric: 'cost', threshold: 1 });
    const ann = await givenMember(stack, stack.at('ann'));
    expect((await stack.post(base, { name: 'b', metric: 'cost', threshold: 1 }, ann.headers)).status).toBe(
      403,
    );
    expect((await stack.call('PATCH', rule, { threshold: 0 })).body.details[0].path).toBe('threshold');
    expect((await stack.call('PATCH', rule, {})).status).toBe(400);
    expect((await stack.get(`${base}/alr_none`)).status).toBe(404);
    expect((await stack.call('DELETE', rule)).body.data.deleted).toBe(true);
    expect((await stack.get(rule)).status).toBe(404);
  });
});
