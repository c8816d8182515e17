import { approval, pure } from './support/definitions.ts';
import { givenMember } from './support/people.ts';
import { Receiver } from './support/receiver.ts';
import { type Answer, Stack, until } from './support/stack.ts';

let stack: Stack;
let base: string;
beforeAll(async () => {
  stack = await Stack.shared();
  base = `/api/v1/workspaces/${stack.home.id}/holds`;
});
afterAll(() => stack?.stop());
afterEach(async () => {
  for (const { id } of (await stack.get(base)).body.data) await stack.post(`${base}/${id}/release`);
  await noHolds();
});

const noHolds = () =>
  until(
    () => stack.get(base),
    ({ body }) => body.data.length === 0,
  );

async function givenHold(workflowId: string | null, more: object = {}): Promise<string> {
  const { status, body } = await stack.post(base, {
    workflowId,
    reason: 'The mill is being moved.',
    ...more,
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.data.id;
}

const execute = (workflow: string, headers?: Record<string, string>) =>
  stack.execute(workflow, { inputs: { amount: 1 } }, headers);

const jobOf = (executionId: string) => stack.get(`/api/jobs/${executionId.replace('exec_', 'job_')}`);

const completed = (executionId: string) =>
  until(
    () => jobOf(executionId),
    ({ body }) => body.status === 'completed',
  );

let hooks = 0;

/** Makes a webhook that starts the workflow without a proof. */
async function givenHook(
  workflow: string,
): Promise<{ id: string; path: string; send: () => Promise<Answer> }> {
  const triggers = `/api/v1/workflows/${workflow}/triggers`;
  const wanted = {
    kind: 'webhook',
    name: `hook ${hooks++}`,
    webhook: { scheme: 'none' },
    inputs: { amount: 1 },
  };
  const { id, url } = (await stack.post(triggers, wanted)).body.data;
  let sent = 0;
  const send = () => stack.call('POST', new URL(url).pathname, { n: (sent += 1) });
  return { id, path: `${triggers}/${id}`, send };
}

describe('a hold of a trigger', () => {
  test('a hold of a trigger queues what it starts, says so at its deliveries, and lets other starts of the workflow go on', async () => {
    const workflow = await stack.givenDeployed(pure);
    const [held, free] = [await givenHook(workflow), await givenHook(workflow)];
    const wanted = { triggerId: held.id, reason: 'The sender repeats itself.' };
    const hold = (await stack.post(base, wanted)).body.data;
    expect(hold).toMatchObject({ workflowId: workflow, triggerId: held.id, waiting: 0 });
    const { executionId } = (await held.send()).body;
    const why = { workflowId: workflow, triggerId: held.id, reason: 'The sender repeats itself.' };
    expect((await jobOf(executionId)).body).toMatchObject({ status: 'queued', held: why });
    await completed((await free.send()).body.executionId);
    expect((await execute(workflow)).body).toMatchObject({ status: 'completed' });
    const deliveries = `${held.path}/deliveries`;
    const [delivery] = (await stack.get(deliveries)).body.data;
    expect(delivery).toMatchObject({ verdict: 'accepted', executionId, isHeld: true });
    expect((await stack.get(`${deliveries}/${delivery.id}`)).body.data).toMatchObject({ isHeld: true });
    const { lastDelivery } = (await stack.get(held.path)).body.data;
    expect(lastDelivery).toMatchObject({ verdict: 'accepted', executionId, isHeld: true });
    expect((await stack.get(free.path)).body.data.lastDelivery).toMatchObject({ isHeld: false });
    expect((await stack.get(`${base}/${hold.id}`)).body.data).toMatchObject({ waiting: 1 });
    expect((await stack.post(base, wanted)).body).toMatchObject({ code: 'ALREADY_HELD' });
    await stack.post(`${base}/${hold.id}/release`);
    await completed(executionId);
    expect((await stack.get(deliveries)).body.data).toMatchObject([{ isHeld: false }]);
    await noHolds();
  });

  test('a hold that is set again during its release keeps back what has not started', async () => {
    const workflow = await stack.givenDeployed(pure);
    const first = await givenHold(workflow);
    const [one, other] = [(await execute(workflow)).body, (await execute(workflow)).body];
    await stack.post(`${base}/${first}/release`, { perSecond: 0.1 });
    const again = await stack.post(base, { workflowId: workflow, reason: 'It stands again.' });
    expect(again).toMatchObject({
      status: 201,
      body: {
        data: { id: first, reason: 'It stands again.', releasedAt: null, perSecond: null, waiting: 2 },
      },
    });
    const twice = await stack.post(base, { workflowId: workflow, reason: 'And again.' });
    expect(twice).toMatchObject({ status: 409, body: { code: 'ALREADY_HELD' } });
    expect((await jobOf(one.executionId)).body.held).toMatchObject({ reason: 'It stands again.' });
    await stack.post(`${base}/${first}/release`);
    for (const { executionId } of [one, other]) await completed(executionId);
  });

  test('a hold of a trigger that refuses starts nothing, and its deliveries say held with the reason', async () => {
    const workflow = await stack.givenDeployed(pure);
    const hook = await givenHook(workflow);
    await stack.post(base, { triggerId: hook.id, reason: 'Wrong data.', mode: 'refuse' });
    expect((await hook.send()).body).toMatchObject({
      code: 'EXECUTIONS_HELD',
      error: 'The trigger is held and takes no executions: Wrong data.',
    });
    expect((await stack.get(hook.path)).body.data.lastDelivery).toMatchObject({
      verdict: 'held',
      reason: 'The trigger is held and takes no executions: Wrong data.',
    });
    expect((await execute(workflow)).body).toMatchObject({ status: 'completed' });
  });

  test('a hold of a trigger takes what it has started out of its line, and puts it back at its release', async () => {
    const flow = { concurrency: { limit: 1 } };
    const workflow = await stack.givenDeployed({ ...approval, start: { ...approval.start, flow } });
    const hook = await givenHook(workflow);
    const running = await stack.givenPaused(workflow);
    const { executionId } = (await hook.send()).body;
    const other = (await execute(workflow)).body;
    const hold = (await stack.post(base, { triggerId: hook.id, reason: 'Not yet.' })).body.data;
    expect((await jobOf(executionId)).body).toMatchObject({ held: { triggerId: hook.id } });
    await stack.post(running.apiUrl, { input: { approved: true } });
    // Its place is before the other one, which starts all the same.
    await until(
      () => jobOf(other.executionId),
      ({ body }) => body.paused !== undefined,
    );
    await stack.post(`${base}/${hold.id}/release`);
    await noHolds();
    expect((await jobOf(executionId)).body).toMatchObject({ status: 'queued', waitsFor: { place: 1 } });
    expect((await jobOf(executionId)).body).not.toHaveProperty('held');
  });

  test('a hold of a trigger of another workspace is refused', async () => {
    const theirs = await stack.givenWorkspace();
    const hook = await givenHook(await stack.givenDeployed(pure));
    const refused = await stack.post(
      `/api/v1/workspaces/${theirs.id}/holds`,
      { triggerId: hook.id, reason: 'Mine.' },
      { 'x-api-key': theirs.key },
    );
    expect([refused.status, refused.body.details]).toMatchObject([400, [{ path: 'triggerId' }]]);
  });
});

describe('a hold', () => {
  test('a hold of a workflow queues its executions, says why, and lets the others start', async () => {
    const [held, free] = [await stack.givenDeployed(pure), await stack.givenDeployed(pure)];
    const hold = await givenHold(held);
    const why = {
      workflowId: held,
      reason: 'The mill is being moved.',
      actor: { kind: 'key' },
      since: expect.any(String),
    };
    const accepted = await execute(held);
    expect([accepted.status, accepted.body]).toMatchObject([202, { status: 'queued', held: why }]);
    const { executionId } = accepted.body;
    expect((await execute(free)).body).toMatchObject({ status: 'completed' });
    expect((await jobOf(executionId)).body).toMatchObject({ status: 'queued', held: why });
    const read = await stack.get(`/api/workflows/${held}/executions/${executionId}`);
    expect(read.body).toMatchObject({ status: 'queued', held: why, blocks: [] });
    const log = await stack.get(`/api/v1/logs?workflowIds=${held}`);
    expect(log.body.data).toMatchObject([{ executionId, status: 'queued', held: true }]);
    expect((await stack.get(base)).body.data).toMatchObject([
      { id: hold, mode: 'queue', waiting: 1, releasedAt: null },
    ]);
    expect((await stack.post(`${base}/${hold}/release`)).body.data.releasedAt).not.toBeNull();
    expect((await completed(executionId)).body).not.toHaveProperty('held');
    await noHolds();
    expect((await execute(held)).body).toMatchObject({ status: 'completed' });
    const { data } = (await stack.get(`/api/v1/audit-logs?resourceId=${hold}`)).body;
    expect(data.map(({ action }: { action: string }) => action)).toEqual([
      'hold.deleted',
      'hold.updated',
      'hold.created',
    ]);
  });

  test('a hold of the workspace lets executions that have started go on to their end', async () => {
    const [workflow, other] = [await stack.givenDeployed(approval), await stack.givenDeployed(pure)];
    const { apiUrl } = await stack.givenPaused(workflow);
    await givenHold(null);
    expect((await execute(other)).body).toMatchObject({ status: 'queued', held: { workflowId: null } });
    const answered = await stack.post(apiUrl, { input: { approved: true } });
    expect(answered.body).toMatchObject({ status: 'completed' });
  });

  test('a hold of a workflow goes on when that of its workspace is released', async () => {
    const [one, other] = [await stack.givenDeployed(pure), await stack.givenDeployed(pure)];
    const ofWorkflow = await givenHold(one);
    const ofWorkspace = await givenHold(null);
    const [kept, free] = [(await execute(one)).body, (await execute(other)).body];
    await stack.post(`${base}/${ofWorkspace}/release`);
    await completed(free.executionId);
    await until(
      () => stack.get(base),
      ({ body }) => body.data.length === 1,
    );
    expect((await jobOf(kept.executionId)).body).toMatchObject({ held: { workflowId: one } });
    await stack.post(`${base}/${ofWorkflow}/release`);
    await completed(kept.executionId);
  });

  test('a hold that refuses answers 409 with its reason and stores nothing', async () => {
    const workflow = await stack.givenDeployed(pure);
    const hold = await givenHold(workflow, { mode: 'refuse' });
    const refused = await execute(workflow);
    expect([refused.status, refused.body]).toMatchObject([
      409,
      {
        code: 'EXECUTIONS_HELD',
        error: 'The workflow is held and takes no executions: The mill is being moved.',
      },
    ]);
    expect((await stack.get(`/api/v1/logs?workflowIds=${workflow}`)).body.data).toEqual([]);
    await stack.call('PATCH', `${base}/${hold}`, { mode: 'queue', reason: 'Later.' });
    expect((await execute(workflow)).body.held).toMatchObject({ reason: 'Later.' });
  });

  test('a hold that is released at a rate starts the oldest first and no faster', async () => {
    const workflow = await stack.givenDeployed(pure);
    const hold = await givenHold(workflow);
    const ids: string[] = [];
    for (let n = 0; n < 25; n++) ids.push((await execute(workflow)).body.executionId);
    await stack.post(`${base}/${hold}/release`, { perSecond: 10 });
    // What comes during the release waits behind it.
    const late = (await execute(workflow)).body;
    expect(late.held).toMatchObject({ workflowId: workflow });
    await completed(late.executionId);
    const entries = (await stack.get(`/api/v1/logs?workflowIds=${workflow}&order=asc`)).body.data;
    expect(entries.map(({ executionId }: { executionId: string }) => executionId)).toEqual([
      ...ids,
      late.executionId,
    ]);
    const startedMs = entries.map(({ startedAt }: { startedAt: string }) => Date.parse(startedAt));
    expect(startedMs.at(-1) - startedMs[0]).toBeGreaterThan(1000);
    await noHolds();
  });

  test('a hold that is released very slowly keeps the rest until it is released at once', async () => {
    const workflow = await stack.givenDeployed(pure);
    const hold = await givenHold(workflow);
    const { executionId } = (await execute(workflow)).body;
    await stack.post(`${base}/${hold}/release`, { perSecond: 0.1 });
    expect((await stack.get(`${base}/${hold}`)).body.data).toMatchObject({ perSecond: 0.1, waiting: 1 });
    await stack.call('PATCH', `${base}/${hold}`, { reason: 'Not yet.' });
    expect((await jobOf(executionId)).body.held).toMatchObject({ reason: 'Not yet.' });
    await stack.post(`${base}/${hold}/release`);
    await completed(executionId);
  });

  test('a hold that ends while executions are accepted leaves none behind', async () => {
    const workflow = await stack.givenDeployed(pure);
    for (let round = 0; round < 4; round++) {
      const hold = await givenHold(workflow);
      const accepted: Promise<Answer>[] = [];
      for (let n = 0; n < 10; n++) accepted.push(execute(workflow));
      await stack.post(`${base}/${hold}/release`);
      for (let n = 0; n < 10; n++) accepted.push(execute(workflow));
      for (const { body } of await Promise.all(accepted)) await completed(body.executionId);
      await noHolds();
    }
  });

  test('a hold lets a waiting execution be cancelled, which then does nothing', async () => {
    const receiver = await Receiver.start();
    const workflow = await stack.givenDeployed({
      blocks: [{ id: 'call', type: 'http', params: { url: receiver.url() } }],
      edges: [{ from: 'start', to: 'call' }],
    });
    await givenHold(workflow);
    const { executionId } = (await stack.execute(workflow, { inputs: {} })).body;
    const cancelled = await stack.post(`/api/workflows/${workflow}/executions/${executionId}/cancel`);
    expect(cancelled.status).toBe(202);
    await until(
      () => stack.get(`/api/workflows/${workflow}/executions/${executionId}`),
      ({ body }) => body.status === 'cancelled',
    );
    expect(receiver.received).toEqual([]);
    receiver.stop();
  });

  test('a hold lets go what waits for a workflow that was deleted meanwhile', async () => {
    const workflow = await stack.givenDeployed(pure);
    const hold = await givenHold(workflow);
    const { executionId } = (await execute(workflow)).body;
    await stack.call('DELETE', `/api/v1/workflows/${workflow}`);
    await stack.post(`${base}/${hold}/release`);
    await completed(executionId);
  });

  test('a hold gives a repeated call its first answer, and executes once', async () => {
    const workflow = await stack.givenDeployed(pure);
    await givenHold(workflow);
    const key = { 'idempotency-key': `held ${workflow}` };
    const [first, second] = [await execute(workflow, key), await execute(workflow, key)];
    expect(second.body.executionId).toBe(first.body.executionId);
    expect((await stack.get(base)).body.data).toMatchObject([{ waiting: 1 }]);
  });

  test('a hold is not there for others, and only an admin sets and releases it', async () => {
    const theirs = await stack.givenWorkspace();
    const headers = { 'x-api-key': theirs.key };
    const workflow = await stack.givenDeployed(pure);
    const hold = await givenHold(null);
    const own = `/api/v1/workspaces/${theirs.id}/holds`;
    expect((await stack.get(own, headers)).body.data).toEqual([]);
    for (const path of [base, own]) {
      expect((await stack.get(`${path}/${hold}`, headers)).status).toBe(404);
      expect((await stack.post(`${path}/${hold}/release`, undefined, headers)).status).toBe(404);
    }
    const foreign = await stack.post(own, { workflowId: workflow, reason: 'No.' }, headers);
    expect(foreign.body.details).toMatchObject([{ path: 'workflowId', code: 'unknown' }]);
    const editor = await givenMember(stack, stack.at('editor'));
    expect((await stack.get(base, editor.headers)).status).toBe(200);
    expect((await stack.post(`${base}/${hold}/release`, undefined, editor.headers)).status).toBe(403);
    expect((await stack.post(base, { reason: 'Me.' }, editor.headers)).status).toBe(403);
    expect((await stack.post(base, { reason: 'Again.' })).body).toMatchObject({ code: 'ALREADY_HELD' });
  });

  test.each([
    [{}, 'reason'],
    [{ reason: '' }, 'reason'],
    [{ reason: 'x'.repeat(501) }, 'reason'],
    [{ reason: 'x', mode: 'maybe' }, 'mode'],
    [{ reason: 'x', workflowId: 5 }, 'workflowId'],
    [{ reason: 'x', workflowId: 'wf_none' }, 'workflowId'],
    [{ reason: 'x', until: 'tomorrow' }, 'until'],
    [{ reason: 'x', triggerId: 'trg_none' }, 'triggerId'],
    [{ reason: 'x', triggerId: 'trg_none', workflowId: 'wf_none' }, 'triggerId'],
  ])('a hold %j is refused and holds nothing', async (body, path) => {
    const refused = await stack.post(base, body);
    expect([refused.status, refused.body.details]).toMatchObject([400, [{ path }]]);
    expect((await stack.get(base)).body.data).toEqual([]);
  });

  test.each([0, -1, 1001, '5', null])('a hold is not released at the rate %j', async (perSecond) => {
    const hold = await givenHold(null);
    const refused = await stack.post(`${base}/${hold}/release`, { perSecond });
    expect([refused.status, refused.body.details]).toMatchObject([400, [{ path: 'perSecond' }]]);
    expect((await stack.get(`${base}/${hold}`)).body.data.releasedAt).toBeNull();
  });
});
