import { createHmac, randomUUID } from 'node:crypto';
import { pure } from './support/definitions.ts';
import { type Answer, answerOf, Stack, until } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.shared();
});

const hook = { kind: 'webhook', name: 'orders', webhook: { scheme: 'github' } };
const nightly = {
  kind: 'schedule',
  name: 'nightly',
  inputs: { amount: 5 },
  schedule: { cron: '0 3 * * *', timezone: 'Europe/Berlin' },
};
const page = { kind: 'form', name: 'request', form: { title: 'Ask' } };
const failures = { kind: 'event', name: 'failures', event: { types: ['execution.failed'] } };

const carrying = (...triggers: unknown[]) => ({ ...pure, start: { ...pure.start, triggers } });

const path = (workflowId: string, rest = '') => `/api/v1/workflows/${workflowId}${rest}`;
const deploy = async (workflowId: string) => (await stack.post(path(workflowId, '/deploy'))).body.data;

async function change(workflowId: string, ...triggers: unknown[]): Promise<void> {
  const { status, body } = await stack.call('PATCH', path(workflowId), { definition: carrying(...triggers) });
  if (status !== 200) throw new Error(JSON.stringify(body));
}

const triggersOf = async (workflowId: string): Promise<Answer['body'][]> =>
  (await stack.get(path(workflowId, '/triggers'))).body.data;
const namesOf = async (workflowId: string) => (await triggersOf(workflowId)).map(({ name }) => name);

async function find(workflowId: string, name: string): Promise<Answer['body']> {
  return (await triggersOf(workflowId)).find((one) => one.name === name);
}

/** Delivers what GitHub would sign. */
async function send(url: string, secret: string): Promise<Answer> {
  const body = JSON.stringify({ amount: 2000 });
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-github-delivery': randomUUID(),
    'x-hub-signature-256': `sha256=${signature}`,
  };
  return answerOf(await fetch(stack.url + new URL(url).pathname, { method: 'POST', headers, body }));
}

