import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Webhook } from 'standardwebhooks';
import { type Received, Receiver } from './support/receiver.ts';
import { Stack, until } from './support/stack.ts';
import { ToolServer } from './support/tools.ts';
import { testInWhole } from '#libs/platform/settings/support/whole';

const signingSecret = `whsec_${Buffer.from('a key of the tests, of 32 bytes!').toString('base64')}`;
const token = 'token-canary-never-to-be-seen';
let stack: Stack;
beforeAll(async () => {
  // Of its own, because it kills the worker.
  stack = await Stack.start({ ROLES: 'api' });
  for (const [name, value] of Object.entries({ SIGNING: signingSecret, TOKEN: token }))
    await stack.call('PUT', `/api/v1/workspaces/${stack.home.id}/secrets/${name}`, { value });
});
afterAll(() => stack.stop());

const one = (type: string, params: object, more: object = {}) => ({
  start: { inputs: { n: { type: 'number', default: 7 } } },
  blocks: [{ id: 'work', type, params, ...more }],
  edges: [{ from: 'start', to: 'work' }],
});
const run = async (definition: object) => {
  const workflow = await stack.givenDeployed(definition);
  return { workflow, ...(await stack.execute(workflow)).body };
};
const retry = { retry: { maxAttempts: 3, initialDelay: 0.1 } };

/** All that can be read of a run afterwards, by its caller and by an operator. */
async function traces({ workflow, ...body }: { workflow: string; executionId: string }): Promise<string> {
  const detail = await stack.get(`/api/workflows/${workflow}/executions/${body.executionId}`);
  const history = await (await stack.temporal()).workflow.getHandle(body.executionId).fetchHistory();
  const payloads = Buffer.from(JSON.stringify(history)).toString('latin1');
  return [body, detail.body, historyToJSON(history), payloads, stack.api.lines, stack.worker.lines]
    .map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))
    .join('\n');
}

describe('webhook block', () => {
  const delivery = (url: string, more: object = {}) => ({
    url,
    event: 'order.paid',
    data: { order: '{{ start.n }}' },
    secret: '{{ secrets.SIGNING }}',
    ...more,
  });
  const verified = ({ body, headers }: Received): unknown =>
    new Webhook(signingSecret).verify(body, headers as Record<string, string>);

  test('a webhook block delivers an event that a receiver verifies by Standard Webhooks', async () => {
    const receiver = await Receiver.start((_, response) => void response.end('{"taken":true}'));
    const headers = { 'x-tenant': 'blue', 'Webhook-Id': 'forged' };
    const body = await run(one('webhook', delivery(receiver.url('/hook'), { headers })));
    expect(body.output).toMatchObject({ status: 200, data: { taken: true } });
    const [taken] = receiver.received;
    if (!taken) throw new Error('nothing was delivered');
    expect(verified(taken)).toEqual({ type: 'order.paid', data: { order: 7 } });
    expect(taken.headers).toMatchObject({ 'x-tenant': 'blue', 'webhook-id': body.output.id });
    expect(() => verified({ ...taken, body: taken.body.replace('7', '8') })).toThrow();
    expect(await traces(body)).not.toContain(signingSecret.slice(6));
    receiver.stop();
  });

  test('a webhook block repeats a delivery that was refused with the same id and body, newly signed', async () => {
    const receiver = await Receiver.start((_, response) => {
      response.statusCode = receiver.received.length < 3 ? 503 : 204;
      response.end();
    });
    const body = await run(one('webhook', delivery(receiver.url()), retry));
    expect(body).toMatchObject({ status: 'completed', output: { status: 204 } });
    expect(receiver.received.map(verified)).toHaveLength(3);
    const sent = receiver.received.map(({ headers, body: text }) => `${headers['webhook-id']} ${text}`);
    expect(new Set(sent).size).toBe(1);
    receiver.stop();
  });

  test('a webhook block fails for JSON that is none where an expression reads it, and else has delivered', async () => {
    const receiver = await Receiver.start((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(`OK for ${token}`);
    });
    const secrets = { headers: { authorization: '{{ secrets.TOKEN }}' } };
    const unread = await run(one('webhook', delivery(receiver.url(), secrets)));
    expect(unread.output).toMatchObject({ status: 200, data: 'OK for [secret]' });
    const reading = one('webhook', delivery(receiver.url(), secrets));
    reading.blocks.push({ id: 'end', type: 'response', params: { data: '{{ work.data.price }}' } });
    reading.edges.push({ from: 'work', to: 'end' });
    const { failure } = await run(reading);
    expect(failure).toMatchObject({ code: 'RESPONSE_INVALID', blockId: 'work' });
    expect(failure.message).toMatch(/It begins: OK for \[secret\]$/);
    expect(receiver.received).toHaveLength(2);
    receiver.stop();
  });

  test('a webhook block does not follow a redirect, and refuses an invalid secret', async () => {
    const receiver = await Receiver.start((_, response) =>
      response.writeHead(307, { location: '/else' }).end(),
    );
    const moved = await run(one('webhook', delivery(receiver.url())));
    expect(moved.failure).toMatchObject({ code: 'HTTP_307', blockId: 'work' });
    const unsigned = await run(one('webhook', delivery(receiver.url(), { secret: '{{ secrets.TOKEN }}' })));
    expect(unsigned.failure).toMatchObject({ code: 'INVALID_VALUE' });
    expect(receiver.received.map(({ path }) => path)).toEqual(['/']);
    receiver.stop();
  });
});

