import { block, line, respond } from './support/graphs.ts';
import { Receiver } from './support/receiver.ts';
import { Stack, until } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.shared();
});
afterAll(() => stack.stop());

const code = (source: string, more: object = {}) => ({
  blocks: [{ id: 'work', type: 'function', params: { code: source }, ...more }],
  edges: [{ from: 'start', to: 'work' }],
});
const call = (params: object, more: object = {}) => ({
  blocks: [{ id: 'call', type: 'http', params, ...more }],
  edges: [{ from: 'start', to: 'call' }],
});
const run = async (definition: object) => (await stack.execute(await stack.givenDeployed(definition))).body;

describe('function block', () => {
  test.each([
    ['an endless loop', 'for (;;);', 'CODE_TIMEOUT', 'PT1S'],
    [
      'a loop that no interrupt reaches',
      'const a = []; a.length = 4294967295; return a.indexOf(1)',
      'CODE_TIMEOUT',
      'PT1S',
    ],
    ['a memory bomb', 'const a = []; for (;;) a.push(new Array(10000).fill(a.length))', 'CODE_OUT_OF_MEMORY'],
    ['text that is no program', 'return (', 'CODE_SYNTAX'],
    ['an output that is no JSON', 'const a = {}; a.a = a; return a', 'CODE_OUTPUT_INVALID'],
  ])(
    'a function block with %s fails its run with a code, and the worker goes on',
    async (_, source, failure, timeout = 'PT30S') => {
      const body = await run(code(source, { timeout }));
      expect(body).toMatchObject({ status: 'failed', failure: { code: failure, blockId: 'work' } });
      expect((await run(code('return 1 + 1'))).output).toBe(2);
    },
  );

  test('a function block of a workspace ends while another workspace has more endless functions than places', async () => {
    const other = await stack.givenWorkspace('hostile');
    const hostile = { 'x-api-key': other.key };
    const workflowId = await stack.givenDeployed(code('for (;;);', { timeout: 'PT1M' }), hostile);
    const endless = await Promise.all(
      Array.from({ length: 8 }, () => stack.execute(workflowId, { async: true }, hostile)),
    );
    for (let round = 0; round < 3; round++) expect(await run(code('return 1'))).toMatchObject({ output: 1 });
    for (const { body } of endless) {
      const path = `/api/workflows/${workflowId}/executions/${body.executionId}/cancel`;
      expect((await stack.post(path, {}, hostile)).status).toBe(202);
    }
  });

  test('a function block cannot reach the host', async () => {
    const source =
      'return [typeof process, typeof require, typeof fetch, typeof globalThis.constructor.constructor("return this")().process]';
    expect((await run(code(source))).output).toEqual(['undefined', 'undefined', 'undefined', 'undefined']);
  });
});