describe('a deploy of a definition with triggers', () => {
  test('a deploy makes the triggers of its definition, and shows their addresses and secrets once', async () => {
    const workflowId = await stack.givenWorkflow(carrying(hook, nightly, page, failures));
    const key = { 'Idempotency-Key': randomUUID() };
    const { body } = await stack.post(path(workflowId, '/deploy'), {}, key);
    const [orders, atNight, form, event] = body.data.triggers;
    expect(orders).toMatchObject({ change: 'added', kind: 'webhook', name: 'orders', fields: [] });
    expect(orders.url).toMatch(/\/hooks\/[\w-]{43}$/);
    expect(form.url).toMatch(/\/forms\/[\w-]{43}$/);
    expect([atNight, event]).toMatchObject([
      { name: 'nightly', url: null, secret: null },
      { name: 'failures', url: null, secret: null },
    ]);
    expect(await send(orders.url, orders.secret)).toMatchObject({
      status: 202,
      body: { verdict: 'accepted' },
    });
    expect(await triggersOf(workflowId)).toMatchObject([
      { name: 'orders', isDefined: true, status: 'active', actsFor: { kind: 'key' } },
      { name: 'nightly', isDefined: true, schedule: { cron: '0 3 * * *', overlap: 'skip' } },
      { name: 'request', isDefined: true, form: { title: 'Ask', url: form.url } },
      { name: 'failures', isDefined: true, event: { types: ['execution.failed'] } },
    ]);
    const again = await stack.post(path(workflowId, '/deploy'), {}, key);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body.data).toEqual({
      ...body.data,
      triggers: body.data.triggers.map((one: object) => ({ ...one, url: null, secret: null })),
    });
  });

  test('a deploy changes what differs, deletes what is gone, and keeps the state of its triggers and the triggers of calls', async () => {
    const workflowId = await stack.givenWorkflow(carrying(hook, nightly, failures));
    const { triggers } = await deploy(workflowId);
    const [orders] = triggers;
    const made = await stack.post(path(workflowId, '/triggers'), { ...failures, name: 'by call' });
    await send(orders.url, orders.secret);
    const before = await find(workflowId, 'nightly');
    await stack.post(path(workflowId, `/triggers/${before.id}/pause`), { note: 'Later.' });
    const slower = { ...nightly, schedule: { ...nightly.schedule, overlap: 'buffer_one' } };
    const filtered = { ...hook, when: 'event.body.amount > 1000' };
    await change(workflowId, filtered, slower, page);
    const preview = (await stack.get(path(workflowId, '/deploy/preview'))).body.data;
    expect(preview.triggers).toEqual([
      { change: 'removed', kind: 'event', name: 'failures', fields: [], address: null, heldFor: null },
      {
        change: 'changed',
        kind: 'webhook',
        name: 'orders',
        fields: ['when'],
        address: 'kept',
        heldFor: null,
      },
      {
        change: 'changed',
        kind: 'schedule',
        name: 'nightly',
        fields: ['schedule.overlap'],
        address: null,
        heldFor: null,
      },
      { change: 'added', kind: 'form', name: 'request', fields: [], address: 'new', heldFor: null },
    ]);
    const deployed = await deploy(workflowId);
    expect(deployed.triggers).toMatchObject(preview.triggers);
    expect(deployed.triggers[1]).toMatchObject({ id: orders.id, url: null, secret: null });
    expect(await namesOf(workflowId)).toEqual(['orders', 'nightly', 'by call', 'request']);
    expect(await find(workflowId, 'nightly')).toMatchObject({
      id: before.id,
      status: 'paused',
      reason: 'Later.',
      schedule: { overlap: 'buffer_one' },
    });
    expect((await send(orders.url, orders.secret)).status).toBe(202);
    const { data } = (await stack.get(path(workflowId, `/triggers/${orders.id}/deliveries`))).body;
    expect(data.map(({ verdict }: { verdict: string }) => verdict)).toEqual(['accepted', 'accepted']);
    expect(await find(workflowId, 'by call')).toMatchObject({ id: made.body.data.id, isDefined: false });
  });

  test('a deploy of the same triggers changes none of them', async () => {
    const workflowId = await stack.givenWorkflow(carrying(hook, nightly, page, failures));
    await deploy(workflowId);
    const before = await triggersOf(workflowId);
    expect((await deploy(workflowId)).triggers).toEqual([]);
    expect(await triggersOf(workflowId)).toEqual(before);
  });

  test('a trigger of another kind under the same name is deleted and made anew', async () => {
    const workflowId = await stack.givenWorkflow(carrying({ ...hook, name: 'one' }));
    const [first] = (await deploy(workflowId)).triggers;
    await change(workflowId, { ...nightly, name: 'one' });
    const { triggers } = await deploy(workflowId);
    expect(triggers).toMatchObject([
      { change: 'removed', kind: 'webhook', id: first.id },
      { change: 'added', kind: 'schedule' },
    ]);
    expect((await send(first.url, first.secret)).status).toBe(404);
  });

  test('a rollback applies the triggers of the version that it goes to', async () => {
    const workflowId = await stack.givenWorkflow(carrying(hook, nightly));
    await deploy(workflowId);
    await change(workflowId, { ...hook, when: 'event.body.amount > 1' }, page);
    await deploy(workflowId);
    const preview = await stack.get(path(workflowId, '/deploy/preview?action=rollback&version=1'));
    const { data } = (await stack.post(path(workflowId, '/rollback'))).body;
    expect(data.triggers).toMatchObject(preview.body.data.triggers);
    expect(data.triggers).toMatchObject([
      { change: 'removed', name: 'request' },
      { change: 'changed', name: 'orders', fields: ['when'] },
      { change: 'restored', name: 'nightly' },
    ]);
    expect(await namesOf(workflowId)).toEqual(['orders', 'nightly']);
  });

  test('a rollback goes through when a trigger of its version cannot be made, and says so', async () => {
    const workflowId = await stack.givenWorkflow(carrying(nightly));
    await deploy(workflowId);
    await change(workflowId);
    await deploy(workflowId);
    await stack.post(path(workflowId, '/triggers'), { ...hook, name: 'nightly' });
    const { status, body } = await stack.post(path(workflowId, '/rollback'));
    expect(status).toBe(200);
    expect(body.data.version).toBe(1);
    expect(body.data.warnings.join()).toContain('start.triggers[0].name: "nightly" is a trigger that a call');
    expect(await find(workflowId, 'nightly')).toMatchObject({ kind: 'webhook', isDefined: false });
  });

  test('a trigger that a deploy leaves out and a rollback brings back is the same trigger, with its address, secret, pause and hold', async () => {
    const workflowId = await stack.givenWorkflow(carrying(hook, nightly, failures));
    const { triggers } = await deploy(workflowId);
    const [orders, atNight, failed] = triggers;
    await stack.post(path(workflowId, `/triggers/${atNight.id}/pause`), { note: 'Later.' });
    const holds = `/api/v1/workspaces/${stack.home.id}/holds`;
    const held = await stack.post(holds, { triggerId: orders.id, reason: 'The shop moves.' });
    expect((await send(orders.url, orders.secret)).body).toMatchObject({ verdict: 'accepted' });
    await change(workflowId);
    const leaving = (await stack.get(path(workflowId, '/deploy/preview'))).body.data.triggers;
    expect(leaving).toMatchObject([
      { change: 'removed', name: 'orders', address: 'closed', heldFor: 'The shop moves.' },
      { change: 'removed', name: 'nightly', address: null, heldFor: null },
      { change: 'removed', name: 'failures' },
    ]);
    await deploy(workflowId);
    expect(await triggersOf(workflowId)).toEqual([]);
    expect((await stack.get(path(workflowId, `/triggers/${orders.id}`))).status).toBe(404);
    expect((await send(orders.url, orders.secret)).status).toBe(404);
    const again = await stack.post(holds, { triggerId: failed.id, reason: 'Nobody sees it.' });
    expect(again).toMatchObject({ status: 400, body: { details: [{ path: 'triggerId' }] } });
    const preview = await stack.get(path(workflowId, '/deploy/preview?action=rollback&version=1'));
    const restored = [
      { change: 'restored', name: 'orders', fields: [], address: 'kept', heldFor: 'The shop moves.' },
      { change: 'restored', name: 'nightly', address: null },
      { change: 'restored', name: 'failures' },
    ];
    expect(preview.body.data.triggers).toMatchObject(restored);
    const { body } = await stack.post(path(workflowId, '/rollback'), { version: 1 });
    expect(body.data.triggers).toMatchObject(restored);
    expect(body.data.triggers[0]).toMatchObject({ id: orders.id, url: null, secret: null });
    expect(await find(workflowId, 'nightly')).toMatchObject({
      id: atNight.id,
      status: 'paused',
      reason: 'Later.',
    });
    const delivered = await send(orders.url, orders.secret);
    expect(delivered).toMatchObject({ status: 202, body: { verdict: 'accepted' } });
    const { data } = (await stack.get(path(workflowId, `/triggers/${orders.id}/deliveries`))).body;
    expect(data).toMatchObject([{ isHeld: true }, { isHeld: true }]);
    await stack.post(`${holds}/${held.body.data.id}/release`);
  });

  test('a trigger whose inputs no longer fit is warned of at a deploy, and refused by a call from then on', async () => {
    const workflowId = await stack.givenWorkflow(pure);
    await deploy(workflowId);
    const wish = { ...nightly, inputs: { amount: 5, colour: 'red' } };
    const made = await stack.post(path(workflowId, '/triggers'), wish);
    expect(made.body.data.warnings).toMatchObject([expect.stringMatching(/"colour" is not declared/)]);
    const { inputs } = pure.start;
    const amount = { ...inputs.amount, max: 3 };
    const narrow = { ...pure, start: { inputs: { ...inputs, amount } } };
    await stack.call('PATCH', path(workflowId), { definition: narrow });
    const preview = (await stack.get(path(workflowId, '/deploy/preview'))).body.data;
    const warning = 'Every start fails at inputs.amount: It must be at most 3.';
    expect(preview).toMatchObject({ faults: [], warnings: [`Trigger "nightly": ${warning}`] });
    await deploy(workflowId);
    expect((await find(workflowId, 'nightly')).warnings[0]).toBe(warning);
    const others = { ...wish, name: 'other' };
    const place = path(workflowId, `/triggers/${made.body.data.id}`);
    for (const answer of [
      await stack.post(path(workflowId, '/triggers'), others),
      await stack.call('PATCH', place, { inputs: { note: 'a' } }),
    ])
      expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'inputs.amount' }] } });
    expect((await stack.call('PATCH', place, { inputs: { amount: 2 } })).status).toBe(200);
  });

  test('a preview of a deploy refuses the number of a version', async () => {
    const workflowId = await stack.givenWorkflow(pure);
    const preview = await stack.get(path(workflowId, '/deploy/preview?version=1'));
    expect(preview).toMatchObject({ status: 400, body: { details: [{ path: 'version' }] } });
  });

  test('a trigger that was left out is forgotten when a call makes one of its name', async () => {
    const workflowId = await stack.givenWorkflow(carrying(hook));
    const { triggers } = await deploy(workflowId);
    await change(workflowId);
    await deploy(workflowId);
    const made = await stack.post(path(workflowId, '/triggers'), hook);
    expect(made.status).toBe(201);
    const { body } = await stack.post(path(workflowId, '/rollback'), { version: 1 });
    expect(body.data.warnings.join()).toMatch(/is a trigger that a call has made/);
    expect(await triggersOf(workflowId)).toMatchObject([{ id: made.body.data.id, isDefined: false }]);
    expect((await send(triggers[0].url, triggers[0].secret)).status).toBe(404);
  });

  test('two workflows and an import with the same triggers have addresses of their own', async () => {
    const ids = [await stack.givenWorkflow(carrying(hook)), await stack.givenWorkflow(carrying(hook))];
    const exported = (await stack.get(path(ids[0] ?? '', '/export'))).body.data;
    expect(exported.definition.start.triggers).toEqual([hook]);
    const copy = await stack.post('/api/v1/workflows/import', { ...exported, name: `copy ${randomUUID()}` });
    ids.push(copy.body.data.id);
    const opened = await Promise.all(ids.map(deploy));
    for (const [at, { triggers }] of opened.entries()) {
      const answer = await send(triggers[0].url, triggers[0].secret);
      expect(answer.status).toBe(202);
      const { executionId } = answer.body;
      const found = await stack.get(`/api/workflows/${ids[at]}/executions/${executionId}`);
      expect(found.status).toBe(200);
    }
    expect(new Set(opened.map(({ triggers }) => triggers[0].url)).size).toBe(3);
  });

  test('two deploys at once make the triggers of a definition once', async () => {
    const workflowId = await stack.givenWorkflow(carrying(hook, page));
    const answers = await Promise.all(Array.from({ length: 4 }, () => deploy(workflowId)));
    expect(answers.flatMap(({ triggers }) => triggers)).toHaveLength(2);
    expect(await namesOf(workflowId)).toEqual(['orders', 'request']);
  });
});

