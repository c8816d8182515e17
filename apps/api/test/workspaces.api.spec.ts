import pg from 'pg';
import { approval, pure } from './support/definitions.ts';
import { givenMember } from './support/people.ts';
import { Stack, until } from './support/stack.ts';

/** The workspaces that one user may make. */
const perUser = 30;
let stack: Stack;
beforeAll(async () => {
  stack = await Stack.start(
    { WORKSPACES_PER_USER: String(perUser), RATE_SYNC_PER_MINUTE: '3' },
    { worker: false },
  );
});
afterAll(() => stack.stop());

const personal = () => ({ 'x-api-key': stack.personalKey });
const unauthorized = { error: expect.any(String), code: 'UNAUTHORIZED', requestId: expect.any(String) };

describe('X-API-Key', () => {
  test.each([
    ['none', ''],
    ['a malformed one', 'hunter2'],
    ['one with a wrong checksum', `sk-holdfast-w${'a'.repeat(46)}`],
    ['one that is well-formed and unknown', 'sk-holdfast-wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA000000'],
  ])('X-API-Key gives the same 401 for %s', async (_, key) => {
    const answer = await stack.get('/api/v1/workflows', { 'x-api-key': key });
    expect([answer.status, answer.body]).toEqual([401, unauthorized]);
  });

  test('X-API-Key is shown once, works at once, and stops working when it is revoked', async () => {
    const path = `/api/v1/workspaces/${stack.home.id}/keys`;
    const made = await stack.post(path, { name: 'robot', role: 'viewer' });
    expect(made.status).toBe(201);
    const { key, id, hint } = made.body.data;
    expect(key).toMatch(/^sk-holdfast-w[0-9A-Za-z]{46}$/);
    expect(hint).toBe(`sk-holdfast-w...${key.slice(-4)}`);
    const listed = (await stack.get(path)).body.data;
    expect(JSON.stringify(listed)).not.toContain(key);
    const mine = { 'x-api-key': key };
    expect((await stack.get('/api/v1/workflows', mine)).status).toBe(200);
    await stack.call('DELETE', `${path}/${id}`);
    const answer = await until(
      () => stack.get('/api/v1/workflows', mine),
      ({ status }) => status === 401,
    );
    expect(answer.body).toEqual(unauthorized);
  });

  test('X-API-Key stops working when it expires', async () => {
    const path = `/api/v1/workspaces/${stack.home.id}/keys`;
    const expiresAt = new Date(Date.now() + 10_000).toISOString();
    const { key } = (await stack.post(path, { name: 'short', expiresAt })).body.data;
    await until(
      () => stack.get('/api/v1/workflows', { 'x-api-key': key }),
      ({ status }) => status === 401,
    );
    const past = await stack.post(path, { name: 'past', expiresAt: '2020-01-01T00:00:00Z' });
    expect(past).toMatchObject({ status: 400, body: { details: [{ path: 'expiresAt' }] } });
  });

  test.each([
    ['viewer', [200, 403, 403, 403]],
    ['editor', [200, 200, 201, 403]],
    ['admin', [200, 200, 201, 200]],
  ])('X-API-Key lets a %s read, execute, write and administer as the role says', async (role, expected) => {
    const workflow = await stack.givenDeployed(pure);
    const { key } = (
      await stack.post(`/api/v1/workspaces/${stack.home.id}/keys`, { name: `as ${role}`, role })
    ).body.data;
    const mine = { 'x-api-key': key };
    const answers = [
      await stack.get(`/api/v1/workflows/${workflow}`, mine),
      await stack.execute(workflow, { inputs: { amount: 1 } }, mine),
      await stack.post('/api/v1/workflows', { name: `by ${role}`, definition: pure }, mine),
      await stack.post(`/api/v1/workflows/${workflow}/deploy`, undefined, mine),
    ];
    expect(answers.map(({ status }) => status)).toEqual(expected);
  });
});

