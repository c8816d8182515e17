import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { Holdfast } from '#libs/sdk/src/holdfast';
import { approval, pure } from './support/definitions.ts';
import { Knowledge } from './support/knowledge.ts';
import { givenMember } from './support/people.ts';
import { type Received, Receiver } from './support/receiver.ts';
import { type Answer, Stack, until } from './support/stack.ts';
import { Tables } from './support/tables.ts';
import { testInWhole } from '#libs/platform/settings/support/whole';

let stack: Stack;
let receiver: Receiver;
let owner: pg.Client;
let base: string;
const knowledge = new Knowledge(() => stack);
const tables = new Tables(() => stack);
/** How a path of the receiver answers; any other answers 200. */
const answers = new Map<string, (response: ServerResponse, call: Received) => void>();

beforeAll(async () => {
  // It kills processes and moves the times of rows.
  stack = await Stack.start();
  receiver = await Receiver.start((call, response) => {
    const answer = answers.get(call.path);
    if (answer) answer(response, call);
    else response.end('{}');
  });
  owner = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
  await owner.connect();
  base = `/api/v1/workspaces/${stack.home.id}`;
});
afterAll(async () => {
  receiver.stop();
  await owner.end();
  await stack.stop();
});
afterEach(async () => {
  answers.clear();
  // An endpoint of one test must not hear of the runs of the next.
  for (const { id } of (await stack.get(`${base}/endpoints`)).body.data)
    await stack.call('DELETE', `${base}/endpoints/${id}`);
});

interface Given {
  id: string;
  secret: string;
  path: string;
}

async function givenEndpoint(fields: object = {}): Promise<Given> {
  const path = `/${randomBytes(5).toString('hex')}`;
  const { status, body } = await stack.post(`${base}/endpoints`, { url: receiver.url(path), ...fields });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return { id: body.data.id, secret: body.data.secret, path };
}

interface Event {
  type: string;
  timestamp: string;
  data: Record<string, any>; // oxlint-disable-line typescript/no-explicit-any
}

const callsTo = (path: string) => receiver.received.filter((call) => call.path === path);

/** Checks the signature of a call. Returns its event. */
function verify({ body, headers }: Received, secret: string): Event {
  return new Webhook(secret).verify(body, headers as Record<string, string>) as Event;
}

/** The events of a path, once there are so many, in the order of their arrival. */
async function eventsAt({ path, secret }: Pick<Given, 'path' | 'secret'>, count: number): Promise<Event[]> {
  const calls = await until(
    async () => callsTo(path),
    (found) => found.length >= count,
  );
  return calls.map((call) => verify(call, secret));
}

function ofType(events: Event[], type: string): Event {
  const event = events.find((one) => one.type === type);
  if (!event) throw new Error(`no ${type} among ${events.map((one) => one.type).join(', ')}`);
  return event;
}

/** The deliveries of an endpoint, the newest first and the last of a run first, once they are right. */
async function deliveriesOf(
  { id }: Pick<Given, 'id'>,
  satisfied: (found: Answer['body'][]) => boolean,
  query = '',
): Promise<Answer['body'][]> {
  const path = `${base}/event-deliveries?endpointId=${id}${query}`;
  const ask = async () =>
    (await stack.get(path)).body.data.toSorted(
      (a: Answer['body'], b: Answer['body']) => b.sequence - a.sequence,
    );
  return until(ask, satisfied);
}

const isTried = (found: Answer['body'][]) => found.length > 0 && found.every(({ log }) => log.length > 0);

const getEndpoint = async ({ id }: Pick<Given, 'id'>) =>
  (await stack.get(`${base}/endpoints/${id}`)).body.data;

/** Makes the next attempts of an endpoint due at once, for a test that cannot wait for them. */
const hurry = ({ id }: Pick<Given, 'id'>) =>
  owner.query(`update event_deliveries set due_at = now() where endpoint_id = $1 and status = 'pending'`, [
    id,
  ]);

const run = async (workflow: string): Promise<string> =>
  (await stack.execute(workflow, { inputs: { amount: 1 } })).body.executionId;

