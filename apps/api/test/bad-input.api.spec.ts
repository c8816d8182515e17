import { connect } from 'node:net';
import pg from 'pg';
import { approval, pure } from './support/definitions.ts';
import { answerOf, described, Stack } from './support/stack.ts';

let stack: Stack;
let workflow: string;
let execute: string;
beforeAll(async () => {
  stack = await Stack.shared();
  workflow = await stack.givenDeployed(pure);
  execute = `/api/workflows/${workflow}/execute`;
});
afterAll(() => stack.stop());

const shape = {
  error: expect.any(String),
  code: expect.stringMatching(/^[A-Z_]+$/),
  requestId: expect.any(String),
};
const nested = (depth: number) => `{"inputs":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`;

/** Every refusal has the documented shape, and every 400 at least one detail. */
async function expectRefusal(
  status: number,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
) {
  const answer = await stack.post(path, body, headers);
  expect([answer.status, answer.body]).toEqual([
    status,
    status === 400 ? { ...shape, details: expect.any(Array) } : shape,
  ]);
  if (status === 400) expect(answer.body.details.length).toBeGreaterThan(0);
  return answer;
}

describe('POST execute refuses', () => {
  test.each([
    ['malformed JSON', '{"inputs":', 400],
    ['a body that is no object', '[1,2]', 400],
    ['a body that is text', '"hello"', 400],
    ['a number as text that is none', { inputs: { amount: 'many' } }, 400],
    ['a missing input', { inputs: {} }, 400],
    ['null for a required input', { inputs: { amount: null } }, 400],
    ['two different wrappers', { inputs: { amount: 1 }, input: { amount: 2 } }, 400],
    ['async that is no boolean', { inputs: { amount: 1 }, async: 'yes' }, 400],
    ['a body nested 100 deep', nested(100), 400],
    ['a body nested 100,000 deep', nested(100_000), 400],
    ['__proto__ as a key', '{"inputs":{"amount":1,"__proto__":{"admin":true}}}', 400],
    ['__proto__ deep inside', '{"inputs":{"amount":1,"x":[{"__proto__":1}]}}', 400],
    ['a name that is there twice', '{"inputs":{"amount":1,"amount":2}}', 400],
    ['a null byte in a string', '{"inputs":{"amount":1,"note":"a\\u0000b"}}', 400],
    ['a null byte in a key', '{"inputs":{"amount":1,"a\\u0000b":1}}', 400],
    ['half a surrogate pair', '{"inputs":{"amount":1,"note":"\\ud800"}}', 400],
    ['bytes that are no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), 400],
    ['a number beyond every number', '{"inputs":{"amount":1e999}}', 400],
    ['11 MB', JSON.stringify({ inputs: { amount: 1, note: 'x'.repeat(11 * 1024 * 1024) } }), 413],
  ])('%s', async (_, body, status) => {
    await expectRefusal(status, execute, body);
  });

  test.each([
    ['text/plain', 415],
    ['application/xml', 415],
    ['application/json-seq', 415],
    ['text/plain; profile=application/json', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data', 415],
  ])('a body of type %s', async (type, status) => {
    await expectRefusal(status, execute, 'inputs=1', { 'content-type': type });
  });

  test.each(['gzip', 'br', 'deflate', 'GZIP, identity', 'none'])(
    'a body in %s, and names the encoding',
    async (encoding) => {
      const answer = await expectRefusal(
        415,
        execute,
        { inputs: { amount: 1 } },
        { 'content-encoding': encoding },
      );
      expect(answer.body.error).toContain(`Content-Encoding: ${encoding.toLowerCase()}`);
    },
  );

  test('POST execute refuses numbers that would lose digits, and names each of them', async () => {
    const { body } = await expectRefusal(
      400,
      execute,
      '{"inputs":{"amount":7615917337495251231,"a":[1,{"b c":-9007199254740993}],"small":1e-400,"fine":[9007199254740992,0.1234567890123456789,1e23]}}',
    );
    expect(body.details.map(({ path, code }: { path: string; code: string }) => `${code} ${path}`)).toEqual([
      'digits inputs.amount',
      'digits inputs.a[1]["b c"]',
      'digits inputs.small',
    ]);
  });

  test('an unknown, a malformed and a foreign workflow with equal bodies', async () => {
    const theirs = await stack.givenWorkspace();
    const foreign = await stack.givenDeployed(pure, { 'x-api-key': theirs.key });
    const ids = [
      'wf_00000000000000000000000000000000',
      'nonsense',
      "wf_'; drop table executions; --",
      '%00',
      foreign,
    ];
    for (const id of ids)
      await expectRefusal(404, `/api/workflows/${encodeURIComponent(id)}/execute`, { inputs: { amount: 1 } });
  });

  test('an Idempotency-Key with characters that it may not have', async () => {
    await expectRefusal(400, execute, { inputs: { amount: 1 } }, { 'idempotency-key': 'x'.repeat(256) });
  });

  test('POST execute refuses names every input that is wrong', async () => {
    const strict = await stack.givenDeployed({
      start: {
        inputs: {
          a: { type: 'number', required: true, max: 3 },
          b: { type: 'string', required: true },
          c: { type: 'boolean' },
        },
      },
      blocks: [{ id: 'end', type: 'response', params: { data: 1 } }],
      edges: [{ from: 'start', to: 'end' }],
    });
    const { body } = await stack.execute(strict, { inputs: { a: 4, c: 'maybe' } });
    expect(body.details.map(({ path }: { path: string }) => path).toSorted()).toEqual([
      'inputs.a',
      'inputs.b',
      'inputs.c',
    ]);
  });

  test('POST execute refuses and changes nothing', async () => {
    const rows = new pg.Client({ connectionString: stack.env.DATABASE_URL });
    await rows.connect();
    const count = async () =>
      (await rows.query('select count(*)::int as n from executions where workspace_id = $1', [stack.home.id]))
        .rows[0].n;
    const before = await count();
    await stack.execute(workflow, { inputs: {} });
    expect(await count()).toBe(before);
    await stack.execute(workflow, { inputs: { amount: 1 } });
    expect(await count()).toBe(before + 1);
    await rows.end();
  });
});

describe('authoring refuses', () => {
  test.each([
    ['no name', { definition: pure }, 'name'],
    ['an empty name', { name: '', definition: pure }, 'name'],
    ['a name of the wrong type', { name: 5, definition: pure }, 'name'],
    ['a definition that is no object', { name: 'x', definition: 'x' }, 'definition'],
    ['an unknown field', { name: 'x', definition: pure, owner: 'me' }, 'owner'],
    ['a name of 10,000 characters', { name: 'x'.repeat(10_000), definition: pure }, 'name'],
  ])('a workflow with %s', async (_, body, path) => {
    const { body: answer } = await expectRefusal(400, '/api/v1/workflows', body);
    expect(answer.details[0].path).toBe(path);
  });

  test.each([
    ['a name that is a number', { name: 5 }, 'name'],
    ['a name that is an object', { name: {} }, 'name'],
    ['a list for a body', [], ''],
    ['an unknown field', { comment: 'x' }, 'comment'],
    ['a description of 2,001 characters', { description: 'x'.repeat(2001) }, 'description'],
  ])('a deploy with %s, and makes no version', async (_, body, path) => {
    const versions = async () => (await stack.get(`/api/v1/workflows/${workflow}/versions`)).body.data.length;
    const before = await versions();
    const { body: answer } = await expectRefusal(400, `/api/v1/workflows/${workflow}/deploy`, body);
    expect(answer.details[0].path).toBe(path);
    expect(await versions()).toBe(before);
  });

  test.each([
    ['workflow', () => `/api/v1/workflows/${workflow}`],
    ['workspace', () => `/api/v1/workspaces/${stack.home.id}`],
  ])('a change of a %s that names nothing to change', async (_, path) => {
    for (const body of [undefined, {}, []]) {
      const answer = await stack.call('PATCH', path(), body);
      expect([answer.status, answer.body]).toEqual([400, { ...shape, details: [expect.anything()] }]);
    }
  });

  test.each([
    ['GET', '/api/v1/knowledge/kb_none'],
    ['GET', '/api/v1/knowledge/kb_none/documents'],
    ['GET', '/api/v1/tables'],
    ['GET', '/api/v1/tables/tbl_none/rows'],
    ['DELETE', '/api/v1/tables/tbl_none/rows/row_none'],
  ])('%s %s without its workspaceId, which the interface requires', async (method, path) => {
    const answer = await stack.call(method, path);
    const details = [{ path: 'workspaceId', message: 'is required', code: 'required' }];
    expect([answer.status, answer.body]).toEqual([400, { ...shape, details }]);
    const theirs = await stack.call(method, `${path}?workspaceId=ws_00000000000000000000000000000000`);
    expect([theirs.status, theirs.body.error]).toEqual([404, 'No such workspace.']);
  });

  test('a definition with a thousand faults, and reports a hundred of them', async () => {
    const blocks = Array.from({ length: 400 }, (_, n) => ({ id: `b${n}`, type: 'teleport', params: { n } }));
    const edges = blocks.flatMap(({ id }) => [
      { from: 'nowhere', to: id },
      { from: id, port: 'no', to: 'nothing' },
    ]);
    const { body } = await stack.post('/api/v1/workflows/validate', { definition: { blocks, edges } });
    expect(body.data.faults).toHaveLength(101);
    expect(body.data.faults.at(-1).message).toMatch(/^There are \d{3,} more faults\.$/);
  });

  test.each([
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?limit=ten', 'limit'],
    ['?cursor=abc', 'cursor'],
    ['?deployedOnly=perhaps', 'deployedOnly'],
    ['?colour=red', 'colour'],
  ])('a list with %s', async (query, path) => {
    const answer = await stack.get(`/api/v1/workflows${query}`);
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path }] } });
  });
});

