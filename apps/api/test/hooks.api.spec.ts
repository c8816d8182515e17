import { createHmac, randomUUID } from 'node:crypto';
import pg from 'pg';
import { approval, pure } from './support/definitions.ts';
import { Line } from './support/line.ts';
import { givenMember } from './support/people.ts';
import { type Answer, answerOf, described, Stack, until } from './support/stack.ts';
import { testInWhole } from '#libs/platform/settings/support/whole';

let stack: Stack;
beforeAll(async () => {
  // Of its own, because it kills the API.
  stack = await Stack.start();
});
afterAll(() => stack.stop());

const echo = {
  start: { inputs: { n: { type: 'number', required: true } } },
  blocks: [
    {
      id: 'end',
      type: 'response',
      params: { data: { n: '{{ start.n }}' }, status: 201, headers: { 'x-n': '{{ start.n }}' } },
    },
  ],
  edges: [{ from: 'start', to: 'end' }],
};

interface GivenTrigger {
  workflowId: string;
  id: string;
  path: string;
  url: string;
  secret: string;
  created: Answer;
}

/** Makes a trigger of a new deployed workflow. Without settings it is a signed one by Standard Webhooks. */
async function givenTrigger({
  webhook = {},
  workflow = pure,
  ...rest
}: { webhook?: object; workflow?: object | string; [more: string]: unknown } = {}): Promise<GivenTrigger> {
  const workflowId = typeof workflow === 'string' ? workflow : await stack.givenDeployed(workflow);
  const path = `/api/v1/workflows/${workflowId}/triggers`;
  const body = {
    kind: 'webhook',
    name: `hook ${randomUUID()}`,
    webhook: { scheme: 'github', ...webhook },
    ...rest,
  };
  const created = await stack.post(path, body);
  if (created.status !== 201) throw new Error(JSON.stringify(created.body));
  const { id, url, secret } = created.body.data;
  return { workflowId, id, path: `${path}/${id}`, url: new URL(url).pathname, secret, created };
}

/** Delivers as a sender does: without a key. */
async function deliver(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const raw = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: raw as string,
  };
  return described('POST', path.split('?')[0] ?? '', await answerOf(await fetch(stack.url + path, init)));
}

const signed = (secret: string, body: unknown, id: string = randomUUID()) => ({
  'x-github-delivery': id,
  'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(JSON.stringify(body)).digest('hex')}`,
});

/** Delivers what GitHub would sign. */
const send = (trigger: GivenTrigger, body: unknown, id?: string) =>
  deliver(trigger.url, body, signed(trigger.secret, body, id));

/** Like `send`, with the id or with none. */
const sendAs = (trigger: GivenTrigger, body: unknown, id: string | null) => {
  const { 'x-github-delivery': _, ...signature } = signed(trigger.secret, body);
  return deliver(trigger.url, body, id === null ? signature : signed(trigger.secret, body, id));
};

const deliveriesOf = async ({ path }: GivenTrigger, query = '') =>
  (await stack.get(`${path}/deliveries${query}`)).body.data;