describe('http block', () => {
  test('an http block sends the request of its parameters, and outputs status, headers and data', async () => {
    const receiver = await Receiver.start((_, response) => void response.end('{"hello":"you"}'));
    const params = {
      method: 'POST',
      url: receiver.url('/a'),
      query: { q: 'x y' },
      headers: { 'X-Own': 'yes' },
      body: { n: 1 },
    };
    const body = await run(call(params));
    expect(body.output).toMatchObject({
      status: 200,
      data: { hello: 'you' },
      headers: { 'content-type': 'application/json' },
    });
    expect(receiver.received).toMatchObject([
      {
        path: '/a?q=x+y',
        body: '{"n":1}',
        headers: { 'x-own': 'yes', 'idempotency-key': `${body.executionId}/call` },
      },
    ]);
    receiver.stop();
  });

  test('an http block sends an object as a form, and leaves the query of its address as it is', async () => {
    const receiver = await Receiver.start((_, response) => void response.end('{}'));
    const type = 'application/x-www-form-urlencoded; charset=utf-8';
    const headers = { 'Content-Type': type };
    const at = (id: string, query: string, more: object) =>
      block(id, 'http', { method: 'POST', url: receiver.url(`/${id}${query}`), headers, ...more });
    const definition = line(
      at('own', "?sig=a%2fb+c%20'd'&f&", {
        query: { q: 'x&y', none: null },
        body: { tag: ['a&b', 2], n: null },
      }),
      at('text', '?#part', { query: { q: 1 }, body: 'a={{ urlEncode("x&y=z+1% ü") }}&b=1' }),
      at('bad', '', { body: { deep: { a: 1 } } }),
    );
    const { failure } = await run(definition);
    expect(failure).toMatchObject({ code: 'INVALID_VALUE', message: expect.stringContaining('body.deep') });
    expect(receiver.received).toMatchObject([
      {
        path: "/own?sig=a%2fb+c%20'd'&f&q=x%26y",
        body: 'tag=a%26b&tag=2',
        headers: { 'content-type': type },
      },
      { path: '/text?q=1', body: 'a=x%26y%3Dz%2B1%25%20%C3%BC&b=1', headers: { 'content-type': type } },
    ]);
    receiver.stop();
  });

  test('an http block reads each answer by its charset and media type, and keeps the digits of whole numbers', async () => {
    const latin = (text: string) => Buffer.from(text, 'latin1');
    const answers: [type: string, body: Buffer | string, data: unknown][] = [
      ['text/html; charset=ISO-8859-1', latin('Região'), 'Região'],
      ['application/json; charset=iso-8859-1', latin('"Müller"'), 'Müller'],
      ['text/csv; charset=utf-16le', Buffer.from('a,b', 'utf16le'), 'a,b'],
      ['application/json', '\uFEFF{"a":1}', { a: 1 }],
      [
        'application/json',
        '[7615917337495251231,-1.5,{"b":9007199254740993}]',
        ['7615917337495251231', -1.5, { b: '9007199254740993' }],
      ],
      ['application/x-ndjson', '{"a":1}\n{"a":2}', '{"a":1}\n{"a":2}'],
      ['application/yaml', 'a: 1', 'a: 1'],
    ];
    const receiver = await Receiver.start(({ path }, response) => {
      const [type, body] = answers[Number(path.slice(1))] ?? ['', ''];
      response.writeHead(200, { 'content-type': type }).end(body);
    });
    const blocks = answers.map((_, i) => block(`b${i}`, 'http', { url: receiver.url(`/${i}`) }));
    const definition = line(...blocks, respond(blocks.map(({ id }) => `{{ ${id}.data }}`)));
    expect((await run(definition)).output).toEqual(answers.map(([, , wanted]) => wanted));
    receiver.stop();
  });

  test.each(['1e400', '1e-400'])(
    'an http block fails with words for an answer that holds %s',
    async (number) => {
      const receiver = await Receiver.start((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(`{"amount":${number}}`);
      });
      const { failure } = await run(call({ url: receiver.url() }));
      expect(failure).toMatchObject({ code: 'RESPONSE_INVALID', message: expect.stringContaining(number) });
      receiver.stop();
    },
  );

  test('an http block fails for JSON that is none, sends no POST again, and gives the text to its error port', async () => {
    const page = '<h1>Sign in</h1>';
    const receiver = await Receiver.start((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(page);
    });
    const retry = { retry: { maxAttempts: 2, initialDelay: 0.1 } };
    const { failure } = await run(call({ method: 'POST', url: receiver.url() }, retry));
    expect(failure).toMatchObject({ code: 'RESPONSE_INVALID', message: expect.stringContaining(page) });
    expect(receiver.received).toHaveLength(1);
    await run(call({ url: receiver.url() }, retry));
    expect(receiver.received).toHaveLength(3);
    const definition = call({ url: receiver.url() });
    const { output } = await run({
      blocks: [...definition.blocks, respond('{{ call.error.details.data }}')],
      edges: [...definition.edges, { from: 'call', port: 'error', to: 'done' }],
    });
    expect(output).toBe(page);
    receiver.stop();
  });

  test('an http block keeps a value in its address one part of it', async () => {
    const receiver = await Receiver.start((_, response) => void response.end('{}'));
    const id = await stack.givenDeployed({
      start: { inputs: { x: { type: 'string' } } },
      ...call({ url: receiver.url('/orders/{{ start.x }}') }),
    });
    const paths = ['../admin', '7?all=1', '7#x', 'a/b', '%2e%2e/admin'];
    for (const x of paths) await stack.execute(id, { inputs: { x } });
    expect(receiver.received.map(({ path }) => path)).toEqual(
      paths.map((x) => `/orders/${encodeURIComponent(x)}`),
    );
    for (const x of ['..', '.', ''])
      expect((await stack.execute(id, { inputs: { x } })).body.failure).toMatchObject({
        code: 'EXPRESSION_FAILED',
      });
    expect(receiver.received).toHaveLength(paths.length);
    receiver.stop();
  });

  test('an http block retries as its parameters say, honours Retry-After, and shows the attempts', async () => {
    let count = 0;
    const flaky = await Receiver.start((_, response) => {
      count += 1;
      response.statusCode = count < 3 ? 503 : 200;
      response.setHeader('retry-after', '1');
      response.end('{}');
    });
    const begun = performance.now();
    const id = await stack.givenDeployed(
      call({ url: flaky.url() }, { retry: { maxAttempts: 3, initialDelay: 0.1 } }),
    );
    const { body } = await stack.execute(id);
    expect([body.status, count]).toEqual(['completed', 3]);
    expect(performance.now() - begun).toBeGreaterThan(2000);
    const { blocks } = (await stack.get(`/api/workflows/${id}/executions/${body.executionId}`)).body;
    expect(blocks).toMatchObject([{ blockId: 'call', attempts: 3 }]);
    flaky.stop();
  });

  test('an http block does not repeat a POST that arrived, unless it is asked to', async () => {
    const broken = await Receiver.start((_, response) => {
      response.statusCode = 500;
      response.end('{}');
    });
    const retry = { retry: { maxAttempts: 3, initialDelay: 0.1 } };
    const once = await run(call({ method: 'POST', url: broken.url() }, retry));
    expect([once.failure.code, broken.received.length]).toEqual(['HTTP_500', 1]);
    await run(call({ method: 'POST', url: broken.url(), idempotent: true }, retry));
    expect(broken.received.length).toBe(4);
    expect(new Set(broken.received.slice(1).map(({ key }) => key)).size).toBe(1);
    broken.stop();
  });

  test('an http block appears in the block log with its output while a later block runs', async () => {
    let release = () => {};
    const receiver = await Receiver.start(({ path }, response) => {
      if (path === '/late') release = () => void response.end('{}');
      else response.end('{"n":7}');
    });
    const get = (id: string) => block(id, 'http', { url: receiver.url(`/${id}`) });
    const id = await stack.givenDeployed(line(get('early'), get('late'), respond('{{ late.status }}')));
    const { status, body } = await stack.execute(id, {}, { prefer: 'wait=1' });
    expect(status).toBe(202);
    const detail = () => stack.get(`/api/workflows/${id}/executions/${body.executionId}`);
    const shown = await until(detail, ({ body: { blocks } }) => blocks.length > 1);
    expect(shown.body.blocks).toMatchObject([
      { blockId: 'early', status: 'completed', output: { data: { n: 7 } } },
      { blockId: 'late', status: 'running' },
    ]);
    // The log of blocks may show a call before the receiver has it.
    await until(
      async () => receiver.received.length,
      (count) => count === 2,
    );
    release();
    expect((await stack.get(`/api/jobs/${body.jobId}?wait=60`)).body.output).toBe(200);
    receiver.stop();
  });

  test('an http block takes the error port when it is connected', async () => {
    const definition = {
      blocks: [
        { id: 'call', type: 'http', params: { url: 'http://169.254.169.254/latest/meta-data' } },
        { id: 'end', type: 'response', params: { data: '{{ call.error.code }}' } },
      ],
      edges: [
        { from: 'start', to: 'call' },
        { from: 'call', port: 'error', to: 'end' },
      ],
    };
    expect(await run(definition)).toMatchObject({ status: 'completed', output: 'EGRESS_REFUSED' });
  });

  test('an http block fails at its time-out', async () => {
    const hung = await Receiver.start(() => undefined);
    const body = await run(call({ url: hung.url() }, { timeout: 'PT1S' }));
    expect(body).toMatchObject({ status: 'failed', failure: { code: 'TIMEOUT', blockId: 'call' } });
    hung.stop();
  });
});

