import pg from 'pg';
import { untilSessions, waitsForLock } from '#libs/platform/database/support/sessions';
import type { Browser } from 'playwright-core';
import { keyedHash } from '#libs/platform/crypto/crypto';
import { isHere, testWith } from '#libs/platform/binaries/support/needs';
import { findObstacles, startBrowser } from './support/browser.ts';
import { block, box, line, respond } from './support/graphs.ts';
import { givenMember } from './support/people.ts';
import { type Answer, Stack } from './support/stack.ts';

let stack: Stack;
let owner: pg.Client;
let browser: Browser;
let workflowId: string;
let executionId: string;

/** A paused execution whose rows say that it did much: they are written beside it, since the product would take minutes. */
beforeAll(async () => {
  stack = await Stack.shared();
  if (isHere('a browser')) browser = await startBrowser();
  owner = new pg.Client({ connectionString: stack.env['DATABASE_URL'] });
  await owner.connect();
  const ask = block('ask', 'human', {
    title: 'Go on?',
    form: [{ name: 'ok', type: 'boolean' }],
  });
  workflowId = await stack.givenDeployed(line(ask, respond({ done: true })));
  ({ executionId } = (await stack.execute(workflowId)).body);
  for (const statement of [writePayloads, writeVisits, writePoints])
    await owner.query(statement, [executionId, stack.home.id]);
});
afterAll(async () => {
  await browser?.close();
  await owner?.end();
  await stack?.stop();
});

const writePayloads = `
insert into payloads (id, workspace_id, execution_id, body, bytes)
select 'pay_' || n, $2, $1, to_json(repeat('x', 900000)), 900002 from generate_series(1, 4) n`;

const writeVisits = `
insert into visits (execution_id, path, workspace_id, seq, block_id, name, type, status, started_at, output)
select $1, 'call#' || n, $2, 100 + n, 'call', 'call', 'http', 'completed', now(),
  case when n <= 4 then json_build_object('$payload', 'pay_' || n, 'bytes', 900002, 'preview', 'xx') else to_json(n) end
from generate_series(1, 1500) n`;

/** The first 100 of the 130 pauses are over. Each shows a person 100 KB. */
const writePoints = `
insert into pause_points (context_id, workspace_id, execution_id, root_id, paused_execution_id, path, block_id, resume_status,
  display, form, bytes, registered_at)
select 'ctx_' || lpad(n::text, 3, '0'), $2, $1, $1, p.id, 'ask#' || n, 'ask',
  case when n <= 100 then 'resumed' else 'paused' end,
  json_build_object('name', 'ask', 'title', 'Go on?', 'message', repeat('m', 100000), 'fields', json_build_array(), 'scopes', json_build_object()),
  '[]', 100100, now() + make_interval(secs => n)
from paused_executions p, generate_series(1, 130) n where p.execution_id = $1`;

/** Every page of a path, with the items of each. */
async function pages<T>(path: string, itemsOf: (body: Answer['body']) => T[]): Promise<T[][]> {
  const all: T[][] = [];
  for (let cursor = ''; ;) {
    const { status, body } = await stack.get(
      `${path}${cursor && `${path.includes('?') ? '&' : '?'}cursor=${cursor}`}`,
    );
    expect(status).toBe(200);
    all.push(itemsOf(body));
    if (body.nextCursor === null) return all;
    cursor = body.nextCursor;
  }
}

const execution = () => `/api/workflows/${workflowId}/executions/${executionId}`;

test('a block log is read in pages, each visit once and in order', async () => {
  const read = await pages(execution(), ({ blocks }) => blocks.map(({ path }: { path: string }) => path));
  expect(read.map(({ length }) => length)).toEqual([1000, expect.any(Number)]);
  const calls = read.flat().filter((path) => String(path).startsWith('call'));
  expect(calls).toEqual(Array.from({ length: 1500 }, (_, n) => `call#${n + 1}`));
});