describe('a signed delivery', () => {
  test('a signed delivery starts one execution for the principal of the trigger, and a repetition gets the first answer', async () => {
    const trigger = await givenTrigger();
    const first = await send(trigger, { amount: 2000 }, 'delivery-1');
    expect(first).toMatchObject({
      status: 202,
      body: { success: true, verdict: 'accepted', executionId: expect.stringMatching(/^exec_/) },
    });
    const again = await send(trigger, { amount: 2000 }, 'delivery-1');
    expect(again).toMatchObject({ status: 202, body: first.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const { executionId } = first.body;
    const execution = await until(
      () => stack.get(`/api/workflows/${trigger.workflowId}/executions/${executionId}`),
      ({ body }) => body.status === 'completed',
    );
    expect(execution.body).toMatchObject({
      trigger: 'webhook',
      inputs: { amount: 2000, note: 'none' },
      output: { size: 'large', amount: 2000 },
      actor: { kind: 'key', triggerId: trigger.id },
    });
    expect(await deliveriesOf(trigger)).toMatchObject([
      { verdict: 'accepted', executionId, senderId: 'delivery-1', source: 'sender', error: null },
    ]);
  });
});

const verdictsOf = async (trigger: GivenTrigger) =>
  (await deliveriesOf(trigger)).map(({ verdict }: { verdict: string }) => verdict).toReversed();

describe('a delivery that starts nothing', () => {
  test('a forged delivery is refused with 401 and logged without its signature', async () => {
    const trigger = await givenTrigger();
    const headers = {
      ...signed('another secret', { amount: 1 }),
      authorization: 'Bearer canary',
      cookie: 'canary',
    };
    const refused = await deliver(trigger.url, { amount: 1 }, headers);
    expect(refused).toMatchObject({
      status: 401,
      body: { code: 'SIGNATURE_INVALID', error: /signature is wrong/ },
    });
    const [{ id, verdict, error }] = await deliveriesOf(trigger);
    expect({ verdict, error }).toMatchObject({ verdict: 'forged', error: { code: 'SIGNATURE_INVALID' } });
    const { data } = (await stack.get(`${trigger.path}/deliveries/${id}`)).body;
    expect(data).toMatchObject({
      body: '{"amount":1}',
      headers: {
        authorization: '***',
        cookie: '***',
        'x-hub-signature-256': '***',
        'content-type': 'application/json',
      },
    });
    expect((await stack.post(`${trigger.path}/deliveries/${id}/replay`)).body.code).toBe('DELIVERY_FORGED');
  });

  test('a trigger that meets a hundred forgeries in a row is switched off until somebody resumes it', async () => {
    const trigger = await givenTrigger();
    const forge = () => deliver(trigger.url, { amount: 1 }, signed('another secret', { amount: 1 }));
    for (let i = 0; i < 99; i++) await forge();
    expect((await send(trigger, { amount: 1 })).status).toBe(202);
    for (let i = 0; i < 99; i++) await forge();
    expect((await stack.get(trigger.path)).body.data.status).toBe('active');
    await forge();
    expect((await stack.get(trigger.path)).body.data).toMatchObject({
      status: 'disabled',
      reason: expect.stringContaining('100 deliveries in a row were forged'),
    });
    expect(await send(trigger, { amount: 1 })).toMatchObject({
      status: 409,
      body: { code: 'TRIGGER_DISABLED' },
    });
    expect((await deliveriesOf(trigger, '?verdict=forged&limit=100')).length).toBe(100);
    await stack.post(`${trigger.path}/resume`);
    expect((await send(trigger, { amount: 1 })).status).toBe(202);
  });

  test('a paused trigger answers 409 with its note, keeps what came, and a replay of it starts each delivery once', async () => {
    const trigger = await givenTrigger();
    const paused = await stack.post(`${trigger.path}/pause`, { note: 'Moving the database.' });
    expect(paused.body.data).toMatchObject({ status: 'paused', reason: 'Moving the database.' });
    for (const amount of [1, 2, 3])
      expect(await send(trigger, { amount }, `id-${amount}`)).toMatchObject({
        status: 409,
        body: { code: 'TRIGGER_PAUSED', error: 'The trigger is paused. Moving the database.' },
      });
    await stack.post(`${trigger.path}/resume`);
    const replay = () => stack.post(`${trigger.path}/deliveries/replay`, { verdict: 'paused', limit: 2 });
    const [a, b] = await Promise.all([replay(), replay()]);
    const c = await replay();
    expect(c.body.data.hasMore).toBe(false);
    const started = [a, b, c].flatMap(({ body }) =>
      body.data.replays.map((one: { executionId: string }) => one.executionId),
    );
    expect(new Set(started).size).toBe(3);
    const accepted = await deliveriesOf(trigger, '?verdict=accepted');
    expect(accepted.map(({ source }: { source: string }) => source)).toEqual(['replay', 'replay', 'replay']);
    const ids = accepted.map((one: { executionId: string }) => one.executionId);
    expect(new Set(ids)).toEqual(new Set(started));
    const inputs = await Promise.all(
      ids.map(
        async (id: string) =>
          (await stack.get(`/api/workflows/${trigger.workflowId}/executions/${id}`)).body.inputs,
      ),
    );
    expect(inputs.map(({ amount }) => amount).toSorted((one, other) => one - other)).toEqual([1, 2, 3]);
  });

  test('deliveries that are refused again do not keep those behind them from a replay of a query', async () => {
    const trigger = await givenTrigger();
    await stack.post(`${trigger.path}/pause`);
    const amounts = ['none', 'no', 3];
    for (const [i, amount] of amounts.entries())
      expect((await send(trigger, { amount }, `id-${i}`)).status).toBe(409);
    await stack.post(`${trigger.path}/resume`);
    const replay = async (cursor?: string) =>
      (await stack.post(`${trigger.path}/deliveries/replay`, { verdict: 'paused', limit: 2, cursor })).body;
    const { data: first } = await replay();
    expect(first.replays.map(({ error }: { error: { code: string } }) => error.code)).toEqual([
      'INVALID_REQUEST',
      'INVALID_REQUEST',
    ]);
    expect(first.hasMore).toBe(true);
    const { data: second } = await replay(first.nextCursor);
    expect(second).toMatchObject({ replays: [{ error: null }], hasMore: false, nextCursor: null });
    expect((await replay()).data.replays).toEqual(first.replays);
    expect(await replay(`${first.nextCursor}x`)).toMatchObject({ details: [{ path: 'cursor' }] });
  });

  test('a replay of a query starts nothing that the filter leaves out, unless the filter had left it out before', async () => {
    const trigger = await givenTrigger({ when: 'event.body.amount > 1' });
    await stack.post(`${trigger.path}/pause`);
    for (const amount of [1, 5]) expect((await send(trigger, { amount })).status).toBe(409);
    await stack.post(`${trigger.path}/resume`);
    const replay = async (verdict: string) =>
      (await stack.post(`${trigger.path}/deliveries/replay`, { verdict })).body.data.replays;
    expect(await replay('paused')).toMatchObject([
      { executionId: null, error: { code: 'FILTERED' } },
      { executionId: expect.stringMatching(/^exec_/), error: null },
    ]);
    expect(await deliveriesOf(trigger, '?verdict=filtered')).toMatchObject([{ source: 'replay' }]);
    await send(trigger, { amount: 0 });
    expect(await replay('filtered')).toMatchObject([{ executionId: expect.stringMatching(/^exec_/) }]);
  });

  test('a delivery that came while the trigger was paused starts one execution, whoever sends or replays it first', async () => {
    const trigger = await givenTrigger();
    const { repeatSeconds } = (await stack.get(trigger.path)).body.data.webhook;
    expect(repeatSeconds).toBe(300);
    await stack.post(`${trigger.path}/pause`);
    // Each is sent three times, as senders do that get no 2xx.
    for (let i = 0; i < 3; i++)
      for (const [amount, id] of [
        [1, 'first'],
        [2, 'second'],
        [3, null],
      ] as const)
        expect((await sendAs(trigger, { amount }, id)).status).toBe(409);
    await stack.post(`${trigger.path}/resume`);
    const [one] = (await deliveriesOf(trigger)).filter(
      ({ senderId }: { senderId: string }) => senderId === 'first',
    );
    const replayed = await stack.post(`${trigger.path}/deliveries/${one.id}/replay`);
    expect(await sendAs(trigger, { amount: 1 }, 'first')).toMatchObject({
      status: 202,
      body: { executionId: replayed.body.data.executionId },
    });
    const sent = await sendAs(trigger, { amount: 2 }, 'second');
    const replay = () => stack.post(`${trigger.path}/deliveries/replay`, { verdict: 'paused' });
    const [a, b] = await Promise.all([replay(), replay()]);
    expect((await replay()).body.data).toEqual({ replays: [], hasMore: false, nextCursor: null });
    const started = [a, b].flatMap(({ body }) =>
      body.data.replays.map((each: { executionId: string }) => each.executionId),
    );
    expect(new Set(started).size).toBe(1);
    const last = await sendAs(trigger, { amount: 3 }, null);
    expect(last.body.executionId).toBe(started[0]);
    const accepted = await deliveriesOf(trigger, '?verdict=accepted');
    expect(new Set(accepted.map((each: { executionId: string }) => each.executionId))).toEqual(
      new Set([replayed.body.data.executionId, sent.body.executionId, started[0]]),
    );
    expect(accepted.length).toBe(3);
    // A person may start it once more.
    const again = await stack.post(`${trigger.path}/deliveries/${one.id}/replay`);
    expect(again.body.data.executionId).not.toBe(replayed.body.data.executionId);
  });

  test('an undeploy names the triggers that it stops, and they go on with the next deploy', async () => {
    const trigger = await givenTrigger();
    const workflow = `/api/v1/workflows/${trigger.workflowId}`;
    const preview = await stack.get(`${workflow}/deploy/preview?action=undeploy`);
    expect(preview.body.data.warnings).toEqual(['1 trigger starts nothing until a version is live again.']);
    const undeployed = await stack.call('DELETE', `${workflow}/deploy`);
    expect(undeployed.body.data.warnings).toEqual(preview.body.data.warnings);
    expect((await stack.get(trigger.path)).body.data).toMatchObject({
      status: 'paused',
      reason: expect.stringContaining('not deployed'),
    });
    expect(await send(trigger, { amount: 1 })).toMatchObject({ status: 409, body: { code: 'NOT_DEPLOYED' } });
    await stack.post(`${workflow}/deploy`);
    expect((await send(trigger, { amount: 1 })).status).toBe(202);
    await stack.post(`${workflow}/rollback`, { version: 1 });
    expect((await send(trigger, { amount: 1 })).status).toBe(202);
    expect(await verdictsOf(trigger)).toEqual(['undeployed', 'accepted', 'accepted']);
    await stack.call('DELETE', workflow);
    expect((await send(trigger, { amount: 1 })).status).toBe(404);
  });

  test('a delivery under a hold is taken once and starts after the release, or is refused and logged', async () => {
    const trigger = await givenTrigger();
    const holds = `/api/v1/workspaces/${stack.home.id}/holds`;
    const hold = { workflowId: trigger.workflowId, reason: 'An upgrade.', mode: 'queue' };
    const { id } = (await stack.post(holds, hold)).body.data;
    const [first, again] = [
      await send(trigger, { amount: 1 }, 'one'),
      await send(trigger, { amount: 1 }, 'one'),
    ];
    expect(first.status).toBe(202);
    expect(again.body.executionId).toBe(first.body.executionId);
    await stack.call('PATCH', `${holds}/${id}`, { mode: 'refuse' });
    expect(await send(trigger, { amount: 2 }, 'two')).toMatchObject({
      status: 409,
      body: { code: 'EXECUTIONS_HELD' },
    });
    expect(await verdictsOf(trigger)).toEqual(['accepted', 'held']);
    await stack.post(`${holds}/${id}/release`, {});
    const read = () => stack.get(`/api/jobs/${first.body.jobId}`);
    await until(read, ({ body }) => body.status === 'completed');
  });

  test('a delivery that the filter leaves out is answered 200 and starts nothing', async () => {
    const trigger = await givenTrigger({ when: 'event.body.kind == "order" && event.query.env == "live"' });
    const at = (query: string) => ({ ...trigger, url: `${trigger.url}?env=${query}` });
    const out = await send(at('test'), { kind: 'order', amount: 1 });
    expect(out).toMatchObject({
      status: 200,
      body: { success: true, verdict: 'filtered', executionId: null },
    });
    expect((await send(at('live'), { kind: 'order', amount: 1 })).status).toBe(202);
    expect(await send(at('live'), { kind: 5 })).toMatchObject({ status: 200 });
    expect(await verdictsOf(trigger)).toEqual(['filtered', 'accepted', 'filtered']);
  });

  test('an event that the template or the inputs of the workflow do not fit is refused with its fault and logged', async () => {
    const trigger = await givenTrigger({ inputs: { amount: '{{ event.body.amount + 1 }}' } });
    expect(await send(trigger, { amount: 'x' })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'inputs', code: 'expression' }] },
    });
    const plain = await givenTrigger();
    expect(await send(plain, { amount: 'x' })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'inputs.amount', code: 'type' }] },
    });
    for (const one of [trigger, plain])
      expect(await deliveriesOf(one)).toMatchObject([
        { verdict: 'invalid', error: { code: 'INVALID_REQUEST' }, executionId: null },
      ]);
  });

  test('a trigger starts nothing once the user or the key that it acts for may not, until somebody else takes it over', async () => {
    const keys = `/api/v1/workspaces/${stack.home.id}/keys`;
    const mine = { 'x-api-key': stack.personalKey };
    const { id, key } = (await stack.post(keys, { name: 'robot', role: 'editor' }, mine)).body.data;
    const workflowId = await stack.givenDeployed(pure);
    const path = `/api/v1/workflows/${workflowId}/triggers`;
    const body = { kind: 'webhook', name: 'robot', webhook: { scheme: 'none', repeatSeconds: 0 } };
    const { data } = (await stack.post(path, body, { 'x-api-key': key })).body;
    expect(data).toMatchObject({
      actsFor: { kind: 'key', id },
      warnings: [expect.stringContaining('Nothing proves the sender')],
    });
    const url = new URL(data.url).pathname;
    expect((await deliver(url, { amount: 1 })).status).toBe(202);
    await stack.call('DELETE', `${keys}/${id}`, undefined, mine);
    const refused = await until(
      () => deliver(url, { amount: 1 }),
      ({ status }) => status === 403,
    );
    expect(refused.body.code).toBe('PRINCIPAL_GONE');
    await stack.post(`${path}/${data.id}/resume`, undefined, mine);
    expect((await stack.get(`${path}/${data.id}`)).body.data.actsFor.kind).toBe('user');
    expect((await deliver(url, { amount: 1 })).status).toBe(202);
  });
});