describe('/api/v1/workspaces', () => {
  test('the resource /api/v1/workspaces makes a bounded number of workspaces for a person, also when the calls come at once and the person leaves some', async () => {
    const maker = await givenMember(stack, 'maker@example.org', 'viewer');
    const make = () => stack.post('/api/v1/workspaces', { name: 'one more' }, maker.headers);
    const answers = await Promise.all(Array.from({ length: perUser + 5 }, make));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(perUser);
    const made = answers.find(({ status }) => status === 201)?.body.data.id;
    await givenMember(stack, 'heir@example.org', 'admin', { id: made, key: maker.headers['x-api-key'] });
    const left = `/api/v1/workspaces/${made}/members/${maker.id}`;
    expect((await stack.call('DELETE', left, undefined, maker.headers)).status).toBe(200);
    expect(await make()).toMatchObject({
      status: 403,
      body: { code: 'WORKSPACE_LIMIT', error: expect.stringContaining(`${perUser} workspaces`) },
    });
    const listed = await stack.get('/api/v2/workspaces', maker.headers);
    expect(listed.body.data).toHaveLength(perUser);
  });

  test('the resource /api/v1/workspaces creates a workspace for a user, whose key then reaches both and must name the workspace', async () => {
    const second = await stack.givenWorkspace('Second');
    const mine = await stack.get('/api/v1/workspaces', personal());
    expect(mine.body.data.map(({ id }: { id: string }) => id)).toEqual(
      expect.arrayContaining([stack.home.id, second.id]),
    );
    const unsaid = await stack.get('/api/v1/workflows', personal());
    expect(unsaid).toMatchObject({ status: 400, body: { details: [{ path: 'workspaceId' }] } });
    expect((await stack.get(`/api/v1/workflows?workspaceId=${second.id}`, personal())).status).toBe(200);
    expect(
      (await stack.get('/api/v1/workflows?workspaceId=ws_00000000000000000000000000000000', personal()))
        .status,
    ).toBe(404);
    expect(await stack.post('/api/v1/workspaces', { name: 'By a key' })).toMatchObject({
      status: 403,
      body: { code: 'PERSONAL_KEY_NEEDED' },
    });
  });

  test('the resource /api/v1/workspaces finds a workflow in every workspace that a personal key reaches', async () => {
    const second = await stack.givenWorkspace('Third');
    const id = await stack.givenDeployed(pure, { 'x-api-key': second.key });
    expect((await stack.execute(id, { inputs: { amount: 1 } }, personal())).body.status).toBe('completed');
  });

  test('the resource /api/v1/workspaces switches personal keys off and on again', async () => {
    const { id, key } = await stack.givenWorkspace('Strict');
    const workflow = await stack.givenDeployed(pure, { 'x-api-key': key });
    const path = `/api/v1/workspaces/${id}`;
    await stack.call('PATCH', path, { personalKeysAllowed: false }, { 'x-api-key': key });
    const off = await stack.execute(workflow, { inputs: { amount: 1 } }, personal());
    expect(off).toMatchObject({ status: 403, body: { code: 'PERSONAL_KEYS_DISABLED' } });
    expect((await stack.execute(workflow, { inputs: { amount: 1 } }, { 'x-api-key': key })).status).toBe(200);
    await stack.call('PATCH', path, { personalKeysAllowed: true }, { 'x-api-key': key });
    expect((await stack.execute(workflow, { inputs: { amount: 1 } }, personal())).status).toBe(200);
  });

  test('the resource /api/v1/workspaces asks people before they are members, and refuses to remove the last admin', async () => {
    const { id, key } = await stack.givenWorkspace('Team');
    const mine = { 'x-api-key': key };
    const path = `/api/v1/workspaces/${id}`;
    const [admin] = (await stack.get(`${path}/members`, mine)).body.data;
    const invited = await stack.post(
      `${path}/invitations`,
      { email: 'ada@example.org', role: 'viewer' },
      mine,
    );
    expect(invited).toMatchObject({ status: 201, body: { data: { name: 'ada', status: 'pending' } } });
    expect((await stack.get(`${path}/members`, mine)).body.data).toEqual([admin]);
    const { token } = invited.body.data;
    expect((await stack.post('/api/v1/invitations/accept', { token }, personal())).status).toBe(403);
    const joined = await stack.post('/api/v1/invitations/accept', { token }, { 'x-api-key': '' });
    const ada = { 'x-api-key': joined.body.data.key };
    expect((await stack.get('/api/v1/workspaces', ada)).body.data).toMatchObject([{ id }]);
    expect(await stack.call('DELETE', `${path}/members/${admin.userId}`, undefined, mine)).toMatchObject({
      status: 409,
      body: { code: 'LAST_ADMIN' },
    });
    await stack.call('PATCH', `${path}/members/${joined.body.data.userId}`, { role: 'admin' }, mine);
    expect((await stack.call('DELETE', `${path}/members/${admin.userId}`, undefined, mine)).status).toBe(200);
    expect(await stack.post(`${path}/invitations`, { email: 'nobody', role: 'king' }, mine)).toMatchObject({
      status: 400,
      body: { details: [{ path: 'email' }, { path: 'role' }] },
    });
  });

  test('the resource /api/v1/workspaces keeps nobody from their own keys and other workspaces by a policy on personal keys', async () => {
    const strict = await stack.givenWorkspace('No personal keys');
    const guest = await givenMember(stack, 'guest@example.org', 'admin', strict);
    await stack.call(
      'PATCH',
      `/api/v1/workspaces/${strict.id}`,
      { personalKeysAllowed: false },
      { 'x-api-key': strict.key },
    );
    const created = await stack.post('/api/v1/users/me/keys', { name: 'own' }, guest.headers);
    expect(created.status).toBe(201);
    const revoked = `/api/v1/users/me/keys/${created.body.data.id}`;
    expect((await stack.call('DELETE', revoked, undefined, guest.headers)).status).toBe(200);
    const other = await stack.post('/api/v1/workspaces', { name: 'Of the guest' }, guest.headers);
    const own = `/api/v1/workspaces/${other.body.data.id}`;
    expect((await stack.call('PATCH', own, { name: 'Still' }, guest.headers)).status).toBe(200);
    expect(await stack.get(`/api/v1/workspaces/${strict.id}`, guest.headers)).toMatchObject({
      status: 403,
      body: { code: 'PERSONAL_KEYS_DISABLED' },
    });
    const left = `/api/v1/users/me/workspaces/${strict.id}`;
    expect((await stack.call('DELETE', left, undefined, guest.headers)).status).toBe(200);
    expect((await stack.get(`/api/v1/workspaces/${strict.id}`, guest.headers)).status).toBe(404);
  });

  test('the resource /api/v1/workspaces checks the key, then the workspace, then its policy, then the role', async () => {
    const strict = await stack.givenWorkspace('In order');
    const viewer = await givenMember(stack, 'order@example.org', 'viewer', strict);
    const path = `/api/v1/workspaces/${strict.id}`;
    const tried = async (headers: Record<string, string>, at = path) =>
      (await stack.call('PATCH', at, { name: 'x' }, headers)).body.code;
    expect(await tried(viewer.headers)).toBe('FORBIDDEN');
    await stack.call('PATCH', path, { personalKeysAllowed: false }, { 'x-api-key': strict.key });
    expect([
      await tried({ 'x-api-key': 'none' }),
      await tried(viewer.headers, `/api/v1/workspaces/${stack.home.id}`),
      await tried(viewer.headers),
    ]).toEqual(['UNAUTHORIZED', 'NOT_FOUND', 'PERSONAL_KEYS_DISABLED']);
  });

  test('the resource /api/v1/workspaces keeps secrets that can be used and never read', async () => {
    const path = `/api/v1/workspaces/${stack.home.id}/secrets`;
    const put = await stack.call('PUT', `${path}/TOKEN`, { value: 'a very secret value' });
    expect(put.body).toEqual({
      data: { name: 'TOKEN', createdAt: expect.any(String), updatedAt: expect.any(String) },
    });
    expect(JSON.stringify((await stack.get(path)).body)).not.toContain('very secret');
    expect((await stack.call('DELETE', `${path}/TOKEN`)).status).toBe(200);
    expect((await stack.call('DELETE', `${path}/TOKEN`)).status).toBe(404);
  });
});

