import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { pure } from './support/definitions.ts';
import { block, line, respond } from './support/graphs.ts';
import { givenMember } from './support/people.ts';
import { Receiver } from './support/receiver.ts';
import { type Answer, Stack, type Workspace } from './support/stack.ts';

const canary = 'canary-5b1d20-never-to-be-seen';
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

let stack: Stack;
let echo: Receiver;
let theirs: Workspace;
/** Ids of workflows and of their executions, by what they do. */
const workflows: Record<string, string> = {};
const runs: Record<string, string> = {};

beforeAll(async () => {
  stack = await Stack.start({ PRICE_PER_EXECUTION: '0.005', CALL_PRICES: '{"http":0.001}' });
  echo = await Receiver.start(({ headers }, response) => response.end(JSON.stringify(headers)));
  theirs = await stack.givenWorkspace();
  await stack.call('PUT', `/api/v1/workspaces/${stack.home.id}/secrets/TOKEN`, { value: canary });
  workflows['passes'] = await stack.givenDeployed(pure);
  const tell = block('tell', 'http', { url: echo.url(), headers: { 'x-told': '{{ secrets.TOKEN }}' } });
  const each = { blocks: [tell], edges: [{ from: 'start', to: 'tell' }] };
  const box = { id: 'box', type: 'loop', params: { count: 2 }, body: each };
  workflows['tells'] = await stack.givenDeployed(line(box, respond('{{ box }}')));
  workflows['fails'] = await stack.givenDeployed(
    line(block('code', 'function', { code: 'throw new Error("no such luck")' })),
  );
  const sub = block('sub', 'workflow', { workflowId: workflows['passes'], inputs: { amount: 3 } });
  workflows['asks'] = await stack.givenDeployed(line(sub, respond('{{ sub }}')));
  for (const name of ['passes', 'tells', 'fails', 'asks']) {
    const { body } = await stack.execute(workflows[name] ?? '', { inputs: { amount: 5 } });
    runs[name] = body.executionId;
  }
  const headers = { 'x-api-key': theirs.key };
  workflows['theirs'] = await stack.givenDeployed(pure, headers);
  runs['theirs'] = (
    await stack.execute(workflows['theirs'], { inputs: { amount: 5 } }, headers)
  ).body.executionId;
});
afterAll(async () => {
  echo?.stop();
  await stack?.stop();
});

const logOf = (executionId = '') => executionId.replace('exec_', 'log_');
const list = (query: string, headers?: Record<string, string>) => stack.get(`/api/v1/logs?${query}`, headers);
const executionsIn = ({ body }: Answer): string[] =>
  body.data.map((log: { executionId: string }) => log.executionId);
const toDay = ({ createdAt }: { createdAt: string }) => createdAt.slice(0, 10);