describe('the body of a delivery', () => {
  const inputs = {
    body: '{{ event.body }}',
    type: '{{ event.headers["content-type"] }}',
    query: '{{ event.query }}',
  };
  const showing = {
    blocks: [{ id: 'end', type: 'response', params: { data: '{{ start }}' } }],
    edges: [{ from: 'start', to: 'end' }],
  };
  const multipart = (fields: string) => `--x\r\n${fields}\r\n--x--\r\n`;
  const field = 'Content-Disposition: form-data; name="a"\r\n\r\n1';
  /** A part with two bytes that are no UTF-8, and its name as bytes of UTF-8. */
  const file = (name: string, filename: string) =>
    `Content-Disposition: form-data; name="${name}"; filename="${Buffer.from(filename).toString('latin1')}"\r\nContent-Type: image/png\r\n\r\n\u00ff\0`;
  const asFile = (filename: string) => ({ filename, mimeType: 'image/png', fileSize: 2, base64: '/wA=' });

  test.each([
    ['JSON', 'application/json', '{"a":1}', { a: 1 }],
    ['JSON of a vendor', 'application/vnd.api+json; charset=utf-8', '{"a":1}', { a: 1 }],
    [
      'JSON whose whole numbers no double holds, which arrive as text',
      'application/json',
      '{"n":123456789012345678,"m":[-9007199254740993],"x":0.1,"y":1e3}',
      { n: '123456789012345678', m: ['-9007199254740993'], x: 0.1, y: 1000 },
    ],
    ['a form', 'application/x-www-form-urlencoded', 'a=1&b=2&b=3%20x', { a: '1', b: ['2', '3 x'] }],
    [
      'a form with line breaks as browsers write them',
      'application/x-www-form-urlencoded',
      'a=one%0D%0Atwo%EF%BF%BD',
      { a: 'one\r\ntwo\ufffd' },
    ],
    ['a multipart form', 'multipart/form-data; boundary=x', multipart(field), { a: '1' }],
    [
      'a multipart form with the replacement character',
      'multipart/form-data; boundary=x',
      multipart(`${field}\r\n\ufffd`),
      { a: '1\r\n\ufffd' },
    ],
    [
      'a multipart form with files',
      'multipart/form-data; boundary=x',
      Buffer.from(
        multipart(
          `${field}\r\n--x\r\n${file('b', 'é.png')}\r\n--x\r\n${file('c', '1')}\r\n--x\r\n${file('c', '2')}`,
        ),
        'latin1',
      ),
      { a: '1', b: asFile('é.png'), c: [asFile('1'), asFile('2')] },
    ],
    ['text', 'text/plain', 'hello', 'hello'],
    ['XML', 'application/xml', '<a/>', '<a/>'],
    ['nothing', 'application/json', '', null],
  ])('the body of a delivery may be %s', async (_, type, body, parsed) => {
    const trigger = await givenTrigger({
      workflow: showing,
      inputs,
      webhook: { scheme: 'none', respond: 'result' },
    });
    const answer = await deliver(`${trigger.url}?x=1&x=2`, body, { 'content-type': type });
    expect(answer).toMatchObject({ status: 200, body: { body: parsed, type, query: { x: ['1', '2'] } } });
    const [{ id }] = await deliveriesOf(trigger);
    const again = await stack.post(`${trigger.path}/deliveries/${id}/replay`);
    const { executionId } = again.body.data;
    const replayed = await until(
      () => stack.get(`/api/workflows/${trigger.workflowId}/executions/${executionId}`),
      ({ body: { status } }) => status === 'completed',
    );
    expect(replayed.body.output).toMatchObject({ body: parsed });
  });

  const tooLarge = JSON.stringify({ a: 'x'.repeat(1024 * 1024) });
  test.each([
    ['broken JSON', '{"a":', {}, 400, 'INVALID_JSON'],
    ['a number out of range', '{"n":123456789012345678,"a":1e400}', {}, 400, 'INVALID_REQUEST'],
    ['a repeated name', '{"a":1,"a":2}', {}, 400, 'INVALID_REQUEST'],
    ['deep nesting', '['.repeat(100) + ']'.repeat(100), {}, 400, 'INVALID_REQUEST'],
    ['a key that changes a prototype', '{"__proto__":{"a":1}}', {}, 400, 'INVALID_REQUEST'],
    ['bytes that are no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), {}, 400, 'INVALID_REQUEST'],
    [
      'a NUL character',
      'a=\0',
      { 'content-type': 'application/x-www-form-urlencoded' },
      400,
      'INVALID_REQUEST',
    ],
    [
      'too many files',
      multipart(Array.from({ length: 101 }, () => file('f', 'f')).join('\r\n--x\r\n')),
      { 'content-type': 'multipart/form-data; boundary=x' },
      400,
      'INVALID_REQUEST',
    ],
    [
      'half a multipart form',
      `--x\r\n${field}`,
      { 'content-type': 'multipart/form-data; boundary=x' },
      400,
      'INVALID_REQUEST',
    ],
    ['more than a megabyte', tooLarge, {}, 413, 'PAYLOAD_TOO_LARGE'],
    ['a compressed body', '{}', { 'content-encoding': 'gzip' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ])('a delivery with %s is refused and starts nothing', async (_, body, headers, status, code) => {
    const trigger = await givenTrigger({ webhook: { scheme: 'none' } });
    expect(await deliver(trigger.url, body, headers)).toMatchObject({ status, body: { code } });
    const logged = status === 400 ? [{ verdict: 'invalid', error: { code } }] : [];
    expect(await deliveriesOf(trigger)).toMatchObject(logged);
  });

  const multipartType = 'multipart/form-data; boundary=x';
  test.each([
    ['a form in Latin-1', 'application/x-www-form-urlencoded', 'a=caf%E9', /in UTF-8/],
    ['a field in Latin-1', multipartType, multipart(`${field}\u00e9`), /in UTF-8/],
    ['a field named in Latin-1', multipartType, multipart(field.replace('"a"', '"\u00e9"')), /in UTF-8/],
    [
      'a file named in Latin-1',
      multipartType,
      multipart(file('f', 'f').replace('e="f"\r', 'e="\u00e9"\r')),
      /in UTF-8/,
    ],
    [
      'a part without a Content-Disposition',
      multipartType,
      multipart(`${field}\r\n--x\r\n\r\n2`),
      /name="…"/,
    ],
    ['a part without a name', multipartType, multipart(field.replace('; name="a"', '')), /name="…"/],
  ])('a delivery with %s is refused with what to send', async (_, type, body, message) => {
    const trigger = await givenTrigger({ webhook: { scheme: 'none' } });
    const answer = await deliver(trigger.url, Buffer.from(body, 'latin1'), { 'content-type': type });
    expect(answer).toMatchObject({
      status: 400,
      body: { details: [{ message: expect.stringMatching(message) }] },
    });
    expect(await deliveriesOf(trigger)).toMatchObject([{ verdict: 'invalid' }]);
  });

  test('a form of Twilio is trusted and arrives with the line breaks that it signs', async () => {
    const webhook = { scheme: 'twilio', respond: 'result' };
    const trigger = await givenTrigger({ workflow: showing, inputs, webhook });
    await stack.post(`${trigger.path}/rotate`, { secretValue: 'auth token' });
    const text = `${trigger.created.body.data.url}Bodyone\r\ntwoFrom+1`;
    const answer = await deliver(trigger.url, 'Body=one%0D%0Atwo&From=%2B1', {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': createHmac('sha1', 'auth token').update(text).digest('base64'),
    });
    expect(answer).toMatchObject({ status: 200, body: { body: { Body: 'one\r\ntwo', From: '+1' } } });
  });

  test('a NUL character in the query or in the id of a form is refused or kept out, and is no fault of the service', async () => {
    const trigger = await givenTrigger({
      webhook: { scheme: 'none', deliveryIdPath: 'id' },
      inputs: { amount: 1 },
    });
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await deliver(`${trigger.url}?a=%00`, { amount: 1 })).status).toBe(202);
    expect((await deliver(trigger.url, 'id=a%00b', form)).status).toBe(202);
    const [byForm, byQuery] = await deliveriesOf(trigger);
    expect(byForm).toMatchObject({ verdict: 'accepted', senderId: 'a\ufffdb' });
    const { data } = (await stack.get(`${trigger.path}/deliveries/${byQuery.id}`)).body;
    expect(data.query).toEqual({ a: '\ufffd' });
  });

  test('the body of a delivery counts toward the storage of the workspace, until the delivery is deleted', async () => {
    const trigger = await givenTrigger({ webhook: { scheme: 'none' }, when: 'false' });
    const used = async () => Number((await stack.get('/api/users/me/usage-limits')).body.storage.usedBytes);
    const before = await used();
    const body = { text: 'x'.repeat(700_000) };
    expect((await deliver(trigger.url, body)).body.verdict).toBe('filtered');
    await until(used, (bytes) => bytes >= before + 700_000);
    await stack.call('DELETE', trigger.path);
    await until(used, (bytes) => bytes < before + 700_000);
  });

  test('a delivery is deleted once it is older than executions are kept', async () => {
    const trigger = await givenTrigger({ webhook: { scheme: 'none' }, when: 'false' });
    await deliver(trigger.url, { n: 'old' });
    const owner = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
    await owner.connect();
    await owner.query(
      `update trigger_deliveries set received_at = now() - interval '31 days' where trigger_id = $1`,
      [trigger.id],
    );
    await owner.end();
    await deliver(trigger.url, { n: 'new' });
    // The worker looks when it starts, and then every hour.
    await stack.worker.kill('SIGTERM');
    await stack.startWorker();
    const [kept] = await until(
      () => deliveriesOf(trigger),
      (found) => found.length === 1,
    );
    expect(new Date(kept.receivedAt).getTime()).toBeGreaterThan(Date.now() - 86_400_000);
  });

  test('a chunked body without a length is taken', async () => {
    const trigger = await givenTrigger({ webhook: { scheme: 'none' } });
    const body = new ReadableStream({
      start(controller) {
        for (const part of ['{"amount"', ':5}']) controller.enqueue(new TextEncoder().encode(part));
        controller.close();
      },
    });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(stack.url + trigger.url, { method: 'POST', headers, body, duplex: 'half' });
    expect(answer.status).toBe(202);
  });
});

describe('the answer to a sender', () => {
  test('the answer is that of the Response block when the trigger asks for it, also for a repetition', async () => {
    const trigger = await givenTrigger({ workflow: echo, webhook: { respond: 'result' } });
    const first = await send(trigger, { n: 7 }, 'one');
    expect(first).toMatchObject({ status: 201, body: { n: 7 } });
    expect(first.headers.get('x-n')).toBe('7');
    const again = await send(trigger, { n: 7 }, 'one');
    expect(again).toMatchObject({ status: 201, body: { n: 7 } });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await verdictsOf(trigger)).toEqual(['accepted']);
  });

  test('the answer is 202 when the run takes longer than the trigger waits', async () => {
    const slow = {
      blocks: [{ id: 'rest', type: 'wait', params: { duration: 600 } }],
      edges: [{ from: 'start', to: 'rest' }],
    };
    const trigger = await givenTrigger({ workflow: slow, webhook: { respond: 'result', waitSeconds: 1 } });
    const { status, body } = await send(trigger, {});
    expect({ status, body }).toMatchObject({ status: 202, body: { verdict: 'accepted' } });
    await stack.post(`/api/workflows/${trigger.workflowId}/executions/${body.executionId}/cancel`);
  });

  test('the answer to a challenge of Slack is the challenge, when it is signed', async () => {
    const trigger = await givenTrigger({ webhook: { scheme: 'slack' }, secret: 'the signing secret' });
    const body = { type: 'url_verification', challenge: 'abc' };
    const time = String(Math.floor(Date.now() / 1000));
    const mac = createHmac('sha256', 'the signing secret')
      .update(`v0:${time}:${JSON.stringify(body)}`)
      .digest('hex');
    const headers = { 'x-slack-request-timestamp': time, 'x-slack-signature': `v0=${mac}` };
    expect(await deliver(trigger.url, body, headers)).toMatchObject({ status: 200, body: 'abc' });
    expect((await deliver(trigger.url, body)).status).toBe(401);
    expect(await verdictsOf(trigger)).toEqual(['forged']);
  });

  test('the answer for an unknown address is the 404 of any unknown thing', async () => {
    const unknown = await deliver(`/hooks/${'A'.repeat(43)}`, {});
    const absent = await stack.get(
      `/api/v1/workflows/${await stack.givenWorkflow(pure)}/triggers/trg_${'0'.repeat(32)}`,
    );
    expect([unknown.status, unknown.body.error, unknown.body.code]).toEqual([
      404,
      absent.body.error,
      absent.body.code,
    ]);
    expect((await deliver('/hooks/short', {})).body.code).toBe('NOT_FOUND');
  });
});