describe('a trigger of a definition', () => {
  test('a trigger of a definition refuses changes by a call, and may be paused, resumed, run and rotated', async () => {
    const workflowId = await stack.givenWorkflow(carrying(hook));
    const [orders] = (await deploy(workflowId)).triggers;
    const at = path(workflowId, `/triggers/${orders.id}`);
    for (const refused of [
      await stack.call('PATCH', at, { name: 'other' }),
      await stack.call('PATCH', at, { webhook: { scheme: 'none' } }),
      await stack.call('DELETE', at),
    ])
      expect(refused).toMatchObject({
        status: 409,
        body: { code: 'TRIGGER_DEFINED', error: /start\.triggers, and deploy/ },
      });
    expect((await stack.post(`${at}/pause`)).body.data.status).toBe('paused');
    expect((await stack.post(`${at}/resume`)).body.data.status).toBe('active');
    expect((await stack.post(`${at}/run`, { body: { amount: 1 } })).status).toBe(202);
    const rotated = (await stack.post(`${at}/rotate`, { url: true, secret: true })).body.data;
    expect((await deploy(workflowId)).triggers).toEqual([]);
    expect((await send(rotated.url, rotated.secret)).status).toBe(202);
  });

  test('a webhook whose secret is one of the workspace takes its newest value, and has no other to rotate', async () => {
    const name = `HOOK_${randomUUID().replaceAll('-', '')}`;
    const named = { ...hook, webhook: { scheme: 'github', secretName: name } };
    const workflowId = await stack.givenWorkflow(carrying(named));
    const first = await deploy(workflowId);
    expect(first.warnings).toContain(
      `start.triggers[0].webhook.secretName: there is no secret "${name}" in this workspace, so every delivery would be refused.`,
    );
    expect(first.triggers[0].secret).toBeNull();
    expect((await find(workflowId, 'orders')).warnings).toEqual([
      `There is no secret "${name}" in this workspace, so every delivery is refused.`,
    ]);
    const strict = await stack.post(path(workflowId, '/deploy'), { strict: true });
    expect(strict).toMatchObject({ status: 400, body: { details: [{ code: 'secret_not_found' }] } });
    const { url } = first.triggers[0];
    for (const value of ['the first value', 'the second value']) {
      await stack.call('PUT', `/api/v1/workspaces/${stack.home.id}/secrets/${name}`, { value });
      await until(
        () => send(url, value),
        ({ status }) => status === 202,
      );
    }
    const { id, webhook } = await find(workflowId, 'orders');
    expect(webhook).toMatchObject({ secretName: name, hasSecret: true });
    expect(await stack.post(path(workflowId, `/triggers/${id}/rotate`), { secret: true })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'secret', code: 'conflict' }] },
    });
  });

  test('a schedule keeps its next moment, unless other moments are wanted', async () => {
    const everyHour = { ...nightly, schedule: { everySeconds: 3600 } };
    const workflowId = await stack.givenWorkflow(carrying(everyHour));
    await deploy(workflowId);
    const { next } = (await find(workflowId, 'nightly')).schedule;
    await change(workflowId, { ...everyHour, inputs: { amount: 7 } });
    expect((await deploy(workflowId)).triggers).toMatchObject([{ fields: ['inputs'] }]);
    expect((await find(workflowId, 'nightly')).schedule.next).toEqual(next);
    await change(workflowId, { ...everyHour, schedule: { everySeconds: 86_400 } });
    await deploy(workflowId);
    expect((await find(workflowId, 'nightly')).schedule.next).not.toEqual(next);
  });

  test('a schedule of a definition that has ended is deployed with a warning', async () => {
    const over = { ...nightly, schedule: { everySeconds: 60, endsAt: '2020-01-01T00:00:00Z' } };
    const workflowId = await stack.givenWorkflow(carrying(over));
    const { warnings } = await deploy(workflowId);
    expect(warnings).toContain('start.triggers[0].schedule.endsAt: must be in the future');
    expect((await find(workflowId, 'nightly')).status).toBe('ended');
  });
});