describe('GET /api/v1/logs', () => {
  test('GET /api/v1/logs has each execution of the workspace once, the newest first, with its limits', async () => {
    const answer = await list('');
    const [child, ...rest] = executionsIn(answer);
    expect(rest).toEqual([runs['asks'], runs['fails'], runs['tells'], runs['passes']]);
    expect(child).not.toBe(runs['asks']);
    const { data, limits, nextCursor } = answer.body;
    expect(data.at(-1)).toEqual({
      id: logOf(runs['passes']),
      isTest: false,
      workspaceId: stack.home.id,
      title: 'amount: 5, note: none',
      startedBy: expect.any(String),
      startedById: expect.stringMatching(/^key_/),
      workflowId: workflows['passes'],
      workflowName: expect.any(String),
      version: 1,
      executionId: runs['passes'],
      deploymentVersionId: expect.stringMatching(/^dep_/),
      level: 'info',
      status: 'completed',
      trigger: 'api',
      triggerId: null,
      createdAt: time,
      startedAt: time,
      endedAt: time,
      totalDurationMs: expect.any(Number),
      cost: { total: 0.005 },
      error: null,
    });
    expect(data[2]).toMatchObject({ level: 'error', status: 'failed', error: expect.stringContaining('no') });
    expect(limits.usage.currentPeriodCost).toBeGreaterThan(0);
    expect(nextCursor).toBeNull();
  });

  test('GET /api/v1/logs is read by pages in both orders', async () => {
    const all = executionsIn(await list(''));
    for (const order of ['asc', 'desc']) {
      const found: string[] = [];
      for (let cursor = ''; ;) {
        const page = await list(`limit=2&order=${order}${cursor && `&cursor=${cursor}`}`);
        found.push(...executionsIn(page));
        cursor = page.body.nextCursor;
        if (!cursor) break;
      }
      expect(found).toEqual(order === 'asc' ? all.toReversed() : all);
    }
  });

  test.each([
    ['level=error', ['fails']],
    ['status=failed,cancelled', ['fails']],
    ['triggers=api&maxDurationMs=0&minDurationMs=0&status=queued', []],
    ['triggers=none', []],
    ['triggers=all&level=error', ['fails']],
    ['minCost=0.006', ['tells']],
    ['minCost=0.006&status=failed', []],
    ['endDate=2001-01-31', []],
    ['folderIds=none', []],
    ['search=%25%25', []],
    ['model=none', []],
  ])('GET /api/v1/logs filters by %s', async (query, names) => {
    expect(executionsIn(await list(query))).toEqual(names.map((name) => runs[name]));
  });

  test('GET /api/v1/logs filters by workflow, by execution and by origin', async () => {
    const wanted = `workflowIds=${workflows['tells']},${workflows['fails']}`;
    expect(executionsIn(await list(wanted))).toEqual([runs['fails'], runs['tells']]);
    for (const id of [runs['tells'], logOf(runs['tells'])])
      expect(executionsIn(await list(`executionId=${id}`))).toEqual([runs['tells']]);
    expect((await list('triggers=workflow')).body.data).toMatchObject([
      { workflowId: workflows['passes'], trigger: 'workflow' },
    ]);
  });

  test('GET /api/v1/logs finds text of a failure, in any case', async () => {
    const [failed] = (await list('level=error')).body.data;
    const found = await list(`search=${encodeURIComponent(failed.error.toUpperCase())}`);
    expect(executionsIn(found)).toEqual([runs['fails']]);
    expect(found.body.cut).toBe(false);
  });

  test('GET /api/v1/logs finds text in the details of a failure', async () => {
    const refusing = await Receiver.start((_, response) =>
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"why":"the barrel is \\"empty\\""}'),
    );
    const headers = { 'x-api-key': (await stack.givenWorkspace('is refused')).key };
    const workflow = await stack.givenDeployed(line(block('tell', 'http', { url: refusing.url() })), headers);
    const { executionId } = (await stack.execute(workflow, { inputs: {} }, headers)).body;
    refusing.stop();
    for (const text of ['Barrel', 'is "empty"'])
      expect(executionsIn(await list(`search=${encodeURIComponent(text)}`, headers))).toEqual([executionId]);
  });

  test('GET /api/v1/logs takes a date without a time as the whole day', async () => {
    const all = await list('');
    const days: string[] = all.body.data.map(toDay);
    const [last, first] = [days[0], days.at(-1)];
    expect(executionsIn(await list(`startDate=${first}&endDate=${last}`))).toEqual(executionsIn(all));
  });

  test.each([' ', 'T', 'T+00:00'])(
    'GET /api/v1/logs takes a time with %j between date and zone for that moment, or refuses it',
    async (form) => {
      const [newest] = (await list('')).body.data;
      const [date, clock] = new Date(Date.parse(newest.createdAt) - 1).toISOString().slice(0, -1).split('T');
      const text = form === 'T+00:00' ? `${date}T${clock}+00:00` : `${date}${form}${clock}Z`;
      const answer = await list(`endDate=${encodeURIComponent(text)}`);
      if (form === ' ')
        expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'endDate' }] } });
      else expect(executionsIn(answer)).not.toContain(newest.executionId);
    },
  );

  test('GET /api/v1/logs has the workflow, the blocks as a tree and the output on request', async () => {
    const query = `details=full&includeFinalOutput=true&includeTraceSpans=true&executionId=${runs['tells']}`;
    const [log] = (await list(query)).body.data;
    expect(log.workflow).toMatchObject({ id: workflows['tells'], deleted: false });
    expect(log.blocks.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining(['box', 'tell@box[0]', 'tell@box[1]']),
    );
    const box = log.traceSpans.find(({ id }: { id: string }) => id === 'box');
    expect(box).toMatchObject({ type: 'loop', status: 'success' });
    expect(box.children).toMatchObject([
      { id: 'tell@box[0]', blockId: 'tell', status: 'success', children: [] },
      { id: 'tell@box[1]', startTime: time, endTime: time },
    ]);
    expect(log).toHaveProperty('finalOutput');
    expect(log.blocksCut).toBe(false);
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=10000', 'limit'],
    ['limit=101&details=full', 'limit'],
    ['cursor=made-up', 'cursor'],
    ['level=warn', 'level'],
    ['status=finished', 'status'],
    ['status=,', 'status'],
    ['startDate=yesterday', 'startDate'],
    ['startDate=2026-02-30', 'startDate'],
    ['startDate=2026-01-31T24:00:00Z', 'startDate'],
    ['startDate=2026-01-31T10:00:00+02:00', 'startDate'],
    ['startDate=2026-02-30T10:00:00Z', 'startDate'],
    ['endDate=2026-11', 'endDate'],
    ['startDate=2026-02-02&endDate=2026-02-01', 'endDate'],
    ['minDurationMs=-1', 'minDurationMs'],
    ['minDurationMs=2&maxDurationMs=1', 'maxDurationMs'],
    ['minCost=much', 'minCost'],
    ['minCost=2&maxCost=1', 'maxCost'],
    ['order=up', 'order'],
    ['details=all', 'details'],
    ['search=x', 'search'],
    ['folderIds=a,,b', 'folderIds'],
    ['folderIds=/sales/', 'folderIds'],
    [`workflowIds=${'a,'.repeat(100)}a`, 'workflowIds'],
    ['workflowIds=wf_nobody', 'workflowIds'],
  ])('GET /api/v1/logs refuses %s', async (query, path) => {
    const answer = await list(query);
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path }] } });
  });
});