/**
 * Makes Postgres refuse a change of keys, members and workspaces for which the service has chosen whether its commit waits
 * for the disk. The choice is the operator's; the Postgres of the tests does not wait.
 */
const triggers = ['api_keys', 'users', 'memberships', 'workspaces', 'invitations']
  .map(
    (table) => `
    create trigger durable_insert before insert on ${table} for each row execute function refuse_forgetful();
    create trigger durable_update before update on ${table} for each row
      when (to_jsonb(old) - 'last_used_at' <> to_jsonb(new) - 'last_used_at') execute function refuse_forgetful();
    create trigger durable_delete before delete on ${table} for each row execute function refuse_forgetful();`,
  )
  .join('');

test('keys, members and workspaces are on disk before the answer', async () => {
  const owner = new pg.Client({ connectionString: stack.env.DATABASE_URL });
  await owner.connect();
  await owner.query(`
    create function refuse_forgetful() returns trigger language plpgsql as $$ begin
      if (select source from pg_settings where name = 'synchronous_commit') in ('client', 'session')
      then raise 'The service chose.'; end if;
      return coalesce(new, old);
    end $$;${triggers}`);
  await owner.end();
  const { id, key } = await stack.givenWorkspace('On disk');
  const mine = { 'x-api-key': key };
  const made = await stack.post('/api/v1/users/me/keys', { name: 'mine' }, personal());
  const person = { email: 'disk@example.org', role: 'viewer' };
  const invited = await stack.post(`/api/v1/workspaces/${id}/invitations`, person, mine);
  const { token } = invited.body.data;
  const added = await stack.post('/api/v1/invitations/accept', { token }, { 'x-api-key': '' });
  const answers = [
    made,
    invited,
    added,
    await stack.call('DELETE', `/api/v1/users/me/keys/${made.body.data?.id}`, undefined, personal()),
    await stack.call(
      'DELETE',
      `/api/v1/workspaces/${id}/members/${added.body.data?.userId}`,
      undefined,
      mine,
    ),
    await stack.call('PATCH', `/api/v1/workspaces/${id}`, { name: 'Still' }, mine),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 200, 200, 200, 200]);
});

