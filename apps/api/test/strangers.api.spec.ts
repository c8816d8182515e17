import { once } from 'node:events';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import pg from 'pg';
import { findSessions, untilSessions, waitsForLock } from '#libs/platform/database/support/sessions';
import { mintKey } from '#libs/workspace/auth/keys.format';
import { sendRpc } from './support/agents.ts';
import { Stack } from './support/stack.ts';

let stack: Stack;
/** Of its own, because it has low limits. */
let strict: Stack;
beforeAll(async () => {
  const limits = { RATE_API_PER_MINUTE: '3', RATE_PUBLIC_PER_MINUTE: '2' };
  [stack, strict] = await Promise.all([Stack.shared(), Stack.start(limits, { worker: false })]);
});
afterAll(() => Promise.all([stack?.stop(), strict?.stop()]));

const zeros = `[${'0,'.repeat(5_000_000)}0]`;
const nulls = `{"items":[${String.raw`"\u0000",`.repeat(90_000)}1]}`;
const unauthorized = { error: expect.any(String), code: 'UNAUTHORIZED', requestId: expect.any(String) };

describe('large body', () => {
  test.each([
    ['no key', () => ''],
    ['an unknown key', () => mintKey('workspace')],
  ])('a large body with %s is refused before it is read', async (_, key) => {
    const headers = { 'x-api-key': key(), 'content-type': 'application/json', 'content-length': '10000000' };
    const sent = request(`${stack.url}/api/v1/workflows`, { method: 'POST', headers });
    sent.flushHeaders();
    const [answer] = await once(sent, 'response');
    expect([answer.statusCode, await json(answer)]).toEqual([401, unauthorized]);
    sent.destroy();
  });

  test('a large body has a low limit for a stranger on a public path', async () => {
    const answer = await stack.post('/resume/wf_1/exec_1/ctx_1', zeros, { 'x-api-key': '' });
    expect(answer.status).toBe(413);
  });

  test('a large body with a key is answered with at most a hundred faults and their number', async () => {
    const { status, body } = await stack.post('/api/v1/workflows', nulls);
    expect([status, body.details.length]).toEqual([400, 101]);
    expect(body.details[7]).toMatchObject({ path: 'items[7]', code: 'null_byte' });
    expect(body.details[100]).toEqual({
      path: '',
      code: 'too_many_faults',
      message: 'There are 89900 more faults.',
    });
  });

  test('a large body with millions of numbers is refused before it is parsed, and one with many is read', async () => {
    const { status, body } = await stack.post('/api/v1/workflows/validate', zeros);
    expect([status, body.details]).toEqual([
      400,
      [
        {
          path: '',
          code: 'too_many',
          message: expect.stringContaining('at most 300000 members and items, not 5000001'),
        },
      ],
    ]);
    const many = `{"definition":{"blocks":[],"edges":[${'0,'.repeat(299_000)}0]}}`;
    expect((await stack.post('/api/v1/workflows/validate', many)).body.details?.[0]?.code).not.toBe(
      'too_many',
    );
  });

  test('a large body with unknown fields lists a hundred of them', async () => {
    const fields = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`field${i}`, 1]));
    const { body } = await stack.post('/api/v1/workflows', fields);
    expect(body.details).toHaveLength(101);
  });
});

describe('keys that nobody has', () => {
  let owner: pg.Client;
  beforeEach(async () => {
    owner = new pg.Client({ connectionString: stack.env.DATABASE_URL });
    await owner.connect();
  });
  afterEach(() => owner.end());

  const tried = (key: string) => stack.get('/api/v1/workflows', { 'x-api-key': key });
  // The worker reads the keys of triggers.
  const lookUp = `${waitsForLock} and query like '%api_keys%digest%'`;

  test('keys that nobody has are looked up once, and many of them with one query', async () => {
    const unknown = mintKey('workspace');
    expect((await tried(unknown)).status).toBe(401);
    await owner.query('begin; lock table api_keys in access exclusive mode');
    expect((await tried(unknown)).status).toBe(401);
    const many = Array.from({ length: 50 }, () => tried(mintKey('workspace')));
    await untilSessions(owner, lookUp);
    expect((await tried(unknown)).status).toBe(401);
    expect(await findSessions(owner, lookUp)).toHaveLength(1);
    await owner.query('rollback');
    expect(new Set((await Promise.all(many)).map(({ status }) => status))).toEqual(new Set([401]));
  });

  test('keys that nobody has do not keep a key that is made just now from working at once', async () => {
    await tried(mintKey('workspace'));
    const { key } = await stack.givenWorkspace('new');
    expect((await tried(key)).status).toBe(200);
  });
});