describe('variables block', () => {
  test('a variables block sets values that later blocks read', async () => {
    const body = await run({
      variables: { count: { type: 'number', initial: 1 } },
      blocks: [
        { id: 'more', type: 'variables', params: { set: { count: '{{ vars.count + 41 }}' } } },
        { id: 'end', type: 'response', params: { data: '{{ vars.count }}' } },
      ],
      edges: [
        { from: 'start', to: 'more' },
        { from: 'more', to: 'end' },
      ],
    });
    expect(body.output).toBe(42);
  });
});

describe('human block', () => {
  test('a human block shows a table of stored values in full', async () => {
    const id = await stack.givenDeployed({
      start: { inputs: { rows: { type: 'array', required: true } } },
      blocks: [
        {
          id: 'ask',
          type: 'human',
          params: {
            title: 'Look',
            fields: [{ label: 'Rows', value: '{{ start.rows }}', format: 'table' }],
            form: [],
          },
        },
        { id: 'end', type: 'response', params: { data: 'seen' } },
      ],
      edges: [
        { from: 'start', to: 'ask' },
        { from: 'ask', to: 'end' },
      ],
    });
    const rows = Array.from({ length: 300 }, (_, n) => ({ n, text: 'y'.repeat(50) }));
    const { body } = await stack.execute(id, { inputs: { rows } });
    expect(body.paused.pausePoints[0].response.displayData.fields).toEqual([
      { label: 'Rows', value: rows, format: 'table' },
    ]);
  });

  test('a human block expires on the port that its author gave it', async () => {
    const id = await stack.givenDeployed({
      blocks: [
        {
          id: 'ask',
          type: 'human',
          params: {
            title: 'Quick',
            form: [{ name: 'ok', type: 'boolean', label: 'Ok', default: false }],
            expiresAfter: 1,
            onExpiry: 'continue',
          },
        },
        { id: 'late', type: 'response', params: { data: { late: '{{ ask.ok }}' } } },
        { id: 'end', type: 'response', params: { data: 'answered' } },
      ],
      edges: [
        { from: 'start', to: 'ask' },
        { from: 'ask', port: 'expired', to: 'late' },
        { from: 'ask', to: 'end' },
      ],
    });
    const { body } = await stack.execute(id, { async: true });
    const job = await stack.get(`/api/jobs/${body.jobId}?wait=60`);
    expect(job.body).toMatchObject({ status: 'completed', output: { late: false } });
    expect((await stack.get(`/api/resume/${id}/${body.executionId}`)).body).toMatchObject({
      status: 'expired',
      pausePoints: [{ resumeStatus: 'expired' }],
    });
  });
});

