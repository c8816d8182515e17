import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { approval, pure } from './support/definitions.ts';
import { box, line, respond } from './support/graphs.ts';
import { Receiver } from './support/receiver.ts';
import { type Answer, Stack, until, type Workspace } from './support/stack.ts';

let stack: Stack;
let theirs: Workspace;
let workflow: string;
beforeAll(async () => {
  stack = await Stack.shared();
  theirs = await stack.givenWorkspace();
  workflow = await stack.givenDeployed(pure);
});
afterAll(() => stack.stop());

const small = { size: 'small', amount: 5, note: 'none' };

describe('POST /api/workflows/{workflowId}/execute', () => {
  test('POST /api/workflows/{workflowId}/execute answers a synchronous call with the whole result', async () => {
    const { status, headers, body } = await stack.execute(workflow, { inputs: { amount: 5 } });
    const id = body.executionId;
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      output: small,
      limits: limits(),
      executionId: expect.stringMatching(/^exec_[0-9a-f]{32}$/),
      jobId: id.replace('exec_', 'job_'),
      status: 'completed',
      error: null,
      metadata: {
        executionId: id,
        status: 'completed',
        duration: expect.any(Number),
        startTime: expect.any(String),
        endTime: expect.any(String),
      },
    });
    expect(headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
    expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThan(1_700_000_000);
  });

  test.each([
    ['inputs', { inputs: { amount: 5 } }],
    ['input', { input: { amount: 5 } }],
    ['the top level, control names left out', { amount: 5, stream: false, selectedOutputs: [] }],
    ['inputs before the rest', { inputs: { amount: 5 }, amount: 7 }],
  ])('POST /api/workflows/{workflowId}/execute takes its inputs from %s', async (_, body) => {
    expect((await stack.execute(workflow, body)).body.output).toEqual(small);
  });

  test('POST /api/workflows/{workflowId}/execute?body=inputs takes the whole body as inputs, whatever its members are called', async () => {
    const names = ['event', 'input', 'inputs', 'stream', 'async', 'selectedOutputs', 'callbackUrl'];
    const id = await stack.givenDeployed({
      start: { inputs: Object.fromEntries(names.map((name) => [name, { type: 'json' }])) },
      ...line(respond(Object.fromEntries(names.map((name) => [name, `{{ start.${name} }}`])))),
    });
    const event = {
      event: 'shipped',
      input: { id: 1 },
      inputs: { id: 2 },
      stream: { name: 'orders' },
      async: 'no',
      selectedOutputs: 3,
      callbackUrl: [],
    };
    const path = `/api/workflows/${id}/execute?body=inputs`;
    const headers = { 'idempotency-key': `whole-${id}` };
    const whole = await stack.call('POST', path, event, headers);
    expect(whole.body.output).toEqual(event);
    expect((await stack.call('POST', path, event, headers)).body.executionId).toBe(whole.body.executionId);
    // Without the query the same key and body are another call.
    const other = await stack.call('POST', path.replace('?body=inputs', ''), { inputs: event }, headers);
    expect(other.body.executionId).not.toBe(whole.body.executionId);
    expect((await stack.call('POST', path, event, { prefer: 'respond-async' })).status).toBe(202);
    for (const [query, body, wrong] of [
      ['body=all', event, 'body'],
      ['body=inputs&body=inputs', event, 'body'],
      ['body=inputs', [event], ''],
    ] as const) {
      const refused = await stack.call('POST', path.replace('body=inputs', query), body);
      expect([refused.status, refused.body.details[0].path]).toEqual([400, wrong]);
    }
  });

  test.each(['Application/JSON', 'application/cloudevents+json; charset=UTF-8', 'text/json'])(
    'POST /api/workflows/{workflowId}/execute reads a body of the type %s',
    async (type) => {
      const answer = await stack.execute(workflow, { amount: 5 }, { 'content-type': type });
      expect(answer.body.output).toEqual(small);
    },
  );

  test('POST /api/workflows/{workflowId}/execute keeps an input that is named input and is no object', async () => {
    const echo = await stack.givenDeployed({
      start: { inputs: { input: { type: 'string' } } },
      blocks: [{ id: 'echo', type: 'response', params: { data: '{{ start.input }}' } }],
      edges: [{ from: 'start', to: 'echo' }],
    });
    expect((await stack.execute(echo, { input: 'hello' })).body.output).toBe('hello');
  });

  test('POST /api/workflows/{workflowId}/execute runs without a body when nothing is required', async () => {
    const constant = await stack.givenDeployed({
      blocks: [{ id: 'end', type: 'response', params: { data: 1 } }],
      edges: [{ from: 'start', to: 'end' }],
    });
    expect((await stack.execute(constant)).body.output).toBe(1);
  });

  test.each([
    ['body async', { async: true }, {}],
    ['X-Execution-Mode', {}, { 'x-execution-mode': 'async' }],
    ['Prefer: respond-async', {}, { prefer: 'respond-async' }],
  ])(
    'POST /api/workflows/{workflowId}/execute answers at once with a job when asked by %s',
    async (_, body, headers) => {
      const { status, body: ack } = await stack.execute(
        workflow,
        { inputs: { amount: 5 }, ...body },
        headers,
      );
      expect(status).toBe(202);
      expect(ack).toEqual({
        success: true,
        async: true,
        jobId: expect.stringMatching(/^job_/),
        taskId: ack.jobId,
        executionId: ack.jobId.replace('job_', 'exec_'),
        status: 'queued',
        statusUrl: expect.stringMatching(new RegExp(`^http.*/api/jobs/${ack.jobId}$`)),
        links: { status: ack.statusUrl },
        message: expect.any(String),
        createdAt: expect.any(String),
        limits: limits(),
      });
      const job = (await stack.get(`/api/jobs/${ack.jobId}?wait=60`)).body;
      expect(job).toEqual({
        success: true,
        taskId: ack.jobId,
        jobId: ack.jobId,
        executionId: ack.executionId,
        status: 'completed',
        output: small,
        metadata: {
          createdAt: expect.any(String),
          startedAt: expect.any(String),
          completedAt: expect.any(String),
          duration: expect.any(Number),
        },
      });
    },
  );

  test('POST /api/workflows/{workflowId}/execute debits the bucket of the kind of call', async () => {
    const before = (await stack.get('/api/users/me/usage-limits')).body.rateLimit;
    await Promise.all([1, 2, 3].map(() => stack.execute(workflow, { inputs: { amount: 1 }, async: true })));
    const after = (await stack.get('/api/users/me/usage-limits')).body.rateLimit;
    expect(before.async.isLimited).toBe(false);
    expect(after.async.limit).toBe(after.async.requestsPerMinute);
    expect(after.async.remaining).toBeLessThanOrEqual(before.async.maxBurst);
  });

  test('POST /api/workflows/{workflowId}/execute goes on as a job past the wait bound', async () => {
    let release = () => {};
    const receiver = await Receiver.start((_, response) => (release = () => void response.end('"late"')));
    const waiting = await stack.givenDeployed({
      blocks: [
        { id: 'call', type: 'http', params: { url: receiver.url() } },
        { id: 'end', type: 'response', params: { data: '{{ call.data }}' } },
      ],
      edges: [
        { from: 'start', to: 'call' },
        { from: 'call', to: 'end' },
      ],
    });
    const { status, body } = await stack.execute(waiting, {}, { prefer: 'wait=1' });
    expect([status, body.async]).toEqual([202, true]);
    await until(
      async () => receiver.received.length,
      (count) => count === 1,
    );
    const job = await until(
      () => stack.get(`/api/jobs/${body.jobId}`),
      (answer) => answer.body.status !== 'queued',
    );
    expect(job.body.status).toBe('processing');
    release();
    expect((await stack.get(`/api/jobs/${body.jobId}?wait=60`)).body.output).toBe('late');
    receiver.stop();
  });

  test('POST /api/workflows/{workflowId}/execute answers a failed run with 200, the sentence in error and the object in failure', async () => {
    const failing = await stack.givenDeployed({
      blocks: [
        { id: 'boom', name: 'The boom', type: 'function', params: { code: 'throw new Error("no luck")' } },
      ],
      edges: [{ from: 'start', to: 'boom' }],
    });
    const { status, body } = await stack.execute(failing);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: false,
      status: 'failed',
      error: expect.stringContaining('no luck'),
      failure: { code: 'CODE_THREW', message: body.error, blockId: 'boom', blockName: 'The boom' },
    });
    expect((await stack.get(`/api/jobs/${body.jobId}`)).body).toMatchObject({
      status: 'failed',
      failure: { code: 'CODE_THREW' },
    });
  });

  test('POST /api/workflows/{workflowId}/execute gives the bare answer of a Response block when raw is asked for', async () => {
    const teapot = await stack.givenDeployed({
      blocks: [
        {
          id: 'end',
          type: 'response',
          params: { status: 418, headers: { 'X-Tea': 'green' }, data: { tea: true } },
        },
      ],
      edges: [{ from: 'start', to: 'end' }],
    });
    expect((await stack.execute(teapot)).body.output).toEqual({ tea: true });
    const raw = await stack.execute(teapot, {}, { 'x-response-mode': 'raw' });
    expect([raw.status, raw.headers.get('x-tea'), raw.body]).toEqual([418, 'green', { tea: true }]);
  });

  test('POST /api/workflows/{workflowId}/execute keeps back the headers of a raw answer that act on a browser, a proxy or the service', async () => {
    const kept = { 'X-Mine': '1', 'Cache-Control': 'max-age=5', 'Content-Language': 'de', ETag: '"a"' };
    const dropped = {
      'Clear-Site-Data': '"*"',
      Refresh: '0; url=https://evil.example',
      Location: 'https://evil.example',
      'Service-Worker-Allowed': '/',
      Link: '</x>; rel=preload',
      'Alt-Svc': 'h3=":443"',
      'Set-Cookie': 'a=b',
      'Access-Control-Allow-Origin': '*',
      'WWW-Authenticate': 'Basic',
      NEL: '{}',
      'X-Accel-Redirect': '/internal',
      'X-Request-Id': 'forged',
      'X-RateLimit-Remaining': '999',
    };
    const params = { raw: true, headers: { ...kept, ...dropped }, data: 1 };
    const id = await stack.givenDeployed({
      blocks: [{ id: 'end', type: 'response', params }],
      edges: [{ from: 'start', to: 'end' }],
    });
    const { headers } = await stack.execute(id);
    for (const [name, value] of Object.entries(kept))
      expect([name, headers.get(name)]).toEqual([name, value]);
    for (const [name, value] of Object.entries(dropped))
      expect([name, headers.get(name)]).not.toEqual([name, value]);
  });

  test('POST execute streams the states of a run to a caller that accepts events', async () => {
    const { status, body, headers } = await stack.execute(
      workflow,
      { inputs: { amount: 5 }, stream: true },
      { accept: 'text/event-stream' },
    );
    expect([status, headers.get('x-accel-buffering')]).toEqual([200, 'no']);
    const last = body.trim().split('\n\n').at(-1);
    expect(last).toContain('event: done');
    expect(last).toContain('"status":"completed"');
  });

  test('POST /api/workflows/{workflowId}/execute stores inputs of very many members as one value, and reads single ones', async () => {
    const one = await stack.givenDeployed({
      start: { inputs: { label: { type: 'string', default: 'none' } } },
      blocks: [
        {
          id: 'end',
          type: 'response',
          params: { data: { label: '{{ start.label }}', last: '{{ start.m199999 }}' } },
        },
      ],
      edges: [{ from: 'start', to: 'end' }],
    });
    const inputs = Object.fromEntries(Array.from({ length: 200_000 }, (_, n) => [`m${n}`, n]));
    const { body } = await stack.execute(one, { inputs });
    expect(body.output).toEqual({ label: 'none', last: 199_999 });
    const client = new pg.Client({ connectionString: stack.env.DATABASE_URL });
    await client.connect();
    const { rows } = await client.query(
      `select count(*)::int as stored, max(bytes) as largest from payloads where execution_id = $1`,
      [body.executionId],
    );
    await client.end();
    expect(rows).toEqual([{ stored: 1, largest: JSON.stringify({ ...inputs, label: 'none' }).length }]);
  });

  test('POST /api/workflows/{workflowId}/execute carries inputs and outputs of megabytes', async () => {
    const sizes = await stack.givenDeployed({
      start: { inputs: { items: { type: 'array', required: true }, label: { type: 'string' } } },
      blocks: [
        {
          id: 'work',
          type: 'function',
          params: {
            code: 'return { count: input.items.length, items: input.items }',
            input: { items: '{{ start.items }}' },
          },
        },
        {
          id: 'end',
          type: 'response',
          params: {
            data: {
              label: '{{ start.label }}',
              count: '{{ work.count }}',
              last: '{{ work.items[work.count - 1] }}',
            },
          },
        },
      ],
      edges: [
        { from: 'start', to: 'work' },
        { from: 'work', to: 'end' },
      ],
    });
    const items = Array.from({ length: 3000 }, (_, n) => ({ n, text: 'x'.repeat(1000) }));
    const { body } = await stack.execute(sizes, { inputs: { items, label: 'big' } });
    expect(body).toMatchObject({
      status: 'completed',
      output: { label: 'big', count: 3000, last: { n: 2999 } },
    });
  });

  test('POST /api/workflows/{workflowId}/execute treats a value that looks like a stored reference as data of the caller', async () => {
    const echo = await stack.givenDeployed({
      blocks: [{ id: 'end', type: 'response', params: { data: '{{ start.thing }}' } }],
      edges: [{ from: 'start', to: 'end' }],
    });
    const thing = { $payload: 'pay_00000000000000000000000000000000', bytes: 1, preview: '' };
    expect((await stack.execute(echo, { inputs: { thing } })).body.output).toEqual(thing);
  });

  test('POST /api/workflows/{workflowId}/execute runs over a list whose items look like stored references', async () => {
    const over = { forEach: ['{{ {"$payload": start.name} }}', 'y'], collect: '{{ loop.item }}' };
    const rest = { id: 'rest', type: 'wait', params: { duration: 0 } };
    const each = await stack.givenDeployed(
      line(box('each', 'loop', over, rest), respond('{{ each.results }}')),
    );
    const { body } = await stack.execute(each, { inputs: { name: 'pay_1' } });
    expect(body.output).toEqual([{ $payload: 'pay_1' }, 'y']);
  });
});