test('stored values of a block log come to 2 MB at most; the others are references, which can be read', async () => {
  const { body } = await stack.get(`${execution()}?limit=50`);
  const outputs = body.blocks.filter(({ path }: { path: string }) => /^call#[1-4]$/.test(path));
  const [first, second, third] = outputs.map(({ output }: { output: unknown }) => output);
  expect([first.length, second.length]).toEqual([900_000, 900_000]);
  expect(third).toEqual({ $payload: 'pay_3', bytes: 900_002, preview: 'xx' });
  const value = await stack.get(`${execution()}/values/pay_3`);
  expect([value.status, value.body.data.length]).toEqual([200, 900_000]);
});

/** The page of a run with a body, a failed block, a waiting block, and a block that was not visited. */
async function givenTimeline(): Promise<{ url: string; id: string }> {
  const work = block('work', 'variables', { set: { seen: '{{ vars.seen + 1 }}' } });
  const definition = {
    variables: { seen: { type: 'number', initial: 0 } },
    blocks: [
      {
        ...box('each', 'loop', { count: 3 }, work),
        name: 'Every one of the many entries <b>of</b> the list',
      },
      { id: 'broken', type: 'http', params: { url: 'http://127.0.0.1:9/' } },
      { id: 'ask', type: 'human', params: { title: 'Go on?', form: [{ name: 'ok', type: 'boolean' }] } },
      { id: 'after', type: 'response', params: { data: 1 } },
    ],
    edges: [
      { from: 'start', to: 'each' },
      { from: 'each', to: 'broken' },
      { from: 'broken', port: 'error', to: 'ask' },
      { from: 'ask', to: 'after' },
    ],
  };
  const run = await stack.givenPaused(await stack.givenDeployed(definition));
  const { pageUrl } = (await stack.get(`/api/v1/executions/${run.executionId}/timeline`)).body.data;
  const { pathname, search } = new URL(pageUrl);
  return { url: stack.url + pathname + search, id: run.executionId };
}

/** The token of a link that shows a timeline until then, as the API signs it. */
function signed(id: string, untilMs: number): string {
  const seconds = Math.floor(untilMs / 1000);
  const told = JSON.stringify([stack.home.id, id, seconds, null]);
  return `${seconds}.${keyedHash(stack.env['HOLDFAST_SECRET'] ?? '', 'timeline-link', told)}`;
}

describe('timeline', () => {
  const path = () => `/api/v1/executions/${executionId}/timeline`;

  test('a timeline is read in pages, each visit once and in order, with each block of the graph counted', async () => {
    const read = await pages(`${path()}?limit=700`, ({ data }) =>
      data.visits.map((visit: { path: string }) => visit.path),
    );
    expect(read.map(({ length }) => length)).toEqual([700, 700, expect.any(Number)]);
    const calls = read.flat().filter((visit) => String(visit).startsWith('call'));
    expect(calls).toEqual(Array.from({ length: 1500 }, (_, n) => `call#${n + 1}`));
    const { data } = (await stack.get(path())).body;
    expect(data).toMatchObject({ executionId, status: 'paused', version: 1, countsAll: true });
    expect(data.graph.blocks).toMatchObject([
      { id: 'ask', container: null, status: 'paused', visits: 1, endedAt: null },
      { type: 'response', status: 'not visited', visits: 0, startedAt: null },
    ]);
    expect(data.graph.edges).toMatchObject([
      { from: 'start', to: 'ask', taken: true },
      { from: 'ask', taken: false },
    ]);
    // The pauses as the rows have them, without the texts for people.
    expect(JSON.stringify(data).length).toBeLessThan(100_000);
    expect(data.pausePoints[0]).toMatchObject({
      title: 'Go on?',
      uiUrl: expect.stringContaining('/resume/'),
    });
  });

  test('a timeline is a page of a hundred visits behind its link, and leads to the next', async () => {
    const { pageUrl } = (await stack.get(path())).body.data;
    const { pathname, search } = new URL(pageUrl);
    const show = async (query: string) => (await fetch(stack.url + pathname + query)).text();
    const rows = (text: string) =>
      [...text.matchAll(/<code>((?:ask|call)[^<]*)<\/code>/g)].map(([, one]) => one);
    const first = await show(search);
    expect(rows(first)).toHaveLength(100);
    expect(first.length).toBeLessThan(100_000);
    const next = /<a href="(\?[^"]*cursor=[^"]*)">/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = rows(await show(next));
    expect(second).toHaveLength(100);
    expect(second.filter((one) => rows(first).includes(one))).toEqual([]);
  });

  test('a timeline answers 404 for another workspace and for an unknown id, and 400 for a wrong cursor or limit', async () => {
    const { key } = await stack.givenWorkspace();
    const theirs = await stack.get(path(), { 'x-api-key': key });
    const nobodys = await stack.get(path().replace(executionId, 'exec_00000000000000000000000000000000'));
    expect([theirs.status, nobodys.status]).toEqual([404, 404]);
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'cursor=x', 'cursor=a.b']) {
      const { status, body } = await stack.get(`${path()}?${query}`);
      expect([query, status, body.details?.[0]?.path]).toEqual([query, 400, query.split('=')[0]]);
    }
  });

  test.each(['exec_1', 'exec_%27', 'EXEC', 'wf_00000000000000000000000000000000', '%00', 'x'.repeat(90)])(
    'a timeline is refused for the malformed id %j like an unknown id, as data and as a page',
    async (id) => {
      const { status, body } = await stack.get(path().replace(executionId, id));
      expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
      const page = await fetch(`${stack.url}/timeline/${id}?token=${signed(id, Date.now() + 60_000)}`);
      expect(page.status).toBe(403);
    },
  );

  test('a timeline does not open by a link that is older than a day', async () => {
    const { pageUrl } = (await stack.get(path())).body.data;
    const lastsTo = Number(/token=(\d+)\./.exec(pageUrl)?.[1]) * 1000;
    expect(Math.abs(lastsTo - Date.now() - 24 * 3_600_000)).toBeLessThan(60_000);
    const open = async (untilMs: number) =>
      (await fetch(`${stack.url}/timeline/${executionId}?token=${signed(executionId, untilMs)}`)).status;
    expect(await open(Date.now() + 60_000)).toBe(200);
    expect(await open(Date.now() - 1000)).toBe(403);
    expect(await open(0)).toBe(403);
  });

  test('a timeline does not open by a link that is changed, or of another execution', async () => {
    const { pageUrl } = (await stack.get(path())).body.data;
    const { pathname, search } = new URL(pageUrl);
    const other = (await stack.execute(workflowId)).body.executionId;
    const lastsTo = /token=(\d+)\./.exec(search)?.[1] ?? '';
    const wrong = [
      pathname,
      pathname + search.replace(lastsTo, String(Number(lastsTo) + 1)),
      pathname + search.replace(/as=[^&]*/, 'as=usr_other'),
      pathname + search.replace(/&as=[^&]*/, ''),
      pathname.replace(executionId, other) + search,
      pathname.replace(executionId, 'exec_0') + search,
    ];
    const answers = await Promise.all(wrong.map(async (url) => fetch(stack.url + url)));
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(answers.map(({ status }) => status)).toEqual(wrong.map(() => 403));
    expect(new Set(texts).size).toBe(1);
    expect((await fetch(stack.url + pathname + search)).status).toBe(200);
  });

  test('a timeline has links to pauses that expire with its own link, and does not open for a person who has left the workspace', async () => {
    const gus = await givenMember(stack, stack.at('gus'));
    const { pageUrl } = (await stack.get(path(), gus.headers)).body.data;
    const { pathname, search } = new URL(pageUrl);
    const show = async () => {
      const response = await fetch(stack.url + pathname + search);
      return { status: response.status, text: await response.text() };
    };
    const shown = await show();
    const expiry = (text: string) => /token=(\d+)\./.exec(text)?.[1];
    const way = /href="([^"]*\/resume\/[^"]*)"/.exec(shown.text)?.[1] ?? '';
    expect(way).toContain(`as=${gus.id}`);
    expect(expiry(way)).toBe(expiry(search));
    await stack.call('DELETE', `/api/v1/workspaces/${stack.home.id}/members/${gus.id}`);
    expect((await show()).status).toBe(403);
    const link = new URL(way.replaceAll('&amp;', '&'));
    expect((await fetch(stack.url + link.pathname + link.search)).status).toBe(403);
  });

  testWith('a browser')(
    'a timeline can be used by everyone, light or dark, on a phone and at a desk, by keyboard alone',
    async () => {
      const { url } = await givenTimeline();
      const page = await browser.newPage();
      await page.goto(url);
      for (const [colorScheme, size] of [
        ['dark', { width: 390, height: 844 }],
        ['light', { width: 1280, height: 900 }],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(size);
        expect(await findObstacles(page)).toEqual([]);
      }
      const picture = await page
        .locator('svg')
        .first()
        .evaluate((svg) => svg.textContent);
      for (const text of [
        'start',
        'broken: http · failed',
        'ask: human · paused',
        'after: response · not visited',
        'variables · 3 completed',
      ])
        expect(picture).toContain(text);
      expect(await page.locator('svg b').count()).toBe(0);
      expect(
        await page.getByRole('img', { name: 'When each block ran' }).locator('title').count(),
      ).toBeGreaterThan(3);
      // A block that was visited is a link to its line.
      const focused = () => page.evaluate<string>("document.activeElement.getAttribute('href') ?? ''");
      for (let n = 0; n < 30 && (await focused()) !== '#block-broken'; n++) await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      const row = page.locator('tr:target');
      expect(await row.innerText()).toMatch(/broken\s+http\s+failed\s+1/);
      await row.scrollIntoViewIfNeeded();
    },
  );

  testWith('a browser')(
    'a timeline has a link to the open pause only for a caller who may answer it',
    async () => {
      const { url, id } = await givenTimeline();
      const page = await browser.newPage();
      await page.goto(url);
      const way = (await page.locator('section a').getAttribute('href')) ?? '';
      const { pathname, search } = new URL(way);
      await page.goto(stack.url + pathname + search);
      await page.locator('h1', { hasText: 'Go on?' }).waitFor();
      const key = await stack.post(`/api/v1/workspaces/${stack.home.id}/keys`, {
        name: 'sees',
        role: 'viewer',
      });
      const viewer = { 'x-api-key': key.body.data.key };
      const { data } = (await stack.get(`/api/v1/executions/${id}/timeline`, viewer)).body;
      expect(data.pausePoints[0].uiUrl).toBeNull();
      const theirs = new URL(data.pageUrl);
      await page.goto(stack.url + theirs.pathname + theirs.search);
      expect(await page.locator('section').innerText()).toContain('Go on?');
      expect(await page.locator('section a').count()).toBe(0);
    },
  );
});

