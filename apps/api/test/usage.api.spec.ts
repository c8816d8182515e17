import { execFile } from 'node:child_process';
import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import pg from 'pg';
import { pure } from './support/definitions.ts';
import { block, line, respond } from './support/graphs.ts';
import { ModelServer } from './support/models.ts';
import { givenMember } from './support/people.ts';
import { Receiver } from './support/receiver.ts';
import { Stack, until, type Workspace } from './support/stack.ts';
import { testInWhole } from '#libs/platform/settings/support/whole';

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

let stack: Stack;
let echo: Receiver;
let models: ModelServer;
let theirs: Workspace;

beforeAll(async () => {
  stack = await Stack.start({
    ROLES: 'api',
    PRICE_PER_EXECUTION: '0.005',
    MODEL_PRICES: '{"priced":{"input":1000,"output":5000}}',
    CALL_PRICES: '{"http":0.001}',
    PLANS:
      '{"tiny":{"usage":0.012},"small":{"storage":200},"few":{"maxTables":1,"maxRowsPerTable":2},"rare":{"sync":1},"narrow":{"openExecutions":2,"pausedExecutions":2}}',
  });
  models = await ModelServer.start((_, before) => (before === 0 ? { refusal: 'no' } : {}));
  echo = await Receiver.start((_, response) => response.end('{}'));
  theirs = await stack.givenWorkspace();
});
afterAll(async () => {
  echo?.stop();
  models?.stop();
  await stack?.stop();
});

/** Has an endpoint hear of the limits of a workspace, because what nobody hears of is not written. Returns what reads them once all have come. */
async function hearLimits({ id, key }: Workspace): Promise<(limits: object[]) => Promise<void>> {
  const heard = { url: echo.url(), types: ['limit.reached'] };
  const made = await stack.post(`/api/v1/workspaces/${id}/endpoints`, heard, { 'x-api-key': key });
  expect(made.status).toBe(201);
  return async (limits) => {
    const owner = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
    await owner.connect();
    const read = `select data from events where type = 'limit.reached' and workspace_id = $1 order by data ->> 'limit'`;
    try {
      const told = await until(
        async () => (await owner.query(read, [id])).rows.map(({ data }) => data),
        ({ length }) => length >= limits.length,
      );
      expect(told).toMatchObject(limits);
    } finally {
      await owner.end();
    }
  };
}

/** Every log of a workspace, by pages. */
async function allLogs(headers: Record<string, string>) {
  const logs: { executionId: string; status: string; cost: { total: number } | null }[] = [];
  for (let cursor = ''; ;) {
    const { body } = await stack.get(`/api/v1/logs?limit=50${cursor && `&cursor=${cursor}`}`, headers);
    logs.push(...body.data);
    cursor = body.nextCursor;
    if (!cursor) return logs;
  }
}