test('a right that another process has given counts at once, before its notice has come', async () => {
  const theirs = await stack.givenWorkspace('Of another');
  const mine = { email: 'new.member@example.org', role: 'editor' };
  const invited = await stack.post(`/api/v1/workspaces/${stack.home.id}/invitations`, mine);
  const { token } = invited.body.data;
  const { body } = await stack.post('/api/v1/invitations/accept', { token }, { 'x-api-key': '' });
  const key = { 'x-api-key': String(body.data.key) };
  const read = () => stack.get(`/api/v1/workspaces/${theirs.id}`, key);
  const change = () => stack.call('PATCH', `/api/v1/workspaces/${theirs.id}`, { name: 'Renamed' }, key);
  expect((await read()).status).toBe(404);
  const owner = new pg.Client({ connectionString: stack.env.DATABASE_DIRECT_URL });
  await owner.connect();
  const give = (role: string) =>
    owner.query(
      `insert into memberships (workspace_id, user_id, role) values ($1, $2, $3)
        on conflict (workspace_id, user_id) do update set role = excluded.role`,
      [theirs.id, body.data.userId, role],
    );
  await give('viewer');
  expect((await read()).status).toBe(200);
  expect((await change()).status).toBe(403);
  await give('admin');
  expect((await change()).status).toBe(200);
  await owner.end();
});

describe('rate limits', () => {
  test('rate limits answer 429 with whole seconds and the numbers, and admit exactly the burst', async () => {
    const { key } = await stack.givenWorkspace();
    const caller = { 'x-api-key': key };
    const workflow = await stack.givenDeployed(pure, caller);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => stack.execute(workflow, { inputs: { amount: 1 } }, caller)),
    );
    const admitted = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect([admitted.length, refused.length]).toEqual([6, 6]);
    expect(refused[0]?.body).toEqual({
      error: 'The rate limit is exceeded; send the request again after the seconds in Retry-After.',
      code: 'RATE_LIMIT_EXCEEDED',
      requestId: expect.any(String),
    });
    expect(refused[0]?.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(refused[0]?.headers.get('x-ratelimit-remaining')).toBe('0');
    expect((await stack.execute(workflow, { inputs: { amount: 1 }, async: true }, caller)).status).toBe(202);
  });
});

describe('health', () => {
  test('health needs no key and names each dependency', async () => {
    expect((await stack.get('/health/live', { 'x-api-key': '' })).body).toEqual({ status: 'up' });
    expect((await stack.get('/health/ready', { 'x-api-key': '' })).body).toEqual({
      status: 'up',
      dependencies: { database: 'up', temporal: 'up' },
      repairsRuns: false,
    });
  });

  test('health serves its OpenAPI document and a page that shows it', async () => {
    const document = (await stack.get('/openapi.json', { 'x-api-key': '' })).body;
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(['/api/workflows/{workflowId}/execute', '/api/jobs/{jobId}']),
    );
    expect((await stack.get('/docs', { 'x-api-key': '' })).status).toBe(200);
  });
});