test('a value that does not exist, or is of another execution, is a 404', async () => {
  const other = (await stack.execute(workflowId)).body.executionId;
  const elsewhere = execution().replace(executionId, other);
  expect((await stack.get(`${elsewhere}/values/pay_3`)).status).toBe(404);
  expect((await stack.get(`${execution()}/values/pay_9`)).status).toBe(404);
});

test('the pauses of one execution are read in pages of bounded size, each once', async () => {
  const path = `/api/resume/${workflowId}/${executionId}`;
  const read = await pages(path, ({ pausePoints }) =>
    pausePoints.map(({ contextId }: { contextId: string }) => contextId),
  );
  expect(read.length).toBeGreaterThan(2);
  // Behind the pause of the product's own, whose context is random.
  expect(read.flat().slice(1)).toEqual(
    Array.from({ length: 130 }, (_, n) => `ctx_${String(n + 1).padStart(3, '0')}`),
  );
});

test('a list shows 20 pauses of an execution, the open ones first, and ends where it is too large', async () => {
  const [first] = await pages(
    `/api/workflows/${workflowId}/paused`,
    ({ pausedExecutions }) => pausedExecutions,
  );
  const found: any = first?.find((paused: any) => paused.executionId === executionId); // oxlint-disable-line typescript/no-explicit-any
  expect(found.totalPauseCount).toBe(131);
  expect(found.pausePoints).toHaveLength(20);
  expect(
    new Set(found.pausePoints.map(({ resumeStatus }: { resumeStatus: string }) => resumeStatus)),
  ).toEqual(new Set(['paused']));
});

test('a wrong page is refused, and names the parameter', async () => {
  for (const [path, query, field] of [
    [execution(), 'limit=1001', 'limit'],
    [execution(), 'cursor=nonsense', 'cursor'],
    [`/api/resume/${workflowId}/${executionId}`, 'limit=101', 'limit'],
    [`/api/resume/${workflowId}/${executionId}`, 'cursor=nonsense', 'cursor'],
  ]) {
    const { status, body } = await stack.get(`${path}?${query}`);
    expect([status, body.details[0].path]).toEqual([400, field]);
  }
});

test('an execution that changes while it is read is shown as it was at one moment', async () => {
  await owner.query('begin; lock table visits in access exclusive mode');
  const reading = stack.get(`${execution()}?limit=10`);
  await untilSessions(owner, `${waitsForLock} and query like '%visits%'`);
  await owner.query(`update executions set status = 'running' where id = $1`, [executionId]);
  await owner.query(`update visits set status = 'running' where execution_id = $1 and block_id = 'ask'`, [
    executionId,
  ]);
  await owner.query('commit');
  const { status, blocks } = (await reading).body;
  expect([status, blocks[0].status]).toEqual(['paused', 'paused']);
});