// After kills the campaign of apps/faults asks the same.
testInWhole(
  'each run is in the logs once, as it ended, and the costs of all are the sum of the ledger',
  async () => {
    const { id, key } = await stack.givenWorkspace('is killed');
    const headers = { 'x-api-key': key };
    const tells = block('tell', 'http', { url: echo.url(), idempotent: true });
    const waits = block('ask', 'human', { title: 'Go on?', form: [{ name: 'ok', type: 'boolean' }] });
    const kinds = await Promise.all(
      [[tells, respond('{{ tell }}')], [respond('{{ start.gone + 1 }}')], [waits], [waits, respond('2')]].map(
        (blocks) => stack.givenDeployed(line(...blocks), headers),
      ),
    );
    const wanted: Record<string, string> = {};
    const settled = ['completed', 'failed', 'paused', 'cancelled'];
    const accept = async (n: number) => {
      const kind = n % kinds.length;
      const body = { inputs: {}, async: true };
      const accepted = await stack.execute(kinds[kind] ?? '', body, headers);
      wanted[accepted.body.executionId] = settled[kind] ?? '';
      if (kind === 3) {
        const cancel = `/api/workflows/${kinds[3]}/executions/${accepted.body.executionId}/cancel`;
        await stack.post(cancel, undefined, headers);
      }
    };
    await Promise.all(Array.from({ length: 120 }, (_, n) => accept(n)));
    const differing = async () =>
      (await allLogs(headers)).flatMap(({ executionId, status }) =>
        status === wanted[executionId] ? [] : [[executionId, status, wanted[executionId]]],
      );
    await until(differing, ({ length }) => length === 0);
    const costOf = (all: Awaited<ReturnType<typeof allLogs>>) =>
      all.reduce((total, { cost }) => total + (cost?.total ?? 0), 0);
    // 90 ended, and 30 of them have called.
    const logs = await allLogs(headers);
    expect(costOf(logs)).toBeCloseTo(90 * 0.005 + 30 * 0.001, 6);
    expect(logs.map(({ executionId }) => executionId).toSorted()).toEqual(Object.keys(wanted).toSorted());
    const owner = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
    await owner.connect();
    const ledger = `select sum(cost)::float8 as cost, count(*) filter (where kind = 'execution')::int as ends from usage_entries where workspace_id = $1`;
    const { rows } = await owner.query<{ cost: number; ends: number }>(ledger, [id]);
    await owner.end();
    expect(rows[0]?.ends).toBe(logs.filter(({ status }) => status !== 'paused').length);
    expect(costOf(logs)).toBeCloseTo(rows[0]?.cost ?? 0, 6);
    const { total } = (await stack.get('/api/v1/usage', headers)).body;
    const { usage } = (await stack.get('/api/users/me/usage-limits', headers)).body;
    expect([total.cost, usage.currentPeriodCost]).toEqual([rows[0]?.cost, rows[0]?.cost]);
  },
);