describe('every other refusal', () => {
  test('the API knows which methods a path has', async () => {
    const answer = await stack.call('PUT', execute, {});
    expect([answer.status, answer.body.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(answer.headers.get('allow')).toContain('POST');
    expect((await stack.get('/api/nothing/here')).body).toEqual({ ...shape, code: 'NOT_FOUND' });
  });

  test('an address with a part that is longer than any id, or with a NUL in an id, is not found', async () => {
    const long = 'a'.repeat(3000);
    const inWorkspace = `?workspaceId=${stack.home.id}`;
    for (const path of [
      `/api/jobs/${long}`,
      `/api/v1/workflows/${workflow}/triggers/%00`,
      `/api/v1/tables/%00${inWorkspace}`,
      `/api/v1/knowledge/%00${inWorkspace}`,
    ]) {
      const { status, body } = await stack.get(path);
      expect([status, body]).toEqual([404, { ...shape, code: 'NOT_FOUND' }]);
    }
    const { status, body } = await stack.post(`/hooks/${long}`, {});
    expect([status, body.error]).toEqual([404, expect.stringContaining('more than 200 characters')]);
  });

  test.each([
    ['/api/v1/logs?search=%00%00', 'search'],
    ['/api/v1/logs?workflowIds=a,%00', 'workflowIds'],
    ['/api/v1/workflows?search=a%00', 'search'],
    ['/api/v1/inbox?search=%00a', 'search'],
  ])('the query %s with a NUL is refused, and its field is named', async (path, field) => {
    const { body } = await stack.get(path);
    expect(body.details).toEqual([
      { path: field, message: 'must not hold a NUL character', code: 'null_byte' },
    ]);
  });

  test('a number of a version that no column holds is refused with its bounds', async () => {
    const { body } = await stack.execute(workflow, { inputs: { amount: 1 } });
    const root = `/api/v1/workflows/${workflow}`;
    const fork = `/api/workflows/${workflow}/executions/${body.executionId}/fork`;
    const version = 3_000_000_000;
    for (const answer of [
      await stack.post(fork, { version }),
      await stack.post(`${root}/backtest`, { version }),
      await stack.post(`${root}/rollback`, { version }),
      await stack.get(`${root}/versions/${version}`),
    ])
      expect(answer).toMatchObject({
        status: 400,
        body: { details: [{ path: 'version', message: 'must be a whole number from 1 to 2147483647' }] },
      });
    expect((await stack.get(`${root}/versions/2147483647`)).status).toBe(404);
  });

  test('the API answers an address that cannot be decoded in the documented shape', async () => {
    for (const path of ['/api/workflows/%zz/execute', '/%E0%A4%A']) {
      const answer = await stack.post(path, {});
      expect([answer.status, answer.body]).toEqual([400, { ...shape, details: [expect.anything()] }]);
      expect(answer.headers.get('x-request-id')).toBe(answer.body.requestId);
    }
  });

  test('the API takes over a sane request id and makes one for an odd one', async () => {
    const sane = await stack.get('/api/nothing', { 'x-request-id': 'trace-12345678' });
    expect([sane.headers.get('x-request-id'), sane.body.requestId]).toEqual([
      'trace-12345678',
      'trace-12345678',
    ]);
    const odd = await stack.get('/api/nothing', { 'x-request-id': 'no spaces please' });
    expect(odd.headers.get('x-request-id')).toMatch(/^req_/);
  });

  test('the API answers a resume of an unknown pause without a server error', async () => {
    const asking = await stack.givenDeployed(approval);
    const nothing = `/api/resume/${asking}/exec_00000000000000000000000000000000/ctx_nothing`;
    await expectRefusal(404, nothing, { input: { approved: true } });
    await expectRefusal(404, nothing.replace(asking, 'wf_00000000000000000000000000000000'), { input: {} });
  });

  test('the API meets 45 spellings of a path that come without a key', async () => {
    const spellings = [
      '',
      '/',
      '//',
      '?',
      '#',
      ';x',
      '%2f',
      '%20',
      '/.',
      '/..;/',
      '.json',
      '?x-api-key=1',
      '/../execute',
      '%61',
      '\\',
    ];
    for (const suffix of spellings) {
      for (const path of [execute, `/${execute}`, execute.toUpperCase()]) {
        const response = await fetch(stack.url + path + suffix, { method: 'POST', redirect: 'manual' }).catch(
          () => null,
        );
        if (!response) continue;
        const { status } = described('POST', path + suffix, await answerOf(response));
        expect([path + suffix, status >= 400]).toEqual([path + suffix, true]);
      }
    }
  });
});

describe('bytes that are not a valid HTTP request', () => {
  test.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['headers of 20 KB', `GET / HTTP/1.1\r\nhost: x\r\nx-big: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
  ])('%s is answered in the documented shape', async (_, bytes, status) => {
    const answer = await exchange(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toMatchObject(shape);
  });
});

/** Sends bytes as they are and reads until the server hangs up. */
function exchange(bytes: string): Promise<string> {
  const { hostname, port } = new URL(stack.url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (part) => (answer += part.toString('utf8')));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}