describe('a definition with a wrong trigger', () => {
  const cases: [string, unknown, string, string][] = [
    ['an unknown kind', { ...hook, kind: 'mail' }, 'start.triggers[0].kind', 'enum'],
    ['no name', { kind: 'webhook', webhook: hook.webhook }, 'start.triggers[0].name', 'required'],
    ['no settings', { kind: 'schedule', name: 'a' }, 'start.triggers[0].schedule', 'required'],
    [
      'settings of another kind',
      { ...hook, schedule: nightly.schedule },
      'start.triggers[0].schedule',
      'conflict',
    ],
    ['an unknown member', { ...hook, colour: 'red' }, 'start.triggers[0].colour', 'unknown_field'],
    [
      'a wrong member of its settings',
      { ...hook, webhook: { scheme: 'github', repeatSeconds: -1 } },
      'start.triggers[0].webhook.repeatSeconds',
      'range',
    ],
    [
      'an input of another type',
      { ...nightly, inputs: { amount: 'five' } },
      'start.triggers[0].inputs.amount',
      'type',
    ],
    [
      'a text for a number',
      { ...hook, inputs: { amount: 'EUR {{ event.body.amount }}' } },
      'start.triggers[0].inputs.amount',
      'type',
    ],
    [
      'an input that is missing',
      { ...hook, inputs: { note: '{{ event.body.note }}' } },
      'start.triggers[0].inputs.amount',
      'required',
    ],
    [
      'no inputs for a moment, which has none of its own',
      { ...nightly, inputs: null },
      'start.triggers[0].inputs',
      'required',
    ],
    [
      'a form without a field for a required input',
      { ...page, form: { fields: [{ name: 'note', type: 'string' }] } },
      'start.triggers[0].form.fields',
      'required',
    ],
    [
      'a cron expression that is none',
      { ...nightly, schedule: { cron: 'at night' } },
      'start.triggers[0].schedule.cron',
      'cron',
    ],
    [
      'a cron expression that never comes',
      { ...nightly, schedule: { cron: '0 0 30 2 *' } },
      'start.triggers[0].schedule.cron',
      'never',
    ],
    [
      'a filter that is none',
      { ...hook, when: 'event.body ==' },
      'start.triggers[0].when',
      'expression_syntax',
    ],
    [
      'a template over something else',
      { ...hook, inputs: { a: '{{ secrets.A }}' } },
      'start.triggers[0].inputs.a',
      'unknown_reference',
    ],
    [
      'a secret',
      { ...hook, secret: 'a secret in letters' },
      'start.triggers[0].secret',
      'secret_in_definition',
    ],
    [
      'a workflow of nobody',
      { ...failures, event: { types: ['execution.failed'], workflowIds: ['wf_nobody'] } },
      'start.triggers[0].event.workflowIds[0]',
      'unknown',
    ],
    [
      'a field of a form that is none',
      { ...page, form: { fields: [{ name: 'a', type: 'colour' }] } },
      'start.triggers[0].form.fields[0].type',
      'choice',
    ],
    ['a text in the place of a trigger', 'nightly', 'start.triggers[0]', 'type'],
  ];
  test.each(cases)(
    'a definition whose trigger has %s is refused alike by a check, a preview and a deploy',
    async (_, trigger, where, code) => {
      const definition = carrying(trigger);
      const checked = await stack.post('/api/v1/workflows/validate', { definition });
      expect(checked.body.data).toMatchObject({ valid: false, faults: [{ path: where, code }] });
      const workflowId = await stack.givenWorkflow(definition);
      const { faults } = (await stack.get(path(workflowId, '/deploy/preview'))).body.data;
      const refused = await stack.post(path(workflowId, '/deploy'));
      expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID_DEFINITION' } });
      expect(refused.body.details).toEqual(checked.body.data.faults);
      expect(faults).toEqual(checked.body.data.faults);
      expect(await triggersOf(workflowId)).toEqual([]);
    },
  );

  test('a name that two triggers have, or one that a call has made, is refused', async () => {
    const workflowId = await stack.givenWorkflow(carrying(hook, { ...nightly, name: 'orders' }));
    const twice = await stack.post(path(workflowId, '/deploy'));
    expect(twice.body.details).toMatchObject([{ path: 'start.triggers[1].name', code: 'repeated' }]);
    await stack.post(path(workflowId, '/triggers'), hook);
    await change(workflowId, hook);
    const taken = await stack.post(path(workflowId, '/deploy'));
    expect(taken.body.details).toMatchObject([{ path: 'start.triggers[0].name', code: 'taken' }]);
    expect(await triggersOf(workflowId)).toMatchObject([{ isDefined: false }]);
  });

  test('more than fifty triggers of a workflow are refused', async () => {
    const many = Array.from({ length: 50 }, (_, at) => ({ ...failures, name: `event ${at}` }));
    const workflowId = await stack.givenWorkflow(carrying(...many));
    await stack.post(path(workflowId, '/triggers'), hook);
    const { body } = await stack.post(path(workflowId, '/deploy'));
    expect(body.details).toMatchObject([{ path: 'start.triggers[49]', code: 'too_many' }]);
    expect(await namesOf(workflowId)).toEqual(['orders']);
  });

  test('an event that tells of the workflow itself is refused', async () => {
    const workflowId = await stack.givenWorkflow(pure);
    const own = { types: ['execution.failed'], workflowIds: [workflowId] };
    await change(workflowId, { ...failures, event: own });
    const { body } = await stack.post(path(workflowId, '/deploy'));
    expect(body.details).toMatchObject([{ path: 'start.triggers[0].event.workflowIds[0]', code: 'loop' }]);
  });
});