describe('an event', () => {
  test('an event is sent while a table of another outbox is locked', async () => {
    const endpoint = await givenEndpoint();
    const workflow = await stack.givenDeployed(pure);
    await owner.query('begin');
    await owner.query('lock table notices in access exclusive mode');
    try {
      const executionId = await run(workflow);
      const events = await eventsAt(endpoint, 2);
      expect(ofType(events, 'execution.completed').data).toMatchObject({ executionId });
    } finally {
      await owner.query('rollback');
    }
  });

  test('an event of a completed run is sent signed, with its place and its links', async () => {
    const endpoint = await givenEndpoint();
    const workflow = await stack.givenDeployed(pure);
    const executionId = await run(workflow);
    const events = await eventsAt(endpoint, 2);
    expect(ofType(events, 'workflow.deployed').data).toMatchObject({ workflowId: workflow, version: 1 });
    expect(ofType(events, 'execution.completed')).toMatchObject({
      data: {
        workspaceId: stack.home.id,
        executionId,
        workflowId: workflow,
        status: 'completed',
        sequence: 1,
        links: { api: expect.stringContaining(`/api/workflows/${workflow}/executions/${executionId}`) },
      },
    });
    const [call] = callsTo(endpoint.path);
    expect(() => verify({ ...(call as Received), body: `${call?.body} ` }, endpoint.secret)).toThrow();
    const { body = '', headers = {} } = call ?? {};
    const { webhooks } = new Holdfast({ baseUrl: stack.url, apiKey: stack.home.key });
    expect(await webhooks.unwrap(body, headers, endpoint.secret)).toEqual(events[0]);
    expect(call?.headers['webhook-id']).toMatch(/^evt_[0-9a-f]{32}$/);
  });

  test('events of a pause, of its answer and of the end of its run come in this order', async () => {
    const endpoint = await givenEndpoint();
    const workflow = await stack.givenDeployed(approval);
    const { executionId, contextId, apiUrl } = await stack.givenPaused(workflow);
    await stack.post(apiUrl, { input: { approved: true } });
    const events = (await eventsAt(endpoint, 5)).filter(({ data }) => data['executionId'] === executionId);
    expect(events.map(({ type, data }) => [data['sequence'], type])).toEqual([
      [1, 'execution.paused'],
      [2, 'pause.answered'],
      [3, 'execution.resumed'],
      [4, 'execution.completed'],
    ]);
    expect(events[0]?.data).toMatchObject({ contextId, blockId: 'approve', title: 'Approve 1?' });
  });

  test('an event of each type is sent once', async () => {
    const asking = (more: object) => {
      const form = [{ name: 'approved', type: 'boolean', required: true }];
      const params = { title: 'Yes?', form, approvals: { assignees: [stack.email] }, ...more };
      return { blocks: [{ id: 'ask', type: 'human', params }], edges: [{ from: 'start', to: 'ask' }] };
    };
    const patient = await stack.givenDeployed(asking({}));
    const endpoint = await givenEndpoint();
    const workflow = await stack.givenWorkflow(asking({ reminders: [1], expiresAfter: 2 }));
    const versions = `/api/v1/workflows/${workflow}`;
    await stack.post(`${versions}/deploy`);
    const [expiring, cancelled] = [await stack.givenPaused(workflow), await stack.givenPaused(patient)];
    await stack.post(`/api/workflows/${patient}/executions/${cancelled.executionId}/cancel`);
    await stack.post(`${versions}/deploy`);
    await stack.post(`${versions}/rollback`, { version: 1 });
    await stack.call('DELETE', `${versions}/deploy`);
    const { base: knowledgeBaseId, document } = await knowledge.givenText('a.txt', 'Some text.');
    const spoiled = await knowledge.upload(knowledgeBaseId, [['b.pdf', 'no pdf', 'application/pdf']], 30);
    const table = await tables.given([{ name: 'email', type: 'string', required: true }]);
    for (const body of ['email\na\n', 'mail\na\n'])
      await stack.call('POST', `${table}/import?async=true`, body, { 'content-type': 'text/csv' });
    const types = [
      'document.failed',
      'document.processed',
      'execution.cancelled',
      'execution.failed',
      'execution.paused',
      'execution.paused',
      'execution.resumed',
      'pause.expired',
      'pause.reminded',
      'table.import.completed',
      'table.import.failed',
      'workflow.deployed',
      'workflow.deployed',
      'workflow.rolled_back',
      'workflow.undeployed',
    ];
    const events = await eventsAt(endpoint, types.length);
    expect(events.map(({ type }) => type).toSorted()).toEqual(types);
    const dataOf = (type: string) => ofType(events, type).data;
    expect(dataOf('document.processed')).toMatchObject({
      documentId: document,
      knowledgeBaseId,
      filename: 'a.txt',
      links: { api: expect.stringContaining(`/api/v1/knowledge/${knowledgeBaseId}/documents/${document}`) },
    });
    expect(dataOf('document.failed')).toMatchObject({
      documentId: spoiled.body.data.documents[0].id,
    });
    expect(dataOf('execution.failed')).toMatchObject({
      executionId: expiring.executionId,
      failure: { code: 'PAUSE_EXPIRED', blockId: 'ask' },
    });
    expect(dataOf('execution.cancelled')).toMatchObject({ executionId: cancelled.executionId });
    expect(dataOf('pause.reminded')).toMatchObject({ contextId: expiring.contextId, occasion: 'reminder 1' });
    expect(dataOf('table.import.completed')).toMatchObject({
      tableId: table.split('/').at(-1),
      insertedCount: 1,
    });
    expect(dataOf('workflow.rolled_back')).toMatchObject({ version: 1, formerVersion: 2 });
    const sequences = events
      .filter(({ data }) => data['executionId'] === expiring.executionId)
      .map(({ data }) => data['sequence']);
    expect(sequences).toEqual([1, 2, 3, 4, 5]);
  });

  test('an event reaches only endpoints that have chosen its type and its workflow', async () => {
    const [one, other] = [await stack.givenDeployed(pure), await stack.givenDeployed(pure)];
    const byType = await givenEndpoint({ types: ['execution.failed', 'execution.completed'] });
    const byWorkflow = await givenEndpoint({ workflowIds: [other] });
    const ids = [await run(one), await run(other)];
    const heard = async (endpoint: Given, count: number) =>
      (await eventsAt(endpoint, count)).map(({ data }) => String(data['executionId'])).toSorted();
    expect(await heard(byType, 2)).toEqual(ids.toSorted());
    expect(await heard(byWorkflow, 1)).toEqual(ids.slice(1));
    await stack.call('DELETE', `/api/v1/workflows/${one}/deploy`);
    expect(await deliveriesOf(byType, (found) => found.length === 2)).toHaveLength(2);
  });

  test('an event reaches no endpoint of another workspace, and its log is not there for others', async () => {
    const theirs = await stack.givenWorkspace();
    const headers = { 'x-api-key': theirs.key };
    const endpoint = await givenEndpoint();
    const theirWorkflow = await stack.givenDeployed(pure, headers);
    await stack.execute(theirWorkflow, { inputs: { amount: 1 } }, headers);
    await run(await stack.givenDeployed(pure));
    const events = await eventsAt(endpoint, 2);
    expect(events.map(({ data }) => data['workspaceId'])).toEqual([stack.home.id, stack.home.id]);
    const [delivery] = await deliveriesOf(endpoint, (found) => found.length === 2);
    const { rows } = await owner.query('select id from events where workspace_id = $1', [theirs.id]);
    expect(rows).toEqual([]);
    const [foreign, own] = [base, `/api/v1/workspaces/${theirs.id}`];
    const paths = [
      ['GET', `/endpoints/${endpoint.id}`],
      ['PATCH', `/endpoints/${endpoint.id}`, { enabled: false }],
      ['DELETE', `/endpoints/${endpoint.id}`],
      ['POST', `/endpoints/${endpoint.id}/rotate`],
      ['POST', `/endpoints/${endpoint.id}/test`],
      ['POST', `/endpoints/${endpoint.id}/replay`, { failed: true }],
      ['GET', `/event-deliveries/${delivery.id}`],
      ['POST', `/event-deliveries/${delivery.id}/replay`],
    ] as const;
    for (const [method, path, body] of paths)
      for (const workspace of [foreign, own])
        expect(await stack.call(method, workspace + path, body, headers)).toMatchObject({ status: 404 });
    expect((await stack.get(`${own}/endpoints`, headers)).body.data).toEqual([]);
    const query = `event-deliveries?endpointId=${endpoint.id}`;
    const strange = await stack.get(`${own}/${query}`, headers);
    expect(strange).toMatchObject({ status: 400, body: { details: [{ path: 'endpointId' }] } });
    const editor = await givenMember(stack, 'editor@example.org');
    for (const path of ['endpoints', 'event-deliveries'])
      expect((await stack.get(`${base}/${path}`, editor.headers)).status).toBe(403);
  });
});