test('the costs in the logs add up to the usage of the day, by workflow and as CSV', async () => {
  const logs: { workflowId: string; createdAt: string; cost: { total: number } }[] = (await list('')).body
    .data;
  const { data, total } = (await stack.get('/api/v1/usage?groupBy=workflow')).body;
  const costOf = (id = '') =>
    logs.filter(({ workflowId }) => workflowId === id).reduce((sum, { cost }) => sum + cost.total, 0);
  for (const { group, cost } of data) expect(cost).toBeCloseTo(costOf(group), 6);
  // The loop of one execution has called twice.
  expect(total.cost).toBeCloseTo(0.005 * logs.length + 0.002, 6);
  const csv = await stack.get('/api/v1/usage/export');
  expect(csv.headers.get('content-type')).toContain('text/csv');
  const { data: days } = (await stack.get('/api/v1/usage?groupBy=day')).body;
  expect(days.map(({ group }: { group: string }) => group)).toEqual([...new Set(logs.map(toDay))].toSorted());
  const counts: number[] = days.map(({ entries }: { entries: number }) => entries);
  expect(counts.reduce((sum, entries) => sum + entries)).toBe(logs.length + 2);
  const lines = days.map(
    ({ group, cost, entries }: Record<string, string>) => `${group},,${cost},${entries}\r\n`,
  );
  expect(csv.body).toBe(`group,name,cost,entries\r\n${lines.join('')}`);
});

test.each([
  ['groupBy=hour', 'groupBy'],
  ['startDate=2026-02-02&endDate=2026-02-01', 'endDate'],
  ['startDate=2024-01-01&endDate=2026-02-01', 'startDate'],
  ['endDate=soon', 'endDate'],
  ['limit=0', 'limit'],
])('a query of usage with %s is refused', async (query, path) => {
  expect(await stack.get(`/api/v1/usage?${query}`)).toMatchObject({
    status: 400,
    body: { details: [{ path }] },
  });
});

test('the usage of another workspace does not exist for a caller', async () => {
  expect((await stack.get(`/api/v1/usage?workspaceId=${theirs.id}`)).status).toBe(404);
});

test('an execution shows its blocks as published clients do, when asked', async () => {
  const headers = { 'x-include-trace-spans': 'true' };
  const workflow = `/api/workflows/${workflows['tells']}`;
  const { body } = await stack.call('POST', `${workflow}/execute`, {}, headers);
  expect(body.logs.map(({ path }: { path: string }) => path)).toEqual(
    expect.arrayContaining(['box', 'tell@box[0]']),
  );
  expect(body.traceSpans.find(({ id }: { id: string }) => id === 'box').children).toHaveLength(2);
  expect(body.totalDuration).toBe(body.metadata.duration);
  const path = `${workflow}/executions/${body.executionId}`;
  const read = (await stack.get(`${path}?includeTraceSpans=true`)).body;
  expect(read).toMatchObject({ logs: read.blocks, traceSpans: body.traceSpans });
  expect((await stack.get(path)).body).not.toHaveProperty('traceSpans');
});