describe('a repetition', () => {
  test('a delivery without an id is a repetition of an equal one within the seconds of the trigger', async () => {
    const trigger = await givenTrigger({ webhook: { scheme: 'bearer' } });
    const headers = { authorization: `Bearer ${trigger.secret}` };
    const started = new Set<string>();
    for (let amount = 1; amount <= 10; amount++) {
      const sent = Array.from({ length: 20 }, () => deliver(trigger.url, { amount }, headers));
      const ids = new Set((await Promise.all(sent)).map(({ body }) => body.executionId));
      expect(ids.size).toBe(1);
      for (const id of ids) started.add(id);
    }
    expect(started.size).toBe(10);
    const other = await deliver(`${trigger.url}?n=2`, { amount: 1 }, headers);
    expect(started.has(other.body.executionId)).toBe(false);
    const each = await givenTrigger({ webhook: { scheme: 'none', repeatSeconds: 0 } });
    const twice = [await deliver(each.url, {}), await deliver(each.url, {})];
    expect(twice.map(({ status }) => status)).toEqual([400, 400]);
    const fitting = [await deliver(each.url, { amount: 1 }), await deliver(each.url, { amount: 1 })];
    expect(new Set(fitting.map(({ body }) => body.executionId)).size).toBe(2);
  });

  test('a delivery has its id in the header or at the path that the trigger names', async () => {
    const byPath = await givenTrigger({ webhook: { scheme: 'none', deliveryIdPath: 'meta.id' } });
    const [a, b] = [
      await deliver(byPath.url, { meta: { id: 5 }, amount: 1 }),
      await deliver(byPath.url, { meta: { id: 5 }, amount: 2 }),
    ];
    expect(b?.body).toEqual(a?.body);
    const byHeader = await givenTrigger({ webhook: { scheme: 'none', deliveryIdHeader: 'X-Event' } });
    const event = (id: string) => deliver(byHeader.url, { amount: 1 }, { 'x-event': id });
    expect((await event('1')).body).toEqual((await event('1')).body);
    expect((await event('2')).body.executionId).not.toBe((await event('1')).body.executionId);
  });

  test('a delivery has the id that its sender gave it, however long, and to its last digit', async () => {
    const trigger = await givenTrigger({ webhook: { scheme: 'none', deliveryIdPath: 'id' } });
    const ids = [`${'a'.repeat(300)}1`, `${'a'.repeat(300)}2`].map((id) => JSON.stringify(id));
    const started = new Set<string>();
    for (const id of [...ids, '9007199254740993', '9007199254740992', ...ids]) {
      const { status, body } = await deliver(trigger.url, `{"id":${id},"amount":1}`);
      expect(status).toBe(202);
      started.add(body.executionId);
    }
    expect(started.size).toBe(4);
  });

  test('a multipart form without an id is a repetition of an equal one with another boundary', async () => {
    const trigger = await givenTrigger({
      webhook: { scheme: 'none' },
      inputs: { amount: '{{ int(event.body.amount) }}' },
    });
    const post = (boundary: string, amount: number) =>
      deliver(
        trigger.url,
        `--${boundary}\r\nContent-Disposition: form-data; name="amount"\r\n\r\n${amount}\r\n--${boundary}--\r\n`,
        { 'content-type': `multipart/form-data; boundary=${boundary}` },
      );
    const [first, again, other] = [await post('x', 1), await post('y', 1), await post('y', 2)];
    expect([first.status, again.body]).toEqual([202, first.body]);
    expect(other.body.executionId).not.toBe(first.body.executionId);
  });

  testInWhole(
    'each of 200 deliveries from 8 senders with repetitions starts one execution, while the API and the worker are killed',
    async () => {
      const trigger = await givenTrigger();
      const ids = Array.from({ length: 140 }, (_, i) => `event-${i}`);
      const sent = [...ids, ...ids.slice(0, 60)]
        .map((id, i) => ({ id, order: (i * 37) % 200 }))
        .toSorted((a, b) => a.order - b.order);
      const executions = new Map<string, Set<string>>();
      let answered = 0;
      const sendOne = async (id: string) => {
        const answer = await until(
          () => send(trigger, { amount: 1 }, id).catch(() => null),
          (one) => one?.status === 202,
        );
        answered += 1;
        executions.set(id, (executions.get(id) ?? new Set()).add(answer?.body.executionId));
      };
      const senders = Array.from({ length: 8 }, async (_, lane) => {
        for (const { id } of sent.filter((__, i) => i % 8 === lane)) await sendOne(id);
      });
      for (const share of [50, 120]) {
        await until(
          async () => answered,
          (count) => count >= share,
        );
        await Promise.all([stack.api.kill('SIGKILL'), stack.worker.kill('SIGKILL')]);
        await Promise.all([stack.startApi(), stack.startWorker()]);
      }
      await Promise.all(senders);
      const started = [...executions.values()].flatMap((found) => [...found]);
      expect([executions.size, new Set(started).size]).toEqual([140, 140]);
      const logs = await until(
        () => stack.get(`/api/v1/logs?workflowIds=${trigger.workflowId}&limit=200`),
        ({ body }) => body.data.every(({ status }: { status: string }) => status === 'completed'),
      );
      expect(logs.body.data.length).toBe(140);
      expect(logs.body.data[0]).toMatchObject({ trigger: 'webhook', triggerId: trigger.id });
    },
  );
});