describe('a receiver', () => {
  test('a receiver that fails gets the same event again, and the next events of the run after it', async () => {
    const endpoint = await givenEndpoint();
    answers.set(endpoint.path, (response) => void response.writeHead(500).end());
    const workflow = await stack.givenDeployed(approval);
    const { executionId, apiUrl } = await stack.givenPaused(workflow);
    await stack.post(apiUrl, { input: { approved: true } });
    const ofRun = `&executionId=${executionId}`;
    const tried = await deliveriesOf(endpoint, (found) => found.some(({ log }) => log.length === 1), ofRun);
    // Only the first of the run was tried, and it was tried at once.
    expect(tried.map(({ sequence, attempts }) => [sequence, attempts])).toEqual([
      [4, 0],
      [3, 0],
      [2, 0],
      [1, 1],
    ]);
    expect(tried[3]).toMatchObject({
      lastStatus: 500,
      lastError: 'the receiver answered 500',
      status: 'pending',
    });
    expect(await getEndpoint(endpoint)).toMatchObject({
      health: 'failing',
      lastError: 'the receiver answered 500',
    });
    answers.delete(endpoint.path);
    // The second attempt is due five seconds after the first.
    const done = await deliveriesOf(
      endpoint,
      (found) => found.every(({ status }) => status === 'delivered'),
      ofRun,
    );
    expect(done.map(({ log }) => log.length)).toEqual([1, 1, 1, 2]);
    const calls = callsTo(endpoint.path).filter(({ body }) => body.includes(executionId));
    expect(calls.map((call) => verify(call, endpoint.secret).data['sequence'])).toEqual([1, 1, 2, 3, 4]);
    expect(
      new Set(calls.slice(0, 2).map(({ body, headers }) => `${headers['webhook-id']} ${body}`)).size,
    ).toBe(1);
    expect(await getEndpoint(endpoint)).toMatchObject({
      health: 'healthy',
      failingSince: null,
      lastError: null,
    });
  });

  test('a receiver that goes on failing is passed by later events after three attempts, and has failed after ten', async () => {
    const endpoint = await givenEndpoint({ types: ['execution.paused', 'pause.answered'] });
    answers.set(endpoint.path, (response, { body }) => {
      response.writeHead(body.includes('execution.paused') ? 500 : 200).end();
    });
    const workflow = await stack.givenDeployed(approval);
    const { apiUrl } = await stack.givenPaused(workflow);
    await stack.post(apiUrl, { input: { approved: true } });
    for (let attempts = 1; attempts <= 10; attempts++) {
      const [answered, paused] = await deliveriesOf(endpoint, (found) => found[1]?.log.length === attempts);
      expect(paused.attempts).toBe(attempts);
      if (attempts < 3) expect(answered.attempts).toBe(0);
      expect(paused.status).toBe(attempts < 10 ? 'pending' : 'failed');
      if (attempts === 3) await deliveriesOf(endpoint, ([first]) => first.status === 'delivered');
      await hurry(endpoint);
    }
    const replayed = await stack.post(`${base}/endpoints/${endpoint.id}/replay`, { failed: true });
    expect(replayed.body.data).toEqual({ replayed: 1, more: false, nextSince: null });
    answers.delete(endpoint.path);
    await deliveriesOf(endpoint, (found) => found.every(({ status }) => status === 'delivered'));
  });

  testInWhole(
    'a receiver that never answers delays no other receiver, and its attempt ends after 15 seconds',
    async () => {
      const [hung, quick] = [await givenEndpoint(), await givenEndpoint()];
      answers.set(hung.path, () => undefined);
      const workflow = await stack.givenDeployed(pure);
      for (let n = 0; n < 30; n++) await run(workflow);
      await eventsAt(quick, 31);
      const [tried] = await deliveriesOf(
        hung,
        (found) => found.some(({ log }) => log.length > 0),
        '&status=pending',
      );
      expect(callsTo(hung.path).length).toBeLessThanOrEqual(24);
      expect(tried).toBeDefined();
      const { lastError } = await getEndpoint(hung);
      expect(lastError).toMatch(/did not answer in time/);
    },
  );

  test('a receiver that answers 429 or 503 gets nothing until the time that it asks for', async () => {
    const endpoint = await givenEndpoint({ types: ['execution.completed'] });
    answers.set(endpoint.path, (response) => void response.writeHead(429, { 'retry-after': '3000' }).end());
    const workflow = await stack.givenDeployed(pure);
    await run(workflow);
    await deliveriesOf(endpoint, isTried);
    const slowed = await getEndpoint(endpoint);
    expect(slowed).toMatchObject({ health: 'slowed', slowedUntil: expect.any(String) });
    await run(workflow);
    const waiting = await deliveriesOf(endpoint, (found) => found.length === 2);
    for (const { status, nextAttemptAt } of waiting)
      expect([status, Date.parse(nextAttemptAt) >= Date.parse(slowed.slowedUntil)]).toEqual([
        'pending',
        true,
      ]);
    // A replay waits too. Another endpoint hears of a later run meanwhile.
    await stack.post(`${base}/event-deliveries/${waiting[0].id}/replay`);
    const other = await givenEndpoint({ types: ['execution.completed'] });
    await run(workflow);
    await eventsAt(other, 1);
    expect(callsTo(endpoint.path)).toHaveLength(1);
    await owner.query(`update endpoints set slowed_until = now() where id = $1`, [endpoint.id]);
    answers.delete(endpoint.path);
    await hurry(endpoint);
    await deliveriesOf(endpoint, (found) => found.every(({ status }) => status === 'delivered'));
  });

  test('a receiver that answers 410 is disabled, and hears again when it is enabled', async () => {
    const endpoint = await givenEndpoint({ types: ['execution.completed'] });
    answers.set(endpoint.path, (response) => void response.writeHead(410).end());
    const workflow = await stack.givenDeployed(pure);
    const first = await run(workflow);
    await until(
      () => getEndpoint(endpoint),
      ({ enabled }) => enabled === false,
    );
    expect(await getEndpoint(endpoint)).toMatchObject({
      health: 'disabled',
      disabledReason: 'the receiver answered 410 Gone',
    });
    const { body: log } = await stack.get(
      `/api/v1/audit-logs?workspaceId=${stack.home.id}&resourceId=${endpoint.id}`,
    );
    expect(log.data[0]).toMatchObject({
      action: 'endpoint.updated',
      metadata: { enabled: { from: true, to: false } },
    });
    answers.delete(endpoint.path);
    const missed = await run(workflow);
    expect(await deliveriesOf(endpoint, isTried)).toMatchObject([{ executionId: first, status: 'failed' }]);
    expect((await stack.post(`${base}/endpoints/${endpoint.id}/test`)).body).toMatchObject({
      code: 'ENDPOINT_DISABLED',
    });
    await stack.call('PATCH', `${base}/endpoints/${endpoint.id}`, { enabled: true });
    const since = log.data.at(-1).createdAt;
    const replayed = await stack.post(`${base}/endpoints/${endpoint.id}/replay`, { since });
    expect(replayed.body.data).toMatchObject({ replayed: 2, more: false });
    const again = await deliveriesOf(endpoint, (found) =>
      found.every(({ status }) => status === 'delivered'),
    );
    expect(again.map(({ executionId }) => String(executionId)).toSorted()).toEqual(
      [first, missed].toSorted(),
    );
  });

  test('a receiver that redirects to a private address, or answers too much, has failed, and nothing is followed', async () => {
    const [away, long] = [await givenEndpoint(), await givenEndpoint()];
    answers.set(
      away.path,
      (response) => void response.writeHead(302, { location: receiver.url('/private') }).end(),
    );
    answers.set(long.path, (response) => void response.end('x'.repeat(70_000)));
    await stack.givenDeployed(pure);
    const [[moved], [grown]] = await Promise.all([deliveriesOf(away, isTried), deliveriesOf(long, isTried)]);
    expect(moved).toMatchObject({ status: 'pending', lastStatus: 302 });
    expect(grown).toMatchObject({ status: 'pending', lastError: 'The answer is longer than 65536 bytes.' });
    expect(callsTo('/private')).toEqual([]);
    // The address became private after the endpoint was made.
    await owner.query(`update endpoints set url = 'http://10.0.0.1/' where id = $1`, [away.id]);
    await hurry(away);
    const [refused] = await deliveriesOf(away, ([found]) => found.log.length === 2);
    expect(refused.lastError).toMatch(/not public/);
  });

  test('a receiver that has only failed for five days is disabled, and its deliveries wait', async () => {
    const endpoint = await givenEndpoint({ types: ['execution.completed'] });
    answers.set(endpoint.path, (response) => void response.writeHead(500).end());
    const workflow = await stack.givenDeployed(pure);
    await run(workflow);
    await deliveriesOf(endpoint, isTried);
    await owner.query(`update endpoints set failing_since = now() - interval '4 days' where id = $1`, [
      endpoint.id,
    ]);
    await hurry(endpoint);
    await deliveriesOf(endpoint, ([found]) => found.log.length === 2);
    expect(await getEndpoint(endpoint)).toMatchObject({ enabled: true });
    await owner.query(`update endpoints set failing_since = now() - interval '6 days' where id = $1`, [
      endpoint.id,
    ]);
    await hurry(endpoint);
    const [held] = await deliveriesOf(endpoint, ([found]) => found.status === 'held');
    expect(held).toMatchObject({ nextAttemptAt: null });
    expect(await getEndpoint(endpoint)).toMatchObject({
      enabled: false,
      disabledReason: 'no delivery succeeded for five days',
    });
    answers.delete(endpoint.path);
    await stack.call('PATCH', `${base}/endpoints/${endpoint.id}`, { enabled: true });
    await deliveriesOf(endpoint, ([found]) => found.status === 'delivered');
  });
});