describe('cost of an execution', () => {
  const usageBy = async (groupBy: string, headers: Record<string, string>) =>
    (await stack.get(`/api/v1/usage?groupBy=${groupBy}`, headers)).body;
  const givenPayer = async (name: string) => {
    const home = await stack.givenWorkspace(name);
    return { home, headers: { 'x-api-key': home.key } };
  };
  const runTool = async (...args: string[]) => {
    const env = { ...process.env, ...stack.env };
    return promisify(execFile)(process.execPath, ['dist/apps/api/src/commands/plans.js', ...args], { env });
  };

  test('the cost of an execution is the sum of its end, its calls and the turns of its models, a refused turn too, under its starter', async () => {
    const { home, headers } = await givenPayer('asks models');
    const member = await givenMember(stack, 'ann@payer.example', 'editor', home);
    const named = { ...member.headers };
    const ask = block('ask', 'llm', { model: 'priced', prompt: 'What?', baseUrl: models.url });
    const tell = block('tell', 'http', { url: echo.url() });
    const workflow = await stack.givenDeployed(line(tell, ask, respond('{{ ask.content }}')), headers);
    const refused = (await stack.execute(workflow, {}, named)).body;
    expect(refused.failure.code).toBe('MODEL_REFUSED');
    expect((await stack.execute(workflow, {}, named)).body.output).toBe('hello');
    // 11 tokens were asked and 4 were answered, by the million.
    const [turn, each] = [0.011 + 0.02, 0.005 + 0.001];
    const { data } = (await stack.get('/api/v1/logs', headers)).body;
    expect(data.map(({ cost }: { cost: { total: number } }) => cost.total)).toEqual([
      each + turn,
      each + turn,
    ]);
    expect((await usageBy('kind', headers)).data).toEqual([
      { group: 'model', name: null, cost: 2 * turn, entries: 2 },
      { group: 'execution', name: null, cost: 0.01, entries: 2 },
      { group: 'call', name: null, cost: 0.002, entries: 2 },
    ]);
    const byMember = await usageBy('member', headers);
    expect(byMember.data).toMatchObject([{ group: member.id, entries: 6 }]);
    expect(byMember.total.cost).toBeCloseTo(2 * (each + turn), 6);
    expect(byMember.total.executions).toBe(2);
    const { executionId } = data[0];
    const detail = (await stack.get(`/api/v1/logs/${executionId}`, headers)).body.data;
    const blocks: { blockId: string; cost: number | null }[] = detail.executionData.blocks;
    expect(blocks.map(({ blockId, cost }) => [blockId, cost])).toEqual([
      ['tell', 0.001],
      ['ask', turn],
      ['done', null],
    ]);
  });

  test('the cost of an execution is capped by an admin for a member: executions above the cap are 402 and name it, other people go on', async () => {
    const { home, headers } = await givenPayer('caps members');
    const expectTold = await hearLimits(home);
    const member = await givenMember(stack, 'bea@payer.example', 'editor', home);
    const other = await givenMember(stack, 'cem@payer.example', 'editor', home);
    const workflow = await stack.givenDeployed(pure, headers);
    const cap = `/api/v1/workspaces/${home.id}/members/${member.id}/cap`;
    const inputs = { inputs: { amount: 1 } };
    const statusOf = async (who: Record<string, string>) =>
      (await stack.execute(workflow, inputs, who)).status;
    expect((await stack.get(cap, headers)).status).toBe(404);
    const set = await stack.call('PUT', cap, { monthlyCost: 0.01 }, headers);
    const shown = {
      userId: member.id,
      monthlyCost: 0.01,
      currentPeriodCost: 0,
      isExceeded: false,
      updatedAt: time,
    };
    expect([set.status, set.body]).toEqual([200, { data: shown }]);
    expect([await statusOf(member.headers), await statusOf(member.headers)]).toEqual([200, 200]);
    const refused = await stack.execute(workflow, inputs, member.headers);
    const error = `The member ${member.id} has used up the monthly cap of 0.01 in this workspace.`;
    expect([refused.status, refused.body]).toEqual([
      402,
      {
        error,
        code: 'USAGE_LIMIT_EXCEEDED',
        requestId: expect.any(String),
        details: [{ path: '', message: error, code: 'member_cap' }],
      },
    ]);
    await expectTold([{ limit: 'member_cap', userId: member.id, message: error }]);
    expect([await statusOf(other.headers), await statusOf(headers)]).toEqual([200, 200]);
    const spent = { limit: 0.01, currentPeriodCost: 0.01, isExceeded: true };
    expect((await stack.get('/api/users/me/usage-limits', member.headers)).body.memberCap).toEqual(spent);
    const listed = (await stack.get(`/api/v1/workspaces/${home.id}/caps`, member.headers)).body.data;
    expect(listed).toEqual([{ ...shown, currentPeriodCost: 0.01, isExceeded: true }]);
    await stack.call('PUT', cap, { monthlyCost: 0.02 }, headers);
    expect(await statusOf(member.headers)).toBe(200);
    await stack.call('DELETE', cap, undefined, headers);
    expect((await stack.call('DELETE', cap, undefined, headers)).status).toBe(404);
    const audited = (await stack.get(`/api/v1/audit-logs?resourceType=member_cap`, headers)).body.data;
    expect(audited).toMatchObject([
      { action: 'member_cap.deleted', resourceId: member.id },
      { action: 'member_cap.updated', metadata: { monthly_cost: { from: 0.01, to: 0.02 } } },
      { action: 'member_cap.created' },
    ]);
  });

  test.each([
    ['a member', { monthlyCost: 1 }, 403, undefined],
    ['a cap below 0', { monthlyCost: -1 }, 400, 'monthlyCost'],
    ['a cap that would be rounded to 0', { monthlyCost: 0.0000001 }, 400, 'monthlyCost'],
    ['a cap that is text', { monthlyCost: '1' }, 400, 'monthlyCost'],
    ['a cap that is missing', {}, 400, 'monthlyCost'],
    ['a field that there is not', { monthlyCost: 1, daily: true }, 400, 'daily'],
  ])('the cost of an execution is not capped by %s', async (_, body, status, path) => {
    const member = status === 403 ? await givenMember(stack, 'dan@payer.example', 'editor') : undefined;
    const me = (await stack.get(`/api/v1/workspaces/${stack.home.id}/members`)).body.data[0].userId;
    const cap = `/api/v1/workspaces/${stack.home.id}/members/${me}/cap`;
    const answer = await stack.call('PUT', cap, body, member?.headers);
    expect([answer.status, answer.body.details?.[0].path]).toEqual([status, path]);
    expect((await stack.get(cap)).status).toBe(404);
    const stranger = `/api/v1/workspaces/${theirs.id}/members/${me}/cap`;
    expect((await stack.call('PUT', stranger, { monthlyCost: 1 })).status).toBe(404);
  });

  test('the cost of an execution is shown to a personal key for the named workspace, with the cap of its user there', async () => {
    const { home, headers } = await givenPayer('is one of two');
    const workflow = await stack.givenDeployed(pure, headers);
    await stack.execute(workflow, { inputs: { amount: 1 } }, headers);
    const mine = { 'x-api-key': stack.personalKey };
    const asked = `?workspaceId=${home.id}`;
    const { userId } = (await stack.get(`/api/v1/workspaces/${home.id}/members`, mine)).body.data[0];
    const cap = `/api/v1/workspaces/${home.id}/members/${userId}/cap`;
    expect((await stack.call('PUT', cap, { monthlyCost: 3 }, mine)).status).toBe(200);
    const limits = (await stack.get(`/api/users/me/usage-limits${asked}`, mine)).body;
    expect(limits).toMatchObject({ usage: { currentPeriodCost: 0.005 }, memberCap: { limit: 3 } });
    expect((await stack.get(`/api/v1/logs${asked}`, mine)).body.limits.usage).toEqual(limits.usage);
    expect((await stack.get('/api/users/me/usage-limits', mine)).body.memberCap).toBeNull();
    expect((await stack.get('/api/users/me/usage-limits?workspaceId=ws_none', mine)).status).toBe(404);
    expect(await stack.get('/api/users/me/usage-limits?workspace=a', mine)).toMatchObject({
      status: 400,
      body: { details: [{ path: 'workspace' }] },
    });
  });

  test('the cost of an execution is bounded by the plan that the operator assigns, with 402 for executions alone', async () => {
    const { home, headers } = await givenPayer('has a plan');
    const assigned = await runTool('assign', home.id, 'tiny');
    const expectTold = await hearLimits(home);
    expect(JSON.parse(assigned.stdout)).toEqual({ workspaceId: home.id, name: 'has a plan', plan: 'tiny' });
    const workflow = await stack.givenDeployed(pure, headers);
    const run = () => stack.execute(workflow, { inputs: { amount: 1 } }, headers);
    expect([(await run()).status, (await run()).status, (await run()).status]).toEqual([200, 200, 200]);
    const refused = await run();
    expect(refused).toMatchObject({
      status: 402,
      body: {
        code: 'USAGE_LIMIT_EXCEEDED',
        details: [{ code: 'plan_limit', message: expect.stringContaining('tiny') }],
      },
    });
    const month = new Date().toISOString().slice(0, 7);
    await expectTold([{ limit: 'usage', userId: null, period: month }]);
    expect((await stack.get('/api/users/me/usage-limits', headers)).body.usage).toEqual({
      currentPeriodCost: 0.015,
      limit: 0.012,
      plan: 'tiny',
      isExceeded: true,
    });
    const [changed] = (await stack.get('/api/v1/audit-logs?action=workspace.updated', headers)).body.data;
    expect(changed).toMatchObject({
      actorKind: 'operator',
      metadata: { plan: { from: 'self_hosted', to: 'tiny' } },
    });
    await expect(runTool('assign', home.id, 'gold')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('gold'),
    });
    expect((await runTool('workspaces')).stdout).toContain(home.id);
  });

  test('the cost of an execution stays within its limit when executions are sent at once: open executions count with their price', async () => {
    const { home, headers } = await givenPayer('is asked at once');
    await runTool('assign', home.id, 'tiny');
    const waits = block('wait', 'wait', { duration: 'PT30S' });
    const workflow = await stack.givenDeployed(line(waits), headers);
    const run = () => stack.execute(workflow, { inputs: {}, async: true }, headers);
    await until(run, ({ body }) => body.limits?.usage.plan === 'tiny');
    const answers = await Promise.all(Array.from({ length: 20 }, run));
    // Three in all cost 0.015, and two of them 0.01: below the limit of 0.012, as the first was.
    const accepted = (await stack.get(`/api/v1/logs?workflowIds=${workflow}`, headers)).body.data;
    expect(accepted.length).toBe(3);
    const refused = answers.filter(({ status }) => status !== 202);
    expect(refused.length).toBeGreaterThanOrEqual(18);
    for (const { status, body, headers: sent } of refused) {
      expect([status, body.details[0].code]).toEqual([402, 'plan_limit']);
      expect(sent.get('x-ratelimit-limit')).not.toBeNull();
    }
  });

  test('the cost of an execution bounds the executions under way and the paused ones by the plan: one more is 429, until one has ended', async () => {
    const { home, headers } = await givenPayer('has much to do');
    await runTool('assign', home.id, 'narrow');
    const expectTold = await hearLimits(home);
    const wait = await stack.givenDeployed(line(block('wait', 'wait', { duration: 'PT30S' })), headers);
    const ask = await stack.givenDeployed(
      line(block('ask', 'human', { title: 'Go on?', form: [{ name: 'ok', type: 'boolean' }] })),
      headers,
    );
    const run = (workflow: string) => stack.execute(workflow, { inputs: {}, async: true }, headers);
    const first = await until(
      () => run(ask),
      ({ body }) => body.limits?.usage.plan === 'narrow',
    );
    expect((await run(wait)).status).toBe(202);
    const second = await run(wait);
    expect(second.status).toBe(202);
    const refused = await run(wait);
    expect(refused).toMatchObject({ status: 429, body: { code: 'EXECUTION_LIMIT_EXCEEDED' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await stack.post(`/api/workflows/${wait}/executions/${second.body.executionId}/cancel`, {}, headers);
    await until(
      () => run(ask),
      ({ status }) => status === 202,
    );
    const paused = await until(
      () => run(ask),
      ({ body, status }) => status === 429 && /paused/.test(body.error),
    );
    expect(paused.body.error).toContain('narrow');
    await expectTold([{ limit: 'executions' }, { limit: 'paused_executions', userId: null }]);
    expect(first.status).toBe(202);
  });

  test('the cost of an execution does not bound a repeated Idempotency-Key: it takes no token, and nothing is done twice', async () => {
    const { home, headers } = await givenPayer('repeats a call');
    const expectTold = await hearLimits(home);
    const held: ServerResponse[] = [];
    const slow = await Receiver.start((_, response) => void held.push(response));
    // The call is held while an API starts, which takes long beside other load.
    const patient = { timeout: 'PT10M' };
    const tells = await stack.givenDeployed(
      line(block('tell', 'http', { url: slow.url() }, patient)),
      headers,
    );
    const quick = await stack.givenDeployed(pure, headers);
    await runTool('assign', home.id, 'rare');
    const run = (workflow: string, more = {}) =>
      stack.execute(workflow, { inputs: { amount: 1 } }, { ...headers, ...more });
    const key = { 'idempotency-key': 'once' };
    const cut = run(tells, key).catch(() => 'cut off');
    await until(
      async () => slow.received,
      ({ length }) => length === 1,
    );
    await stack.api.kill();
    expect(await cut).toBe('cut off');
    await stack.startApi();
    // The lock of the dead process, which lasts 15 s.
    const owner = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
    await owner.connect();
    await owner.query(`update idempotency_keys set locked_until = now() where key = 'once'`);
    await owner.end();
    await until(
      () => run(quick),
      ({ status, body }) => status === 429 && body.code === 'RATE_LIMIT_EXCEEDED',
    );
    await expectTold([{ limit: 'rate', bucket: 'sync' }]);
    await stack.call('DELETE', `/api/v1/workflows/${tells}/deploy`, undefined, headers);
    const again = run(tells, key);
    held.forEach((response) => response.end('{}'));
    expect(await again).toMatchObject({ status: 200, body: { status: 'completed' } });
    expect((await run(quick)).status).toBe(429);
    expect((await run(tells, key)).headers.get('idempotency-replayed')).toBe('true');
    expect(slow.received).toHaveLength(1);
    slow.stop();
  });

  test('the cost of an execution bounds the tables and their rows by the plan: one more is 400, and the limits show the numbers', async () => {
    const { home, headers } = await givenPayer('has few tables');
    const limits = async () => (await stack.get('/api/users/me/usage-limits', headers)).body.tables;
    expect(await limits()).toEqual({ count: 0, maxTables: 10_000, maxRowsPerTable: 10_000_000 });
    await runTool('assign', home.id, 'few');
    await until(limits, ({ maxTables }) => maxTables === 1);
    const schema = { columns: [{ name: 'a', type: 'number' }] };
    const create = (name: string) => stack.post('/api/v1/tables', { name, schema }, headers);
    const { id, maxRows } = (await create('First')).body.data.table;
    expect(maxRows).toBe(2);
    expect(await create('Second')).toMatchObject({
      status: 400,
      body: { details: [{ code: 'max_tables' }] },
    });
    const rows = `/api/v1/tables/${id}/rows`;
    const insert = (...values: number[]) => stack.post(rows, { rows: values.map((a) => ({ a })) }, headers);
    expect((await insert(1, 2)).status).toBe(201);
    expect(await insert(3)).toMatchObject({ status: 400, body: { details: [{ code: 'max_rows' }] } });
    const csv = { ...headers, 'content-type': 'text/csv' };
    const lines = await stack.call('POST', `/api/v1/tables/${id}/import`, 'a\n3\n', csv);
    expect([lines.status, JSON.stringify(lines.body)]).toEqual([
      400,
      expect.stringContaining('may have 2 rows'),
    ]);
    expect(await limits()).toEqual({ count: 1, maxTables: 1, maxRowsPerTable: 2 });
    await runTool('assign', home.id, 'self_hosted');
    await until(
      () => insert(3),
      ({ status }) => status === 201,
    );
    expect((await stack.get(`/api/v1/tables/${id}`, headers)).body.data.table.maxRows).toBe(10_000_000);
  });

  test('the cost of an execution stores nothing more in a full workspace: a write is 402, and deleting makes room', async () => {
    const { home, headers } = await givenPayer('is full');
    await runTool('assign', home.id, 'small');
    const schema = { columns: [{ name: 'a', type: 'string' }] };
    const { id } = (await stack.post('/api/v1/tables', { name: 'Lines', schema }, headers)).body.data.table;
    const base = (await stack.post('/api/v1/knowledge', { name: 'Base' }, headers)).body.data.knowledgeBase
      .id;
    const rows = `/api/v1/tables/${id}/rows`;
    const insert = () => stack.post(rows, { data: { a: 'x'.repeat(300) } }, headers);
    const rowId = (await insert()).body.data.row.id;
    const refused = await until(insert, ({ status }) => status === 402);
    expect(refused.body).toMatchObject({
      code: 'STORAGE_LIMIT_EXCEEDED',
      details: [{ path: '', code: 'storage_limit', message: expect.stringContaining('200 bytes') }],
    });
    const note = { filename: 'a.txt', content: 'A note.' };
    const csv = { ...headers, 'content-type': 'text/csv' };
    const others = [
      await stack.post(`${rows}/upsert`, { data: { a: 'y' }, conflictTarget: 'a' }, headers),
      await stack.call('PATCH', `${rows}/${rowId}`, { data: { a: 'y' } }, headers),
      await stack.post(`/api/v1/knowledge/${base}/documents`, note, headers),
      await stack.call('POST', `/api/v1/tables/${id}/import`, 'a\nb\n', csv),
    ];
    expect(others.map(({ status }) => status)).toEqual([402, 402, 402, 402]);
    const write = block('write', 'table', { table: id, operation: 'insert', data: { a: 'z' } });
    const workflow = await stack.givenDeployed(line(write, respond('{{ write }}')), headers);
    const failed = (await stack.execute(workflow, {}, headers)).body;
    expect(failed.failure).toMatchObject({
      code: 'TABLE_REFUSED',
      message: expect.stringContaining('200 bytes'),
    });
    expect((await stack.call('DELETE', rows, { all: true, filter: {} }, headers)).status).toBe(200);
    await until(insert, ({ status }) => status === 201);
  });
});

describe('workspace', () => {
  test('a workspace never loses its last usable key, and an operator can open it', async () => {
    const mine = { 'x-api-key': stack.personalKey };
    const { id } = (await stack.post('/api/v1/workspaces', { name: 'Locked' }, mine)).body.data;
    const path = `/api/v1/workspaces/${id}`;
    const refused = { status: 409, body: { code: 'LAST_ADMIN_KEY' } };
    const off = { personalKeysAllowed: false };
    await stack.post(`${path}/keys`, { name: 'editor', role: 'editor' }, mine);
    expect(await stack.call('PATCH', path, off, mine)).toMatchObject(refused);
    const makeKey = async (name: string) =>
      (await stack.post(`${path}/keys`, { name, role: 'admin' }, mine)).body.data;
    const [one, other] = [await makeKey('one'), await makeKey('other')];
    expect((await stack.call('PATCH', path, off, mine)).status).toBe(200);
    const admin = { 'x-api-key': one.key };
    expect((await stack.call('DELETE', `${path}/keys/${other.id}`, undefined, admin)).status).toBe(200);
    expect(await stack.call('DELETE', `${path}/keys/${one.id}`, undefined, admin)).toMatchObject(refused);
    expect((await stack.get(path, admin)).body.data.personalKeysAllowed).toBe(false);
    const run = (...args: string[]) =>
      promisify(execFile)(process.execPath, ['dist/apps/api/src/commands/workspaces.js', ...args], {
        env: { ...process.env, ...stack.env },
      });
    const { stdout } = await run('open', id);
    expect(JSON.parse(stdout)).toMatchObject({ workspaceId: id, personalKeysAllowed: true, adminKeys: 1 });
    const created = await run('create', 'By the operators', 'admin@localhost');
    expect(JSON.parse(created.stdout)).toMatchObject({ name: 'By the operators', admins: 1 });
    await expect(run('create', 'For nobody', 'nobody@example.org')).rejects.toMatchObject({ code: 2 });
    await expect(run('open', 'ws_none')).rejects.toMatchObject({ code: 2 });
    const answer = await until(
      () => stack.get(path, mine),
      ({ status }) => status === 200,
    );
    expect(answer.body.data.personalKeysAllowed).toBe(true);
    const { data } = (await stack.get(`/api/v1/audit-logs?workspaceId=${id}&limit=1`, mine)).body;
    expect(data[0]).toMatchObject({ action: 'workspace.updated', actorKind: 'operator' });
  });
});