describe('bare answer', () => {
  const bare = (params: object) =>
    stack.givenDeployed({
      start: {
        inputs: { status: { type: 'number', default: 200 }, header: { type: 'string', default: 'x' } },
      },
      blocks: [{ id: 'end', type: 'response', params: { raw: true, ...params } }],
      edges: [{ from: 'start', to: 'end' }],
    });

  test('a bare answer fails the block of a bare answer whose status or header HTTP cannot carry', async () => {
    const answering = await bare({ status: '{{ start.status }}', headers: { 'x-a': '{{ start.header }}' } });
    for (const inputs of [
      { status: 100 },
      { status: 103 },
      { status: 600 },
      { header: 'b€' },
      { header: 'b\u0001' },
    ]) {
      const { status, body } = await stack.execute(answering, { inputs });
      expect([status, body.status, body.failure.code]).toEqual([200, 'failed', 'INVALID_VALUE']);
    }
    const latin = await stack.execute(answering, { inputs: { status: 201, header: 'é' } });
    expect([latin.status, latin.headers.get('x-a')]).toEqual([201, 'é']);
  });

  test('a bare answer gives a text as JSON where the bare answer says that it is JSON, and as it is elsewhere', async () => {
    const json = await bare({ data: 'hello', headers: { 'content-type': 'application/json' } });
    expect((await stack.execute(json)).body).toBe('hello');
    const plain = await bare({ data: '"hello"', headers: { 'content-type': 'text/plain' } });
    expect((await stack.execute(plain)).body).toBe('"hello"');
  });
});