testInWhole(
  'a delivery while Postgres is away is answered 503 with Retry-After, and starts once when it comes again',
  async () => {
    const trigger = await givenTrigger();
    const database = new URL(stack.env['DATABASE_URL'] ?? '');
    const way = await Line.to(database.host);
    await stack.api.kill('SIGTERM');
    await stack.startApi({ DATABASE_URL: Object.assign(new URL(database), { host: way.address }).href });
    expect((await send(trigger, { amount: 1 }, 'before')).status).toBe(202);
    way.break();
    const away = await send(trigger, { amount: 1 }, 'once');
    expect([away.status, away.body.code, away.headers.has('retry-after')]).toEqual([
      503,
      'UNAVAILABLE',
      true,
    ]);
    way.mend();
    const answer = await until(
      () => send(trigger, { amount: 1 }, 'once'),
      ({ status }) => status === 202,
    );
    expect((await send(trigger, { amount: 1 }, 'once')).body).toEqual(answer.body);
    expect(await verdictsOf(trigger)).toEqual(['accepted', 'accepted']);
    await stack.api.kill('SIGTERM');
    way.stop();
    await stack.startApi();
  },
);

describe('a rotation', () => {
  test('a rotation makes a new address and secret, and the former ones stay valid for the overlap alone', async () => {
    const trigger = await givenTrigger();
    const rotated = (await stack.post(`${trigger.path}/rotate`, { url: true, secret: true })).body.data;
    expect(rotated.webhook).toMatchObject({
      formerSecretUntil: expect.any(String),
      formerUrlUntil: expect.any(String),
    });
    const next = { ...trigger, url: new URL(rotated.url).pathname, secret: rotated.secret };
    expect(next.url).not.toBe(trigger.url);
    for (const one of [trigger, next, { ...next, secret: trigger.secret }])
      expect((await send(one, { amount: 1 })).status).toBe(202);
    const last = (await stack.post(`${trigger.path}/rotate`, { url: true, secret: true, overlapHours: 0 }))
      .body.data;
    expect((await send(next, { amount: 1 })).status).toBe(404);
    const url = new URL(last.url).pathname;
    expect((await send({ ...next, url }, { amount: 1 })).status).toBe(401);
    expect((await send({ ...next, url, secret: last.secret }, { amount: 1 })).status).toBe(202);
  });

  test('a rotation is refused that asks for a new secret and gives one, and changes nothing', async () => {
    const trigger = await givenTrigger();
    const wish = { url: true, secret: true, secretValue: 'of the sender', overlapHours: 0 };
    expect(await stack.post(`${trigger.path}/rotate`, wish)).toMatchObject({
      status: 400,
      body: { details: [{ path: 'secretValue', code: 'conflict' }] },
    });
    expect((await send(trigger, { amount: 1 })).status).toBe(202);
  });

  test('a trigger takes the secret of its sender after the address is known', async () => {
    const trigger = await givenTrigger({ webhook: { scheme: 'shopify' } });
    expect(trigger.created.body.data).toMatchObject({
      secret: null,
      warnings: [expect.stringContaining('no secret yet')],
    });
    const headers = {
      'x-shopify-hmac-sha256': createHmac('sha256', 'of the sender').update('{"amount":1}').digest('base64'),
    };
    expect((await deliver(trigger.url, { amount: 1 }, headers)).status).toBe(401);
    await stack.post(`${trigger.path}/rotate`, { secretValue: 'of the sender' });
    expect((await deliver(trigger.url, { amount: 1 }, headers)).status).toBe(202);
  });
});