describe('Idempotency-Key on execute', () => {
  test('Idempotency-Key on execute replays the stored answer and runs once', async () => {
    const key = { 'idempotency-key': 'order-1' };
    const first = await stack.execute(workflow, { inputs: { amount: 5 } }, key);
    const again = await stack.execute(workflow, { inputs: { amount: 5 } }, key);
    expect(again.body).toEqual(first.body);
    expect([first.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')]).toEqual([
      null,
      'true',
    ]);
  });

  test('Idempotency-Key on execute refuses another body under the same key, and changes nothing', async () => {
    const key = { 'idempotency-key': 'order-2' };
    await stack.execute(workflow, { inputs: { amount: 5 } }, key);
    const other = await stack.execute(workflow, { inputs: { amount: 6 } }, key);
    expect(other).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
  });

  test('Idempotency-Key on execute refuses another caller under the same key, with every body', async () => {
    const mine = { 'idempotency-key': 'order-7' };
    await stack.execute(workflow, { inputs: { amount: 5 } }, mine);
    const theirCall = { ...mine, 'x-api-key': stack.personalKey };
    expect(await stack.execute(workflow, { inputs: { amount: 5 } }, theirCall)).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
  });

  test('Idempotency-Key on execute refuses two keys in one call', async () => {
    const { hostname, port } = new URL(stack.url);
    const call = httpRequest({
      host: hostname,
      port,
      method: 'POST',
      path: `/api/workflows/${workflow}/execute`,
      headers: { 'x-api-key': stack.home.key, 'content-length': 0, 'idempotency-key': ['a', 'b'] },
    });
    call.end();
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    const { details } = JSON.parse(await text(response));
    expect([response.statusCode, details]).toEqual([
      400,
      [{ path: 'Idempotency-Key', message: 'must be sent once', code: 'repeated' }],
    ]);
  });

  test('Idempotency-Key on execute repeats a raw answer with its status, headers and body', async () => {
    const params = { status: 201, headers: { 'X-Mine': '1' }, raw: true, data: { n: 1 } };
    const raw = await stack.givenDeployed({
      blocks: [{ id: 'end', type: 'response', params }],
      edges: [{ from: 'start', to: 'end' }],
    });
    const key = { 'idempotency-key': 'raw' };
    const first = await stack.execute(raw, {}, key);
    const again = await stack.execute(raw, {}, key);
    const seen = [first, again].map(({ status, headers, body }) => [status, headers.get('x-mine'), body]);
    expect(seen).toEqual([
      [201, '1', { n: 1 }],
      [201, '1', { n: 1 }],
    ]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  test('Idempotency-Key on execute repeats a stream with a stream of the same execution', async () => {
    const headers = { 'idempotency-key': 'stream', accept: 'text/event-stream' };
    const call = () => stack.execute(workflow, { inputs: { amount: 5 }, stream: true }, headers);
    const [first, again] = [await call(), await call()];
    const idOf = ({ body }: Answer) => /"executionId":"(\w+)"/.exec(body)?.[1];
    expect([again.status, again.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    expect(again.body).toContain('event: done');
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(idOf(again)).toBe(idOf(first));
  });

  test('Idempotency-Key on execute makes one execution of fifty calls at once', async () => {
    const key = { 'idempotency-key': 'order-3' };
    const body = { inputs: { amount: 5 }, async: true };
    const answers = await Promise.all(Array.from({ length: 50 }, () => stack.execute(workflow, body, key)));
    const accepted = answers.filter(({ status }) => status === 202);
    const refused = answers.filter(({ status }) => status === 409);
    expect(accepted.length).toBeGreaterThan(0);
    expect(accepted.length + refused.length).toBe(50);
    expect(new Set(accepted.map(({ body: ack }) => ack.executionId)).size).toBe(1);
  });

  test('Idempotency-Key on execute frees the key of a refused request', async () => {
    const key = { 'idempotency-key': 'order-4' };
    expect((await stack.execute(workflow, { inputs: {} }, key)).status).toBe(400);
    expect((await stack.execute(workflow, { inputs: { amount: 5 } }, key)).status).toBe(200);
  });
});

describe('GET /api/workflows/{workflowId}/executions/{executionId}', () => {
  test('GET /api/workflows/{workflowId}/executions/{executionId} shows the run with its block log', async () => {
    const { body } = await stack.execute(workflow, { inputs: { amount: 5 } });
    const detail = await stack.get(`/api/workflows/${workflow}/executions/${body.executionId}`);
    expect(detail).toMatchObject({
      status: 200,
      body: {
        executionId: body.executionId,
        version: 1,
        status: 'completed',
        inputs: { amount: 5, note: 'none' },
        output: small,
        error: null,
      },
    });
    const log = detail.body.blocks.map((block: { blockId: string; status: string; port: string | null }) => [
      block.blockId,
      block.status,
      block.port,
    ]);
    expect(log).toEqual(
      expect.arrayContaining([
        ['check', 'completed', 'else'],
        ['large', 'skipped', null],
        ['small', 'completed', null],
      ]),
    );
  });

  test('GET /api/workflows/{workflowId}/executions/{executionId} hides a run from another workspace, and from another workflow of its workspace', async () => {
    const { body } = await stack.execute(workflow, { inputs: { amount: 5 } });
    const other = await stack.givenDeployed(pure);
    const path = `/api/workflows/${workflow}/executions/${body.executionId}`;
    const absent = await stack.get(path.replace(/.$/, (c) => (c === '0' ? '1' : '0')));
    const foreign = await stack.get(path, { 'x-api-key': theirs.key });
    expect(foreign.status).toBe(404);
    expect({ ...foreign.body, requestId: '' }).toEqual({
      error: expect.any(String),
      code: 'NOT_FOUND',
      requestId: '',
    });
    expect(absent.status).toBe(404);
    expect((await stack.get(path.replace(workflow, other))).status).toBe(404);
    expect((await stack.get(`/api/jobs/${body.jobId}`, { 'x-api-key': theirs.key })).status).toBe(404);
  });
});

describe('POST /api/workflows/{workflowId}/executions/{executionId}/cancel', () => {
  test('POST /api/workflows/{workflowId}/executions/{executionId}/cancel ends a run that waits for a person, and its pause with it', async () => {
    const asking = await stack.givenDeployed(approval);
    const { executionId, apiUrl } = await stack.givenPaused(asking);
    const path = `/api/workflows/${asking}/executions/${executionId}`;
    expect((await stack.post(`${path}/cancel`)).status).toBe(202);
    const { body } = await until(
      () => stack.get(path),
      (answer) => answer.body.status === 'cancelled',
    );
    expect(body).toMatchObject({ status: 'cancelled', failure: { code: 'CANCELLED' }, paused: null });
    expect(await stack.post(apiUrl, { input: { approved: true } })).toMatchObject({
      status: 409,
      body: { code: 'PAUSE_CANCELLED' },
    });
    const paused = await stack.get(`/api/resume/${asking}/${executionId}`);
    expect(paused.body).toMatchObject({ status: 'cancelled', pausePoints: [{ resumeStatus: 'cancelled' }] });
    expect((await stack.post(`${path}/cancel`)).status).toBe(202);
  });

  test('POST /api/workflows/{workflowId}/executions/{executionId}/cancel ends a run in the middle of a call', async () => {
    const hung = await Receiver.start(() => undefined);
    const calling = await stack.givenDeployed({
      blocks: [{ id: 'call', type: 'http', params: { url: hung.url() } }],
      edges: [{ from: 'start', to: 'call' }],
    });
    const { body } = await stack.execute(calling, { async: true });
    const path = `/api/workflows/${calling}/executions/${body.executionId}`;
    await until(
      () => stack.get(path),
      (answer) => answer.body.blocks[0]?.status === 'running',
    );
    await stack.post(`${path}/cancel`);
    const ended = await until(
      () => stack.get(path),
      (answer) => answer.body.status === 'cancelled',
    );
    expect(ended.body.blocks).toMatchObject([{ blockId: 'call', status: 'cancelled' }]);
    hung.stop();
  });

  test('POST /api/workflows/{workflowId}/executions/{executionId}/cancel refuses to cancel an execution that has ended', async () => {
    const { body } = await stack.execute(workflow, { inputs: { amount: 5 } });
    const answer = await stack.post(`/api/workflows/${workflow}/executions/${body.executionId}/cancel`);
    expect(answer).toMatchObject({ status: 409, body: { code: 'EXECUTION_FINISHED' } });
  });
});

function limits() {
  const bucket = {
    requestsPerMinute: 12_000,
    maxBurst: 24_000,
    remaining: expect.any(Number),
    resetAt: expect.any(String),
  };
  return {
    workflowExecutionRateLimit: { sync: bucket, async: bucket },
    usage: { currentPeriodCost: 0, limit: 1_000_000, plan: 'self_hosted', isExceeded: false },
  };
}