describe('audit log', () => {
  let home: { id: string; key: string };
  let mine: Record<string, string>;
  const entries = async (query = ''): Promise<Record<string, unknown>[]> =>
    (await stack.get(`/api/v1/audit-logs?limit=100${query}`, mine)).body.data.toReversed();

  test('the audit log has every change, by whom and by which request, and no execution and no row', async () => {
    home = await stack.givenWorkspace('audited');
    mine = { 'x-api-key': home.key };
    const before = (await entries()).length;
    const change = async (method: string, path: string, body?: unknown, headers = mine) => {
      const answer = await stack.call(method, path, body, headers);
      expect([path, answer.status < 300]).toEqual([path, true]);
      return answer.body.data;
    };
    const workspace = `/api/v1/workspaces/${home.id}`;
    const { id } = await change('POST', '/api/v1/workflows', { name: 'Sum', definition: pure });
    await change(
      'PATCH',
      `/api/v1/workflows/${id}`,
      { folder: 'sales' },
      { ...mine, 'x-request-id': 'req_of_a_test' },
    );
    await change('POST', `/api/v1/workflows/${id}/deploy`);
    await change('POST', `/api/workflows/${id}/execute`, { inputs: { amount: 5 } });
    await change('DELETE', `/api/v1/workflows/${id}/deploy`);
    await change('GET', `/api/v1/workflows/${id}/export`);
    await change('PUT', `${workspace}/secrets/TOKEN`, { value: 'canary-of-the-audit-log' });
    const key = await change('POST', `${workspace}/keys`, { name: 'robot', role: 'viewer' });
    await change('DELETE', `${workspace}/keys/${key.id}`);
    const eve = await givenMember(stack, 'eve@audited.example', 'editor', home);
    await change('PATCH', `${workspace}/members/${eve.id}`, { role: 'viewer' });
    expect((await stack.call('PUT', `${workspace}/secrets/TOKEN`, { value: 'x' }, eve.headers)).status).toBe(
      403,
    );
    const schema = { columns: [{ name: 'a', type: 'string' }] };
    const { table } = await change('POST', '/api/v1/tables', { name: 'Lines', schema });
    await change('POST', `/api/v1/tables/${table.id}/rows`, { data: { a: 'x' } });
    await change('GET', `/api/v1/tables/${table.id}/export`);
    const found = (await entries()).slice(before);
    expect(found.map(({ action }) => action)).toEqual([
      'workflow.created',
      'workflow.updated',
      'deployment.created',
      'workflow.deployed',
      'workflow.undeployed',
      'workflow.exported',
      'secret.created',
      'api_key.created',
      'api_key.revoked',
      'invitation.created',
      'api_key.created',
      'member.added',
      'invitation.updated',
      'member.role_changed',
      'access.refused',
      'table.created',
      'table.exported',
    ]);
    const keyId = found[0]?.['keyId'];
    expect(found[1]).toEqual({
      id: expect.stringMatching(/^aud_/),
      workspaceId: home.id,
      actorKind: 'key',
      actorId: keyId,
      keyName: 'key',
      actorName: expect.any(String),
      actorEmail: null,
      keyId,
      requestId: 'req_of_a_test',
      ipAddress: expect.stringMatching(/127\.0\.0\.1|::1/),
      action: 'workflow.updated',
      resourceType: 'workflow',
      resourceId: id,
      resourceName: 'Sum',
      description: 'workflow Sum: updated',
      metadata: { folder: { from: '', to: 'sales' } },
      seq: before + 2,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      createdAt: expect.any(String),
    });
    expect(found[3]).toMatchObject({ metadata: { live_version: { from: null, to: 1 } } });
    expect(found[14]).toMatchObject({ actorKind: 'user', actorId: eve.id, actorEmail: eve.email });
    expect(JSON.stringify(found)).not.toContain('canary-of-the-audit-log');
    expect(JSON.stringify(found)).not.toContain(key.key);
    expect(found.filter(({ requestId, ipAddress }) => !requestId || !ipAddress)).toEqual([]);
  });

  test('the audit log has refused attempts, each kind once, in the log of their workspace', async () => {
    const { id, key } = await stack.givenWorkspace('attacked');
    const [ours, keys] = [{ 'x-api-key': key }, `/api/v1/workspaces/${id}/keys`];
    const workflow = await stack.givenDeployed(pure, ours);
    const viewer = (await stack.post(keys, { name: 'viewer', role: 'viewer' }, ours)).body.data;
    const gone = (await stack.post(keys, { name: 'gone' }, ours)).body.data;
    const asViewer = { 'x-api-key': viewer.key };
    for (let n = 0; n < 3; n++) {
      expect((await stack.post('/api/v1/workflows', {}, asViewer)).status).toBe(403);
      expect((await stack.execute(workflow, {}, asViewer)).status).toBe(403);
      expect((await stack.get(`/api/v1/workspaces/${id}`)).status).toBe(404);
    }
    expect((await stack.get('/api/v1/workspaces/ws_00000000000000000000000000000000')).status).toBe(404);
    await stack.call('DELETE', `${keys}/${gone.id}`, undefined, ours);
    expect((await stack.get('/api/v1/workflows', { 'x-api-key': gone.key })).status).toBe(401);
    const refused = async () =>
      (await stack.get('/api/v1/audit-logs?limit=100', ours)).body.data.filter(
        ({ action }: { action: string }) => action.endsWith('.refused'),
      );
    const found = await until(refused, ({ length }) => length >= 4);
    const shown = found.map((one: Record<string, unknown>) => [
      one['action'],
      one['actorId'],
      one['metadata'],
    ]);
    const [method, path] = ['POST', '/api/v1/workflows'];
    expect(shown).toHaveLength(4);
    expect(shown).toEqual(
      expect.arrayContaining([
        ['access.refused', viewer.id, { code: 'FORBIDDEN', method, path }],
        [
          'access.refused',
          viewer.id,
          { code: 'FORBIDDEN', method, path: '/api/workflows/:workflowId/execute', id: workflow },
        ],
        [
          'access.refused',
          expect.stringMatching(/^key_/),
          { code: 'NOT_FOUND', method: 'GET', path: '/api/v1/workspaces/:workspaceId' },
        ],
        ['api_key.refused', gone.id, { code: 'KEY_REVOKED', method: 'GET', path }],
      ]),
    );
    expect(found.every((one: Record<string, unknown>) => one['ipAddress'] && one['requestId'])).toBe(true);
  });

  test('the audit log has the person who answered or cancelled, without the answer', async () => {
    const workflow = await stack.givenDeployed(approval, mine);
    const { length } = await entries();
    const pausedAt = async () => (await stack.execute(workflow, { inputs: { amount: 5000 } }, mine)).body;
    const { paused, executionId } = await pausedAt();
    const { contextId } = paused.pausePoints[0];
    const answer = { input: { approved: true, note: 'canary-of-an-answer' } };
    await stack.post(`/api/resume/${workflow}/${executionId}/${contextId}`, answer, mine);
    const other = (await pausedAt()).executionId;
    await stack.post(`/api/workflows/${workflow}/executions/${other}/cancel`, undefined, mine);
    const found = (await entries()).slice(length);
    const { keyId } = found[0] ?? {};
    expect(found).toMatchObject([
      {
        action: 'answer.given',
        actorId: keyId,
        metadata: { execution_id: executionId, context_id: contextId },
      },
      { action: 'execution.cancel_requested', actorId: keyId, resourceId: other },
    ]);
    expect(JSON.stringify(found)).not.toContain('canary-of-an-answer');
  });

  test('the audit log is read by admins of its workspace, by pages and by filters', async () => {
    const all = await entries();
    const first = (await stack.get('/api/v1/audit-logs?limit=2', mine)).body;
    expect(first.limits.usage.plan).toBe('self_hosted');
    const second = (await stack.get(`/api/v1/audit-logs?limit=2&cursor=${first.nextCursor}`, mine)).body;
    expect([...first.data, ...second.data]).toEqual(all.toReversed().slice(0, 4));
    expect(await entries('&action=secret.created')).toMatchObject([{ resourceId: 'TOKEN' }]);
    expect(await entries('&startDate=2001-01-01&endDate=2001-01-02')).toEqual([]);
    const [one] = all;
    const path = `/api/v1/audit-logs/${String(one?.['id'])}`;
    expect((await stack.get(path, mine)).body.data).toEqual(one);
    expect((await stack.get(path)).status).toBe(404);
    const { key } = (
      await stack.post(`/api/v1/workspaces/${home.id}/keys`, { name: 'e', role: 'editor' }, mine)
    ).body.data;
    expect((await stack.get('/api/v1/audit-logs', { 'x-api-key': key })).status).toBe(403);
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=10000', 'limit'],
    ['cursor=made-up', 'cursor'],
    ['startDate=soon', 'startDate'],
    ['startDate=2026-02-02&endDate=2026-02-01', 'endDate'],
    ['who=me', 'who'],
  ])('the audit log refuses %s', async (query, path) => {
    const answer = await stack.get(`/api/v1/audit-logs?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path }] } });
  });
});