describe('a trigger', () => {
  test('a trigger acts for who made or changed it last, so that its starter may not answer its pauses', async () => {
    const [block, ...others] = approval.blocks;
    const approvals = { required: 1, decision: 'approved', assignees: [stack.at('ann'), stack.at('bob')] };
    const asking = {
      ...approval,
      blocks: [{ ...block, params: { ...block?.params, approvals } }, ...others],
    };
    const [ann, bob] = [await givenMember(stack, stack.at('ann')), await givenMember(stack, stack.at('bob'))];
    const workflowId = await stack.givenDeployed(asking);
    const path = `/api/v1/workflows/${workflowId}/triggers`;
    const wanted = { kind: 'webhook', name: 'ask', webhook: { scheme: 'none', respond: 'result' } };
    const { data } = (await stack.post(path, wanted, ann.headers)).body;
    expect(data.actsFor).toEqual({ kind: 'user', id: ann.id, name: 'ann' });
    const begin = async (amount: number) => {
      const { executionId } = (await deliver(new URL(data.url).pathname, { amount })).body;
      const paused = (await stack.get(`/api/resume/${workflowId}/${executionId}`)).body;
      return {
        paused,
        answer: `/api/resume/${workflowId}/${executionId}/${paused.pausePoints[0].contextId}`,
      };
    };
    const first = await begin(1);
    expect(first.paused.triggerIds).toEqual(['approve', data.id]);
    expect(first.paused.executionSnapshot.triggerIds).toEqual(['approve', data.id]);
    const input = { input: { approved: true } };
    expect((await stack.post(first.answer, input, ann.headers)).body.code).toBe('STARTER_MAY_NOT_ANSWER');
    expect((await stack.post(first.answer, input, bob.headers)).status).toBe(200);
    await stack.call('PATCH', `${path}/${data.id}`, { inputs: { amount: 5 } }, bob.headers);
    const second = await begin(2);
    expect((await stack.post(second.answer, input, bob.headers)).body.code).toBe('STARTER_MAY_NOT_ANSWER');
    expect((await stack.post(second.answer, input, ann.headers)).status).toBe(200);
  });

  test('a trigger that a person runs by hand starts once for each Idempotency-Key, without a signature and while paused', async () => {
    const trigger = await givenTrigger({
      inputs: { amount: '{{ event.body.n }}', note: '{{ event.headers.from }}' },
    });
    await stack.post(`${trigger.path}/pause`);
    const run = () =>
      stack.post(
        `${trigger.path}/run`,
        { body: { n: 3 }, headers: { from: 'me' } },
        { 'idempotency-key': 'run-1' },
      );
    const [first, again] = [await run(), await run()];
    expect(first).toMatchObject({
      status: 202,
      body: { data: { executionId: expect.stringMatching(/^exec_/) } },
    });
    expect(again.body).toEqual(first.body);
    const { deliveryId, executionId } = first.body.data;
    const { body } = await stack.get(`/api/workflows/${trigger.workflowId}/executions/${executionId}`);
    expect(body).toMatchObject({ trigger: 'webhook', inputs: { amount: 3, note: 'me' } });
    expect(await deliveriesOf(trigger)).toMatchObject([
      { id: deliveryId, source: 'test', verdict: 'accepted', executionId },
    ]);
    const replayed = await stack.post(`${trigger.path}/deliveries/${deliveryId}/replay`);
    expect(replayed.status).toBe(202);
    expect(await deliveriesOf(trigger)).toMatchObject([
      { source: 'replay', replayOf: deliveryId },
      { source: 'test' },
    ]);
  });

  test('a test delivery is kept as one of a sender would be: names in lower case, no credentials, and texts alone', async () => {
    const trigger = await givenTrigger({ inputs: { amount: 1, note: '{{ event.headers.from }}' } });
    const headers = { From: 'me', Authorization: 'Bearer live', Cookie: 's=1', 'X-Hub-Signature-256': 'abc' };
    const { deliveryId } = (await stack.post(`${trigger.path}/run`, { headers })).body.data;
    expect((await stack.get(`${trigger.path}/deliveries/${deliveryId}`)).body.data.headers).toEqual({
      from: 'me',
      authorization: '***',
      cookie: '***',
      'x-hub-signature-256': '***',
    });
    for (const field of ['headers', 'query'])
      expect(await stack.post(`${trigger.path}/run`, { [field]: { a: { b: 1 } } })).toMatchObject({
        status: 400,
        body: { details: [{ path: `${field}.a` }] },
      });
    expect(await deliveriesOf(trigger)).toHaveLength(1);
  });

  test('a trigger is listed with its last delivery, changed, and deleted with its address', async () => {
    const trigger = await givenTrigger({ when: 'event.body.amount > 1' });
    const second = await givenTrigger({ workflow: trigger.workflowId });
    await send(trigger, { amount: 1 });
    const { body } = await stack.get(`/api/v1/workflows/${trigger.workflowId}/triggers?limit=1`);
    expect(body.data).toMatchObject([
      { id: trigger.id, lastDelivery: { verdict: 'filtered', executionId: null } },
    ]);
    const next = await stack.get(
      `/api/v1/workflows/${trigger.workflowId}/triggers?limit=1&cursor=${body.nextCursor}`,
    );
    expect(next.body).toMatchObject({ data: [{ id: second.id, lastDelivery: null }], nextCursor: null });
    const changed = await stack.call('PATCH', trigger.path, { when: null, name: 'all' });
    expect(changed.body.data).toMatchObject({
      when: null,
      name: 'all',
      webhook: { scheme: 'github', hasSecret: true },
    });
    expect((await send(trigger, { amount: 1 })).status).toBe(202);
    expect((await stack.call('PATCH', trigger.path, {})).status).toBe(400);
    await stack.call('DELETE', trigger.path);
    expect((await send(trigger, { amount: 1 })).status).toBe(404);
    expect((await stack.get(trigger.path)).status).toBe(404);
  });

  test.each([
    ['a template that cannot be read', { inputs: { a: '{{ event. }}' } }, 'inputs.a'],
    ['a template that reads something else', { inputs: { a: { b: '{{ secrets.KEY }}' } } }, 'inputs.a.b'],
    ['a filter that cannot be read', { when: 'event.body ==' }, 'when'],
    ['a filter that reads something else', { when: 'start.amount > 1' }, 'when'],
    ['a template that reads no member of an event', { inputs: { a: '{{ event.boddy.id }}' } }, 'inputs.a'],
    ['a template that fails for every event', { inputs: { a: '{{ 1/0 }}' } }, 'inputs.a'],
    ['a filter that is a text for every event', { when: '"x"' }, 'when'],
    ['an unknown scheme', { webhook: { scheme: 'md5' } }, 'webhook.scheme'],
    ['a kind that starts nothing', { kind: 'mail' }, 'kind'],
    ['the scheme hmac without a header', { webhook: { scheme: 'hmac' } }, 'webhook.hmac'],
    [
      'a header for another scheme',
      { webhook: { scheme: 'github', hmac: { header: 'X-A' } } },
      'webhook.hmac',
    ],
    [
      'a secret that is no whsec_',
      { webhook: { scheme: 'standard-webhooks' }, secret: 'not in base64!' },
      'secret',
    ],
    ['a secret without use', { webhook: { scheme: 'none' }, secret: 'not of any use' }, 'secret'],
    [
      'a header name with a space',
      { webhook: { scheme: 'none', deliveryIdHeader: 'X A' } },
      'webhook.deliveryIdHeader',
    ],
    ['an unknown field', { url: 'https://example.org' }, 'url'],
  ])('a trigger with %s is refused, and the field is named', async (_, fields, path) => {
    const workflowId = await stack.givenDeployed(pure);
    const body = { kind: 'webhook', name: 'bad', webhook: { scheme: 'none' }, ...fields };
    const refused = await stack.post(`/api/v1/workflows/${workflowId}/triggers`, body);
    expect(refused).toMatchObject({ status: 400, body: { details: [{ path }] } });
    expect((await stack.get(`/api/v1/workflows/${workflowId}/triggers`)).body.data).toEqual([]);
  });

  test('a trigger has a name of its own in its workflow, and a workflow has at most 50', async () => {
    const workflowId = await stack.givenDeployed(pure);
    const make = (name: string) =>
      stack.post(`/api/v1/workflows/${workflowId}/triggers`, {
        kind: 'webhook',
        name,
        webhook: { scheme: 'none' },
      });
    for (let i = 0; i < 50; i++) expect((await make(`hook ${i}`)).status).toBe(201);
    expect((await make('hook 1')).body.code).toBe('TOO_MANY_TRIGGERS');
    const [{ id }] = (await stack.get(`/api/v1/workflows/${workflowId}/triggers?limit=1`)).body.data;
    await stack.call('DELETE', `/api/v1/workflows/${workflowId}/triggers/${id}`);
    expect((await make('hook 1')).body.code).toBe('NAME_TAKEN');
  });

  test('a trigger is changed only by who may write, and another workspace sees none of it', async () => {
    const trigger = await givenTrigger();
    await send(trigger, { amount: 1 });
    const [{ id: deliveryId }] = await deliveriesOf(trigger);
    const viewer = await givenMember(stack, stack.at('vic'), 'viewer');
    const theirs = { 'x-api-key': (await stack.givenWorkspace()).key };
    const list = `/api/v1/workflows/${trigger.workflowId}/triggers`;
    const reads = ['', '/deliveries', `/deliveries/${deliveryId}`].map((path) => trigger.path + path);
    for (const path of [list, ...reads]) {
      expect((await stack.get(path, viewer.headers)).status).toBe(200);
      expect((await stack.get(path, theirs)).status).toBe(404);
    }
    const calls: [string, string, object?][] = [
      ['POST', list, { kind: 'webhook', name: 'x', webhook: { scheme: 'none' } }],
      ['PATCH', trigger.path, { name: 'x' }],
      ['POST', `${trigger.path}/pause`],
      ['POST', `${trigger.path}/resume`],
      ['POST', `${trigger.path}/rotate`, { url: true }],
      ['POST', `${trigger.path}/run`],
      ['POST', `${trigger.path}/deliveries/${deliveryId}/replay`],
      ['POST', `${trigger.path}/deliveries/replay`, { verdict: 'paused' }],
      ['DELETE', trigger.path],
    ];
    for (const [method, path, body] of calls) {
      expect([path, (await stack.call(method, path, body, viewer.headers)).status]).toEqual([path, 403]);
      expect([path, (await stack.call(method, path, body, theirs)).status]).toEqual([path, 404]);
    }
    const other = await stack.givenDeployed(pure);
    const elsewhere = `/api/v1/workflows/${other}/triggers/${trigger.id}`;
    expect((await stack.get(elsewhere)).status).toBe(404);
    expect((await stack.call('DELETE', elsewhere)).status).toBe(404);
    expect((await stack.get(trigger.path)).body.data).toMatchObject({
      status: 'active',
      name: expect.stringMatching(/^hook/),
    });
  });

  test('a trigger leaves an entry in the audit log for each change, and neither token nor secret in any row', async () => {
    const trigger = await givenTrigger();
    await send(trigger, { amount: 1 });
    await stack.post(`${trigger.path}/pause`, { note: 'why' });
    await stack.post(`${trigger.path}/resume`);
    const { data: rotated } = (await stack.post(`${trigger.path}/rotate`, { url: true, secret: true })).body;
    await stack.call('DELETE', trigger.path);
    const { data } = (await stack.get(`/api/v1/audit-logs?resourceId=${trigger.id}`)).body;
    expect(data.map(({ action }: { action: string }) => action).toReversed()).toEqual([
      'trigger.created',
      'trigger.updated',
      'trigger.updated',
      'trigger.updated',
      'trigger.deleted',
    ]);
    const everything = await everyRow();
    const tokens = [trigger.url, new URL(rotated.url).pathname].map((path) => path.replace('/hooks/', ''));
    const secrets = [...tokens, trigger.secret, rotated.secret];
    const lines = [...stack.api.lines, ...stack.worker.lines].join('\n');
    expect(secrets.filter((one) => everything.includes(one) || lines.includes(one))).toEqual([]);
  });

  test('a trigger meets the limits of its principal, and a repetition meets none', async () => {
    const trigger = await givenTrigger();
    const first = await send(trigger, { amount: 1 }, 'first');
    const owner = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
    await owner.connect();
    await owner.query('update rate_buckets set tokens = -1000000 where owner = $1', [stack.home.id]);
    const refused = await send(trigger, { amount: 1 }, 'second');
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_EXCEEDED' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await send(trigger, { amount: 1 }, 'first')).body).toEqual(first.body);
    await owner.query('delete from rate_buckets where owner = $1', [stack.home.id]);
    await owner.end();
    expect(await verdictsOf(trigger)).toEqual(['accepted', 'limited']);
  });
});

/** Every row of every table as text, read as the owner. */
async function everyRow(): Promise<string> {
  const owner = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
  await owner.connect();
  const { rows } = await owner.query(`select tablename from pg_tables where schemaname = 'public'`);
  const contents: string[] = [];
  for (const { tablename } of rows)
    contents.push(JSON.stringify((await owner.query(`select * from ${tablename}`)).rows));
  await owner.end();
  return contents.join('\n');
}