describe('GET /api/v1/logs/stats', () => {
  interface Line {
    at: string;
    runs: number;
    failed: number;
    cost: number;
    p50Ms: number | null;
  }
  const read = async (query = ''): Promise<Line[]> =>
    (await stack.call('GET', `/api/v1/logs/stats?workspaceId=${stack.home.id}${query}`)).body.data;
  const sum = (lines: Line[], count: 'runs' | 'failed' | 'cost') =>
    lines.reduce((all, one) => all + one[count], 0);

  test('GET /api/v1/logs/stats counts each execution once, in its hour and in its day', async () => {
    const { body } = await stack.call('GET', `/api/v1/logs?workspaceId=${stack.home.id}&limit=1000`);
    const logs: { status: string; createdAt: string; cost: { total: number } | null }[] = body.data;
    for (const by of ['hour', 'day']) {
      const lines = await read(`&by=${by}`);
      expect(lines.length).toBeGreaterThanOrEqual(by === 'hour' ? 24 : 30);
      expect(sum(lines, 'runs')).toBe(logs.length);
      expect(sum(lines, 'failed')).toBe(logs.filter(({ status }) => status === 'failed').length);
      expect(sum(lines, 'cost')).toBeCloseTo(logs.reduce((all, { cost }) => all + (cost?.total ?? 0), 0));
      const most = lines.find(({ runs: n }) => n > 0);
      expect(logs.some(({ createdAt }) => createdAt.slice(0, 10) === most?.at.slice(0, 10))).toBe(true);
      expect(most?.p50Ms).toEqual(expect.any(Number));
    }
    expect(sum(await read(`&workflowIds=${workflows['fails']}`), 'runs')).toBe(1);
    expect(sum(await read('&startDate=2026-01-01&endDate=2026-01-02'), 'runs')).toBe(0);
  });

  test.each([
    ['by=week', 'by'],
    ['startDate=soon', 'startDate'],
    ['startDate=2026-01-02T00:00:00Z&endDate=2026-01-01T00:00:00Z', 'endDate'],
    ['startDate=2020-01-01', 'startDate'],
  ])('GET /api/v1/logs/stats refuses %s and names %s', async (query, path) => {
    const { status, body } = await stack.call('GET', `/api/v1/logs/stats?${query}`);
    expect(status).toBe(400);
    expect(body.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });
});

describe('key', () => {
  test('a key sees the logs of every workspace that it reaches, or of the named workspace', async () => {
    const mine = { 'x-api-key': stack.personalKey };
    const all = executionsIn(await list('', mine));
    expect(all).toEqual(expect.arrayContaining([runs['theirs'], runs['passes']]));
    expect(executionsIn(await list(`workspaceId=${theirs.id}`, mine))).toEqual([runs['theirs']]);
  });

  test('a key does not see the logs of another workspace', async () => {
    expect(executionsIn(await list(`executionId=${runs['theirs']}`))).toEqual([]);
    for (const path of [
      `logs/${logOf(runs['theirs'])}`,
      `logs/executions/${runs['theirs']}`,
      `logs?workspaceId=${theirs.id}`,
      `logs/export?workspaceId=${theirs.id}`,
      `logs/${logOf(runs['theirs'])}x`,
    ])
      expect(await stack.get(`/api/v1/${path}`)).toMatchObject({ status: 404 });
  });

  test('a key may read logs as a viewer', async () => {
    const eve = await givenMember(stack, 'eve@example.org', 'viewer');
    expect(executionsIn(await list('level=error', eve.headers))).toEqual([runs['fails']]);
  });

  test('a key sees no logs as a personal key where personal keys are switched off', async () => {
    const dan = await givenMember(stack, 'dan@example.org', 'editor', theirs);
    const policy = { personalKeysAllowed: false };
    const path = `/api/v1/workspaces/${theirs.id}`;
    const changed = await stack.call('PATCH', path, policy, { 'x-api-key': theirs.key });
    expect(changed.status).toBe(200);
    expect(executionsIn(await list('', dan.headers))).toEqual([]);
    expect((await list(`workspaceId=${theirs.id}`, dan.headers)).status).toBe(403);
  });
});

describe('log of an execution', () => {
  test('a log of an execution is found by its own id and by the id of its execution, with its block log', async () => {
    const answer = await stack.get(`/api/v1/logs/${logOf(runs['tells'])}?limit=2`);
    expect((await stack.get(`/api/v1/logs/${runs['tells']}?limit=2`)).body.data).toEqual(answer.body.data);
    const { data, limits } = answer.body;
    expect(data).toMatchObject({
      executionId: runs['tells'],
      workflow: { deleted: false },
      cost: { total: 0.007 },
    });
    expect(limits.usage.plan).toBe('self_hosted');
    const { blocks, nextCursor } = data.executionData;
    const rest = await stack.get(`/api/v1/logs/${logOf(runs['tells'])}?cursor=${nextCursor}`);
    const all = [...blocks, ...rest.body.data.executionData.blocks];
    const paths: string[] = all.map(({ path }) => path);
    expect(paths.toSorted()).toEqual(['box', 'done', 'tell@box[0]', 'tell@box[1]']);
    expect(JSON.stringify(all)).toContain('x-told');
  });

  test('a log of an execution is found by the id of a resume, too', async () => {
    const ask = block('ask', 'human', { title: 'Go on?', form: [{ name: 'ok', type: 'boolean' }] });
    const workflow = await stack.givenDeployed(line(ask));
    const { apiUrl, executionId } = await stack.givenPaused(workflow, {});
    const resumed = (await stack.post(apiUrl, { input: { ok: true } })).body.executionId;
    expect(resumed).not.toBe(executionId);
    for (const id of [resumed, logOf(resumed)]) {
      expect((await stack.get(`/api/v1/logs/${id}`)).body.data).toMatchObject({ executionId });
      expect(executionsIn(await list(`executionId=${id}`))).toEqual([executionId]);
    }
    expect((await stack.get(`/api/v1/logs/executions/${resumed}`)).body).toMatchObject({ executionId });
  });

  test('a log of an execution tells the executed definition', async () => {
    const { body } = await stack.get(`/api/v1/logs/executions/${runs['passes']}`);
    expect(body).toEqual({
      executionId: runs['passes'],
      workflowId: workflows['passes'],
      workflowState: pure,
      executionMetadata: {
        status: 'completed',
        trigger: 'api',
        startedAt: time,
        endedAt: time,
        totalDurationMs: expect.any(Number),
        cost: { total: 0.005 },
      },
      limits: expect.any(Object),
    });
  });

  test('a log of an execution stays when its workflow is deleted', async () => {
    const gone = await stack.givenDeployed(pure);
    const { executionId } = (await stack.execute(gone, { inputs: { amount: 1 } })).body;
    await stack.call('DELETE', `/api/v1/workflows/${gone}`);
    const { data } = (await stack.get(`/api/v1/logs/${logOf(executionId)}`)).body;
    expect(data).toMatchObject({ deploymentVersionId: null, workflow: { id: gone, deleted: true } });
    const state = await stack.get(`/api/v1/logs/executions/${executionId}`);
    expect(state.body.workflowState).toBeNull();
  });
});

test('an export has a line for each execution, as lists show it, and so has that of the command line', async () => {
  const { body, headers } = await stack.get('/api/v1/logs/export?details=full&level=error');
  expect(headers.get('content-type')).toBe('application/x-ndjson');
  const lines: { executionId: string }[] = body
    .trimEnd()
    .split('\n')
    .map((text: string) => JSON.parse(text));
  expect(lines).toEqual((await list('details=full&level=error')).body.data);
  const program = ['dist/apps/cli/src/main.js', 'logs', 'export', '--status', 'failed'];
  const env = { ...process.env, HOLDFAST_URL: stack.url, HOLDFAST_API_KEY: stack.home.key };
  const { stdout } = await promisify(execFile)(process.execPath, program, { env });
  expect(stdout).toBe((await stack.get('/api/v1/logs/export?details=full&status=failed')).body);
});

test('no answer holds the value of a secret', async () => {
  const id = runs['tells'] ?? '';
  const full = 'details=full&includeFinalOutput=true&includeTraceSpans=true';
  for (const path of [`logs?${full}`, `logs/export?${full}`, `logs/${logOf(id)}`, `logs/executions/${id}`]) {
    const { status, body } = await stack.get(`/api/v1/${path}`);
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain(canary);
  }
});