describe('an endpoint', () => {
  test('an endpoint whose secret is rotated gets signatures of both secrets for a day', async () => {
    const endpoint = await givenEndpoint({ types: ['execution.completed'] });
    const rotated = await stack.post(`${base}/endpoints/${endpoint.id}/rotate`);
    const { secret } = rotated.body.data;
    expect(secret).not.toBe(endpoint.secret);
    const workflow = await stack.givenDeployed(pure);
    await run(workflow);
    await eventsAt(endpoint, 1);
    await eventsAt({ ...endpoint, secret }, 1);
    await owner.query(`update endpoints set rotated_at = now() - interval '25 hours' where id = $1`, [
      endpoint.id,
    ]);
    await run(workflow);
    const [, later] = await until(
      async () => callsTo(endpoint.path),
      (calls) => calls.length === 2,
    );
    expect(verify(later as Received, secret)).toMatchObject({ type: 'execution.completed' });
    expect(() => verify(later as Received, endpoint.secret)).toThrow();
    const stored = await owner.query('select secret, former_secret from endpoints where id = $1', [
      endpoint.id,
    ]);
    expect(JSON.stringify(stored.rows)).not.toContain(secret.slice(6));
    expect(JSON.stringify((await stack.get(`${base}/endpoints`)).body)).not.toContain('whsec_');
  });

  test('an endpoint gets a test whatever it has chosen, and one delivery again under its id', async () => {
    const endpoint = await givenEndpoint({ types: ['document.failed'] });
    const tested = await stack.post(`${base}/endpoints/${endpoint.id}/test`);
    const [event] = await eventsAt(endpoint, 1);
    expect(event).toMatchObject({ type: 'endpoint.tested', data: { endpointId: endpoint.id } });
    const path = `${base}/event-deliveries/${tested.body.data.id}`;
    await until(
      () => stack.get(path),
      ({ body }) => body.data.status === 'delivered',
    );
    expect((await stack.post(`${path}/replay`)).body.data).toMatchObject({ status: 'pending', attempts: 0 });
    await eventsAt(endpoint, 2);
    expect(new Set(callsTo(endpoint.path).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const { body } = await until(
      () => stack.get(path),
      (answer) => answer.body.data.status === 'delivered',
    );
    expect(body.data.log).toMatchObject([
      { status: 200, error: null },
      { status: 200, error: null },
    ]);
  });

  test.each([
    [{}, 'url', 'required'],
    [{ url: '' }, 'url', 'length'],
    [{ url: 'ftp://example.org' }, 'url', 'egress'],
    [{ url: 'not a url' }, 'url', 'egress'],
    [{ url: 'https://user:pass@example.org' }, 'url', 'egress'],
    [{ url: 'http://10.0.0.1/hook' }, 'url', 'egress'],
    [{ url: 'http://169.254.169.254/latest' }, 'url', 'egress'],
    [{ url: 'http://[::ffff:10.0.0.1]/' }, 'url', 'egress'],
    [{ url: 'https://example.org/', types: ['execution.finished'] }, 'types.0', 'enum'],
    [{ url: 'https://example.org/', types: 'execution.failed' }, 'types', 'type'],
    [
      { url: 'https://example.org/', workflowIds: ['wf_01a219bea90678c9bd2e84e0b9a7f001'] },
      'workflowIds.0',
      'unknown',
    ],
    [{ url: 'https://example.org/', enabled: 'yes' }, 'enabled', 'type'],
    [{ url: 'https://example.org/', secret: 'mine' }, 'secret', 'unknown_field'],
  ])('an endpoint %j is refused and not stored', async (body, path, code) => {
    const refused = await stack.post(`${base}/endpoints`, body);
    expect([refused.status, refused.body.details[0]]).toMatchObject([400, { path, code }]);
    expect((await stack.get(`${base}/endpoints`)).body.data).toEqual([]);
  });

  test.each([
    [{}, 'required'],
    [{ failed: true, since: '2026-01-01' }, 'required'],
    [{ since: 'yesterday' }, 'type'],
    [{ failed: 'all' }, 'type'],
  ])('an endpoint repeats nothing when it is asked for %j', async (body, code) => {
    const { id } = await givenEndpoint();
    const refused = await stack.post(`${base}/endpoints/${id}/replay`, body);
    expect([refused.status, refused.body.details[0].code]).toEqual([400, code]);
  });
});

describe('a callback', () => {
  const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

  test('a callback hears of its one execution, signed with the secret of the workspace', async () => {
    const workflow = await stack.givenDeployed(approval);
    const path = `/${randomBytes(5).toString('hex')}`;
    const callbackUrl = receiver.url(path);
    const refused = await stack.execute(workflow, { inputs: {}, callbackUrl });
    expect([refused.status, refused.body.code]).toEqual([409, 'NO_CALLBACK_SECRET']);
    await stack.call('PUT', `${base}/secrets/CALLBACK_SECRET`, { value: secret });
    for (const url of ['http://10.0.0.1/', 'ftp://example.org', 5, 'x'.repeat(2001)])
      expect((await stack.execute(workflow, { inputs: {}, callbackUrl: url })).body.details).toMatchObject([
        { path: 'callbackUrl' },
      ]);
    // At the top level it is no input either.
    const { body } = await stack.execute(workflow, { amount: 3, async: true, callbackUrl });
    await stack.execute(workflow, { inputs: {} });
    const [paused] = await eventsAt({ path, secret }, 1);
    expect(paused).toMatchObject({
      type: 'execution.paused',
      data: { executionId: body.executionId, title: 'Approve 3?' },
    });
    expect(body).not.toHaveProperty('warnings');
    const { contextId } = paused?.data ?? {};
    await stack.post(`/api/resume/${workflow}/${body.executionId}/${contextId}`, {
      input: { approved: true },
    });
    const events = await eventsAt({ path, secret }, 3);
    expect(events.map(({ type, data }) => [type, data['executionId']])).toEqual([
      ['execution.paused', body.executionId],
      ['execution.resumed', body.executionId],
      ['execution.completed', body.executionId],
    ]);
    const log = await stack.get(`${base}/event-deliveries?executionId=${body.executionId}`);
    expect(log.body.data.map(({ endpointId }: { endpointId: null }) => endpointId)).toEqual([
      null,
      null,
      null,
    ]);
  });
});

describe('a process that is killed', () => {
  testInWhole(
    'a process that is killed loses no event: each comes at least once, in order per execution, and the log has all',
    async () => {
      const endpoint = await givenEndpoint();
      const seen = new Set<unknown>();
      // Every third event fails once, so that attempts are repeated.
      answers.set(endpoint.path, (response, { headers }) => {
        const fails = !seen.has(headers['webhook-id']) && seen.size % 3 === 0;
        seen.add(headers['webhook-id']);
        response.writeHead(fails ? 503 : 200).end();
      });
      const workflow = await stack.givenDeployed(approval);
      const runs: Awaited<ReturnType<Stack['givenPaused']>>[] = [];
      for (let n = 0; n < 20; n++) runs.push(await stack.givenPaused(workflow));
      await until(
        async () => callsTo(endpoint.path).length,
        (calls) => calls > 5,
      );
      await stack.worker.kill();
      const answer = ({ apiUrl }: { apiUrl: string }) => stack.post(apiUrl, { input: { approved: true } });
      await Promise.all(runs.slice(0, 10).map(answer));
      await stack.api.kill();
      // Takes the minute of the killed worker's claims away. A claim that is under way must keep its minute, or its event is sent twice.
      await owner.query(
        `update event_deliveries set due_at = now() where endpoint_id = $1 and status = 'pending' and due_at > now() + interval '20 seconds'`,
        [endpoint.id],
      );
      await Promise.all([stack.startApi(), stack.startWorker()]);
      for (const waiting of runs.slice(10)) await answer(waiting);
      const all = `select count(*)::int as n from event_deliveries where endpoint_id = $1 and status = 'delivered'`;
      await until(
        async () => {
          // An attempt that fails after a killed one is repeated after five minutes. No claim lasts as long.
          await owner.query(
            `update event_deliveries set due_at = now() where endpoint_id = $1 and status = 'pending' and due_at > now() + interval '2 minutes'`,
            [endpoint.id],
          );
          return (await owner.query<{ n: number }>(all, [endpoint.id])).rows[0]?.n;
        },
        (delivered) => delivered === 81,
      );
      const events = callsTo(endpoint.path).map((call) => verify(call, endpoint.secret));
      for (const { executionId } of runs) {
        const sequences = events
          .filter(({ data }) => data['executionId'] === executionId)
          .map(({ data }) => Number(data['sequence']));
        // A repetition comes before the next event.
        expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
        expect([...new Set(sequences)]).toEqual([1, 2, 3, 4]);
      }
    },
  );

  testInWhole(
    'a process that is killed during a hold or its release loses no execution, and starts none twice',
    async () => {
      const workflow = await stack.givenDeployed(pure);
      const holds = `${base}/holds`;
      const { id } = (await stack.post(holds, { workflowId: workflow, reason: 'Kills.' })).body.data;
      const ids = await Promise.all(Array.from({ length: 30 }, () => run(workflow)));
      await Promise.all([stack.api.kill(), stack.worker.kill()]);
      await Promise.all([stack.startApi(), stack.startWorker()]);
      expect((await stack.get(`${holds}/${id}`)).body.data).toMatchObject({ waiting: 30, releasedAt: null });
      await stack.post(`${holds}/${id}/release`, { perSecond: 20 });
      await until(
        () => stack.get(`${holds}/${id}`),
        ({ body }) => body.data.waiting < 30,
      );
      await stack.worker.kill();
      await stack.startWorker();
      const log = `/api/v1/logs?workflowIds=${workflow}`;
      const isDone = ({ body }: Answer) =>
        body.data.length === 30 &&
        body.data.every(({ status }: { status: string }) => status === 'completed');
      const { body } = await until(() => stack.get(log), isDone);
      expect(body.data.map(({ executionId }: { executionId: string }) => executionId).toSorted()).toEqual(
        ids.toSorted(),
      );
      await until(
        () => stack.get(holds),
        (answer) => answer.body.data.length === 0,
      );
    },
  );
});