describe('refused call', () => {
  test('a refused call costs a token, and an empty bucket refuses the next one before its body is read', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 9; i++) statuses.push((await strict.post('/api/v1/workflows', '{"not json')).status);
    expect(statuses).toEqual([...Array<number>(7).fill(400), 429, 429]);
    expect((await strict.execute('wf_1', {})).status).toBe(404);
  });

  test('a refused call costs a token for an agent too, with every name of a tool', async () => {
    const { key } = await strict.givenWorkspace();
    const desk = await strict.post('/api/v1/mcp-servers', { name: 'desk' }, { 'x-api-key': key });
    const { id } = desk.body.data;
    const use = async (path: string, name: string, given: object) => {
      const { body } = await sendRpc(strict.url + path, key, 'tools/call', {
        name,
        arguments: given,
      });
      return body.error?.message ?? body.result.content[0].text;
    };
    const executionId = 'exec_00000000000000000000';
    const said = [
      await use(`/api/mcp/${id}`, 'get_execution', { executionId }),
      await use(`/api/mcp/${id}`, 'cancel_execution', { executionId }),
      await use(`/api/mcp/${id}`, 'nothing', {}),
      await use('/api/mcp', 'read', { operationId: 'nothing' }),
      await use('/api/mcp', 'write', { operationId: 'nothing' }),
      await use(`/api/mcp/${id}`, 'get_execution', { executionId }),
      await use(`/api/mcp/${id}`, 'nothing', {}),
      await use('/api/mcp', 'write', { operationId: 'nothing' }),
    ];
    expect(said.map((text) => text.split(/[: ]/)[0])).toEqual([
      'NOT_FOUND',
      'NOT_FOUND',
      'There',
      'NOT_FOUND',
      'NOT_FOUND',
      ...Array<string>(3).fill('RATE_LIMIT_EXCEEDED'),
    ]);
  });
});

describe('calls without a key', () => {
  test('calls without a key are metered by client address, which nobody chooses by a header unless a proxy is trusted', async () => {
    const { key } = await strict.givenWorkspace();
    const from = (address: string) => ({ 'x-forwarded-for': address, 'x-api-key': '' });
    const accept = '/api/v1/invitations/decline';
    const first = [
      await strict.get('/docs', from('192.0.2.1')),
      await strict.get('/resume/wf_1/exec_1/ctx_1', from('192.0.2.2')),
      await strict.post(accept, zeros, from('192.0.2.3')),
      await strict.get('/no-such-path', from('192.0.2.4')),
      await strict.get('/health/live', from('192.0.2.5')),
      await strict.get('/api/v1/workflows', { 'x-api-key': key }),
    ];
    expect(first.map(({ status }) => status)).toEqual([200, 403, 429, 429, 200, 200]);
    expect(first[2]?.headers.get('retry-after')).toMatch(/^([1-9]|[12]\d|30)$/);
    expect(first[2]?.body).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    // A page of the console is some thirty files, which cost no query; a route that Nest does not know answers 429 as well.
    const metadata = '/.well-known/oauth-protected-resource/api/mcp/mcp_1';
    const open = [
      await strict.get('/console/', from('192.0.2.6')),
      await strict.get(metadata, from('192.0.2.7')),
    ];
    expect(open.map(({ status }) => status)).toEqual([200, 429]);
    await strict.api.kill('SIGTERM');
    await strict.startApi({ RATE_PUBLIC_PER_MINUTE: '1', TRUSTED_PROXIES: '127.0.0.0/8,::1' });
    const behind = [from('192.0.2.1'), from('192.0.2.2'), from('192.0.2.1')];
    const statuses: number[] = [];
    for (const headers of behind) statuses.push((await strict.get('/docs', headers)).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});