describe('mcp block', () => {
  const calling = (server: ToolServer, more: object = {}) => ({
    url: server.url,
    tool: 'add',
    arguments: { a: '{{ start.n }}', b: 35 },
    headers: { authorization: 'Bearer {{ secrets.TOKEN }}' },
    ...more,
  });
  const adding = (_: string, { a, b }: Record<string, unknown>) => ({
    content: [{ type: 'text' as const, text: `the sum, for ${token}` }],
    structuredContent: { sum: Number(a) + Number(b) },
  });

  test.each([
    ['an event stream', false],
    ['JSON', true],
  ])(
    'an mcp block calls a tool of a server that answers with %s, and closes the session',
    async (_, json) => {
      const server = await ToolServer.start(adding, { json });
      const url = `${server.url}?key='a'%2f+b`;
      const body = await run(one('mcp', calling(server, { url })));
      expect(new Set(server.requests.map(({ path }) => path))).toEqual(new Set(["/mcp?key='a'%2f+b"]));
      expect(body.output).toEqual({
        content: [{ type: 'text', text: 'the sum, for [secret]' }],
        structuredContent: { sum: 42 },
      });
      expect(new Set(server.requests.map(({ headers }) => headers.authorization))).toEqual(
        new Set([`Bearer ${token}`]),
      );
      expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST', 'DELETE']);
      expect([server.called, server.openSessions]).toEqual([['add'], 0]);
      expect(await traces(body)).not.toContain(token);
      server.stop();
    },
  );

  test('an mcp block fails for an answer with more members and items than a client library may read here', async () => {
    const structuredContent = { sums: Array(100_001).fill(1) };
    const server = await ToolServer.start(() => ({ content: [], structuredContent }));
    const { failure } = await run(one('mcp', calling(server)));
    expect(failure).toMatchObject({ code: 'RESPONSE_TOO_LARGE', message: expect.stringContaining('100000') });
    server.stop();
  });

  test('an mcp block fails with the message of the tool, and repeats the call only for a harmless tool', async () => {
    const server = await ToolServer.start(() => ({
      isError: true,
      content: [{ type: 'text', text: 'out of stock' }],
    }));
    const once = await run(one('mcp', calling(server), retry));
    expect(once.failure).toMatchObject({
      code: 'MCP_TOOL_FAILED',
      message: 'The tool add failed: out of stock',
      blockId: 'work',
    });
    expect(server.called).toHaveLength(1);
    await run(one('mcp', calling(server, { idempotent: true }), retry));
    expect(server.called).toHaveLength(4);
    server.stop();
  });

  test('an mcp block has different codes for a protocol error, a refused request, another kind of server and a forbidden one', async () => {
    const server = await ToolServer.start(() => {
      throw new Error('no such tool');
    });
    expect((await run(one('mcp', calling(server)))).failure).toMatchObject({ code: 'MCP_ERROR' });
    server.gate = (_, response) => Boolean(response.writeHead(401).end('who are you'));
    expect((await run(one('mcp', calling(server)))).failure).toMatchObject({ code: 'HTTP_401' });
    server.gate = (_, response) =>
      Boolean(response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello'));
    const page = (await run(one('mcp', calling(server)))).failure;
    expect(page).toMatchObject({
      code: 'RESPONSE_INVALID',
      message: expect.stringMatching(/begins: <p>hello$/),
    });
    server.gate = (request, response) =>
      request.method === 'POST' &&
      Boolean(
        response.writeHead(200, { 'content-type': 'application/json' }).end(`{"a": NaN, "b": "${token}"}`),
      );
    const none = (await run(one('mcp', calling(server)))).failure;
    expect(none).toMatchObject({
      code: 'RESPONSE_INVALID',
      message: expect.stringMatching(/begins: \{"a": NaN, "b": "\[secret\]"\}$/),
    });
    const inside = await run(one('mcp', calling(server, { url: 'http://169.254.169.254/mcp' })));
    expect(inside.failure).toMatchObject({ code: 'EGRESS_REFUSED' });
    server.stop();
  });

  test('an mcp block tries again when the session could not be opened: the tool was not called yet', async () => {
    const server = await ToolServer.start(adding);
    let refusals = 0;
    server.gate = (_, response) => {
      if (refusals > 0) return false;
      refusals += 1;
      response.writeHead(503, { 'retry-after': '1' }).end();
      return true;
    };
    const begun = performance.now();
    expect((await run(one('mcp', calling(server), retry))).status).toBe('completed');
    expect(performance.now() - begun).toBeGreaterThan(1000);
    expect(server.called).toEqual(['add']);
    server.stop();
  });

  test('an mcp block fails at its time-out', async () => {
    const server = await ToolServer.start(() => new Promise(() => undefined));
    const body = await run(one('mcp', calling(server), { timeout: 'PT1S' }));
    expect(body.failure).toMatchObject({ code: 'TIMEOUT', blockId: 'work' });
    server.stop();
  });
});

describe('worker killed with SIGKILL', () => {
  testInWhole(
    'a worker killed with SIGKILL during a webhook sends it again with its id, and during a tool call does not call again',
    async () => {
      const state = { hold: true };
      const receiver = await Receiver.start((_, response) => {
        if (!state.hold) response.end('{}');
      });
      const tools = await ToolServer.start(() => new Promise(() => undefined));
      const params = { url: receiver.url(), event: 'a.b', secret: '{{ secrets.SIGNING }}' };
      const [sending, calling] = await Promise.all([
        stack.givenDeployed(one('webhook', params)),
        stack.givenDeployed(one('mcp', { url: tools.url, tool: 'pay' })),
      ]);
      const jobs = await Promise.all([
        stack.execute(sending, { async: true }),
        stack.execute(calling, { async: true }),
      ]);
      await until(
        async () => [receiver.received.length, tools.called.length],
        ([sent, called]) => sent === 1 && called === 1,
      );
      await stack.worker.kill();
      state.hold = false;
      await stack.startWorker();
      const [sent, called] = await Promise.all(
        jobs.map(({ body }) => stack.get(`/api/jobs/${body.jobId}?wait=60`)),
      );
      expect(sent?.body).toMatchObject({ status: 'completed' });
      expect(called?.body).toMatchObject({ status: 'failed', failure: { code: 'OUTCOME_UNKNOWN' } });
      const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
      expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
      expect(tools.called).toEqual(['pay']);
      receiver.stop();
      tools.stop();
    },
  );
});

describe('slow calls of one workspace', () => {
  test('slow calls of one workspace leave slots for another workspace, and all end', async () => {
    const held: (() => void)[] = [];
    const receiver = await Receiver.start(({ path }, response) => {
      if (path === '/slow') held.push(() => response.end('{}'));
      else response.end('{}');
    });
    const call = (path: string) =>
      one('http', { method: 'GET', url: receiver.url(path) }, { timeout: 'PT10M' });
    const slow = await stack.givenDeployed(call('/slow'));
    // A workspace may take all 50 slots, but none of the slots that are kept for others.
    const started = await Promise.all(Array.from({ length: 70 }, () => stack.execute(slow, { async: true })));
    await until(
      async () => held.length,
      (count) => count >= 50,
    );
    const other = await stack.givenWorkspace('quick');
    const headers = { 'x-api-key': other.key };
    const quick = await stack.givenDeployed(call('/quick'), headers);
    expect((await stack.execute(quick, {}, headers)).body.status).toBe('completed');
    expect(held).toHaveLength(50);
    for (const { body } of started)
      await until(
        async () => {
          for (const end of held.splice(0)) end();
          return stack.get(`/api/jobs/${body.jobId}`);
        },
        (answer) => answer.body.status === 'completed',
      );
    receiver.stop();
  });
});
