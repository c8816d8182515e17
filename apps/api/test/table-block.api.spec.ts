import { readFileSync } from 'node:fs';
import pg from 'pg';
import { findSessions, untilSessions, waitsForLock } from '#libs/platform/database/support/sessions';
import { block, type Block, box, line, respond } from './support/graphs.ts';
import { Stack, until } from './support/stack.ts';
import { testInWhole } from '#libs/platform/settings/support/whole';

let stack: Stack;
let owner: pg.Client;
beforeAll(async () => {
  // Of its own, because it kills the worker.
  stack = await Stack.start({ ROLES: 'api' });
  owner = new pg.Client({ connectionString: stack.env['DATABASE_URL'] });
  await owner.connect();
});
afterAll(async () => {
  await owner?.end();
  await stack?.stop();
});

const columns = [
  { name: 'email', type: 'string', required: true, unique: true },
  { name: 'score', type: 'number' },
];
async function givenTable(name: string, rows: object[] = []): Promise<string> {
  const { body } = await stack.post('/api/v1/tables', { name, schema: { columns } });
  const { id } = body.data.table;
  if (rows.length > 0) await stack.post(`/api/v1/tables/${id}/rows`, { rows });
  return id;
}
const rowsOf = async (id: string) =>
  (await stack.get(`/api/v1/tables/${id}/rows?workspaceId=${stack.home.id}&limit=1000`)).body.data.rows.map(
    (row: { data: object }) => row.data,
  );
const table = (id: string, operation: string, name: string, params: object = {}, more: object = {}) =>
  block(id, 'table', { operation, table: name, ...params }, more);

async function run(inputs: object, ...blocks: Block[]) {
  const workflow = await stack.givenDeployed(line(...blocks));
  return (await stack.execute(workflow, { inputs })).body;
}

test('every operation has the same effect in a workflow as by its endpoint', async () => {
  const id = await givenTable('leads');
  const { output } = await run(
    { mail: 'ann@example.org' },
    table('first', 'insert', 'leads', { data: { email: '{{ start.mail }}', score: 1 } }),
    table('more', 'insert', id, { rows: [{ email: 'b' }, { email: 'c', score: 7 }] }),
    table('again', 'upsert', 'LEADS', { data: { email: 'b', score: '{{ first.row.data.score + 4 }}' } }),
    table('raise', 'update', 'leads', { filter: { score: { $gte: 5 } }, data: { score: 9 } }),
    table('one', 'update', 'leads', { rowId: '{{ first.row.id }}', data: { score: 2 } }),
    table('found', 'query', 'leads', { filter: { score: 9 }, sort: { email: 'desc' }, limit: 1 }),
    table('sums', 'aggregate', 'leads', { aggregates: { total: { sum: 'score' } } }),
    table('gone', 'delete', 'leads', { rowIds: ['{{ more.rows[1].id }}'] }),
    table('read', 'get', 'leads', { rowId: '{{ more.rows[1].id }}' }),
    respond({
      inserted: '{{ more.insertedCount }}',
      upserted: '{{ again.operation }}',
      raised: '{{ raise.updatedCount }}',
      one: '{{ one.row.data }}',
      found: '{{ found.rows[0].data.email }}',
      of: '{{ found.totalCount }}',
      total: '{{ sums.groups[0].values.total }}',
      gone: '{{ gone.deletedCount }}',
      read: '{{ read.row }}',
    }),
  );
  expect(output).toEqual({
    inserted: 2,
    upserted: 'update',
    raised: 2,
    one: { email: 'ann@example.org', score: 2 },
    found: 'c',
    of: 2,
    total: 20,
    gone: 1,
    read: null,
  });
  expect(await rowsOf(id)).toEqual([
    { email: 'ann@example.org', score: 2 },
    { email: 'b', score: 9 },
  ]);
});

test('a row names the execution that wrote it last, and none after a call has written it', async () => {
  const id = await givenTable('authors', [
    { email: 'call' },
    { email: 'filter', score: 1 },
    { email: 'upsert' },
  ]);
  const authors = async () => {
    const { body } = await stack.get(`/api/v1/tables/${id}/rows?workspaceId=${stack.home.id}`);
    const { rows } = body.data as {
      rows: { id: string; data: { email: string }; executionId: string | null }[];
    };
    return { rows, of: rows.map(({ data, executionId }) => [data.email, executionId]) };
  };
  const { executionId } = await run(
    {},
    table('add', 'insert', id, { data: { email: 'block' } }),
    table('raise', 'update', id, { filter: { score: 1 }, data: { score: 2 } }),
    table('again', 'upsert', id, { data: { email: 'upsert', score: 3 } }),
  );
  expect(executionId).toMatch(/^exec_/);
  const { rows, of } = await authors();
  expect(of).toEqual([
    ['call', null],
    ['filter', executionId],
    ['upsert', executionId],
    ['block', executionId],
  ]);
  await stack.call('PATCH', `/api/v1/tables/${id}/rows/${rows[3]?.id}`, { data: { score: 4 } });
  expect((await authors()).of[3]).toEqual(['block', null]);
});

test('a loop and a parallel write once for each pass', async () => {
  const id = await givenTable('passes');
  const body = await run(
    {},
    box(
      'each',
      'loop',
      { count: 20 },
      table('write', 'insert', 'passes', { data: { email: 'l{{ loop.index }}' } }),
    ),
    box(
      'all',
      'parallel',
      { count: 20 },
      table('put', 'insert', 'passes', { data: { email: 'p{{ branch.index }}' } }),
    ),
    respond('{{ each.count + all.count }}'),
  );
  expect(body).toMatchObject({ status: 'completed', output: 40 });
  const emails = (await rowsOf(id)).map(({ email }: { email: string }) => email).toSorted();
  expect(emails).toEqual([...Array(20).keys()].flatMap((n) => [`l${n}`, `p${n}`]).toSorted());
});

test('a number that a workflow cannot hold passes through it as text', async () => {
  const id = await givenTable('digits');
  const digits = '12345678901234567890.5';
  await stack.call('POST', `/api/v1/tables/${id}/rows`, `{"data":{"email":"a","score":${digits}}}`);
  const { output } = await run(
    {},
    table('read', 'query', 'digits'),
    table('copy', 'insert', 'digits', { data: { email: 'b', score: '{{ read.rows[0].data.score }}' } }),
    respond('{{ copy.row.data.score }}'),
  );
  expect(output).toBe(digits);
});

test.each<[string, string, object, string]>([
  ['an unknown table', 'none', { operation: 'query' }, 'TABLE_NOT_FOUND'],
  ['a table of another workspace', '{{ start.foreign }}', { operation: 'query' }, 'TABLE_NOT_FOUND'],
  ['an unknown row', 'failing', { operation: 'update', rowId: 'row_x', data: { score: 1 } }, 'ROW_NOT_FOUND'],
  ['a taken value', 'failing', { operation: 'insert', data: { email: 'taken' } }, 'DUPLICATE_VALUE'],
  ['a wrong type', 'failing', { operation: 'insert', data: { email: 'a', score: 'x' } }, 'TABLE_REFUSED'],
  ['no condition', 'failing', { operation: 'delete' }, 'TABLE_REFUSED'],
  ['an empty part', 'failing', { operation: 'delete', filter: { $or: [{}] }, all: true }, 'TABLE_REFUSED'],
  [
    'a double negation',
    'failing',
    { operation: 'update', filter: { $not: { $not: {} } }, data: { score: 1 } },
    'TABLE_REFUSED',
  ],
  ['a limit of 5,000', 'failing', { operation: 'query', limit: '{{ 5000 }}' }, 'INVALID_VALUE'],
])('%s fails the block, and its port error goes on', async (_, name, params, code) => {
  const known = (await stack.get(`/api/v1/tables?workspaceId=${stack.home.id}`)).body.data.tables;
  if (!known.some((one: { name: string }) => one.name === 'failing'))
    await givenTable('failing', [{ email: 'taken' }]);
  const theirs = await stack.givenWorkspace();
  const made = { name: 'theirs', schema: { columns } };
  const foreign = (await stack.post('/api/v1/tables', made, { 'x-api-key': theirs.key })).body.data.table.id;
  const { blocks } = line(
    block('work', 'table', { ...params, table: name }),
    respond('{{ work.error.code }}'),
  );
  const edges = [
    { from: 'start', to: 'work' },
    { from: 'work', to: 'done', port: 'error' },
  ];
  const workflow = await stack.givenDeployed({ blocks, edges });
  expect((await stack.execute(workflow, { inputs: { foreign } })).body.output).toBe(code);
});

test('the licence review asks a second time only about packages that nobody has decided on', async () => {
  const names = ['package', 'licence', 'decision', 'run'];
  const shape = names.map((name) => ({ name, type: 'string', required: true, unique: name === 'package' }));
  const wanted = { name: 'licence_decisions', schema: { columns: shape } };
  const { id } = (await stack.post('/api/v1/tables', wanted)).body.data.table;
  const workflow = await stack.givenDeployed(
    JSON.parse(readFileSync('apps/local/examples/licence-memory.json', 'utf8')),
  );
  // The packages of this repository, as its lock file has them.
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { version: string; license?: string }>;
  };
  const packages = Object.entries(lock.packages)
    .filter(([path]) => path.startsWith('node_modules/'))
    .map(([path, { version, license }]) => ({
      name: path.split('node_modules/').at(-1),
      version,
      licence: license ?? null,
    }));
  const allow = ['MIT', 'ISC', 'Apache-2.0', 'BSD-3-Clause', 'BSD-2-Clause'];
  const { apiUrl } = await stack.givenPaused(workflow, { packages, allow });
  const first = (await stack.post(apiUrl, { input: { decision: 'approve' } })).body;
  const decided = await rowsOf(id);
  expect(first.output.asked).toBeGreaterThan(5);
  expect(decided).toHaveLength(first.output.asked);
  expect(new Set(decided.map(({ decision }: { decision: string }) => decision))).toEqual(
    new Set(['approve']),
  );
  const again = (await stack.execute(workflow, { inputs: { packages, allow } })).body;
  expect([again.status, again.output]).toEqual(['completed', { asked: 0 }]);
  const more = [...packages, { name: 'new', version: '1.0.0', licence: 'GPL-3.0-only' }];
  const third = await stack.givenPaused(workflow, { packages: more, allow });
  const { output } = (await stack.post(third.apiUrl, { input: { decision: 'reject' } })).body;
  expect(output).toEqual({ asked: 1 });
  expect((await rowsOf(id)).at(-1)).toMatchObject({ package: 'new@1.0.0', decision: 'reject' });
  // Decisions on other packages, more than one page of them and all newer, hide none of these.
  const decide = (name: string) => ({
    package: `${name}@1.0.0`,
    licence: 'x',
    decision: 'approve',
    run: 'x',
  });
  const others = Array.from({ length: 2000 }, (_, i) => `other-${'x'.repeat(200)}-${i}`);
  for (const from of [0, 1000])
    await stack.post(`/api/v1/tables/${id}/rows`, { rows: others.slice(from, from + 1000).map(decide) });
  const late = (await stack.execute(workflow, { inputs: { packages: more, allow } })).body;
  expect([late.status, late.output]).toEqual(['completed', { asked: 0 }]);
  // A run may ask about more packages than one query names.
  const all = others.slice(0, 1200).map((name) => ({ name, version: '1.0.0', licence: 'x' }));
  const wide = (await stack.execute(workflow, { inputs: { packages: [...more, ...all], allow } })).body;
  expect([wide.status, wide.output]).toEqual(['completed', { asked: 0 }]);
});

testInWhole('a block waits for a table that is locked for long, and writes once', async () => {
  const id = await givenTable('held');
  const note = table('note', 'insert', id, { data: { email: 'once' } }, { timeout: 'PT1S' });
  const workflow = await stack.givenDeployed(line(note));
  await owner.query('begin');
  await owner.query('select from tables where id = $1 for update', [id]);
  const { jobId } = (await stack.execute(workflow, { inputs: {}, async: true })).body;
  // A second transaction waits: the first one has given up its wait for the lock, after the time that the block has.
  const seen = new Set<string>();
  await until(
    async () => {
      for (const begun of await findSessions(owner)) seen.add(begun);
      return seen.size;
    },
    (count) => count >= 2,
  );
  // Such attempts are counted apart: twenty of them do not end the block.
  const { executionId } = (await stack.get(`/api/jobs/${jobId}`)).body;
  const { raw } = await (await stack.runOf(executionId)).describe();
  const failures = (raw.pendingActivities ?? []).map(
    ({ lastFailure }) => lastFailure?.applicationFailureInfo?.type,
  );
  expect(failures).toEqual(['DATABASE_AWAY']);
  await owner.query('rollback');
  const { body } = await stack.get(`/api/jobs/${jobId}?wait=60`);
  expect(body).toMatchObject({ status: 'completed', output: { insertedCount: 1 } });
  expect(await rowsOf(id)).toEqual([{ email: 'once', score: null }]);
});

testInWhole(
  'a worker that dies before the commit, and a worker that dies after it, leave one row each',
  async () => {
    const [before, after] = [await givenTable('before'), await givenTable('after')];
    const workflows = await Promise.all(
      ['before', 'after'].map((name) =>
        stack.givenDeployed(
          line(table('write', 'insert', name, { data: { email: 'once' } }), respond('{{ write.row.id }}')),
        ),
      ),
    );
    await stack.worker.kill('SIGTERM');
    const jobs = await Promise.all(workflows.map((workflow) => stack.execute(workflow, { async: true })));
    const [, second] = jobs.map(({ body }) => body.executionId);
    const holding = new pg.Client({ connectionString: stack.env['DATABASE_URL'] });
    await holding.connect();
    await holding.query('begin');
    // The first write waits for its table. The second is committed, and then its event waits for another with its number.
    await holding.query('select 1 from tables where id = $1 for update', [before]);
    await holding.query(
      `insert into run_events (execution_id, number, workspace_id, event, at) values ($1, 2, $2, '{}', now())`,
      [second, stack.home.id],
    );
    await stack.startWorker();
    const count = async (sql: string, values: unknown[]) => (await owner.query(sql, values)).rowCount ?? 0;
    await untilSessions(owner, `${waitsForLock} and query like '%for no key update of t%'`);
    await until(
      () =>
        count('select 1 from effect_checkpoints where execution_id = $1 and output is not null', [second]),
      (committed) => committed === 1,
    );
    await stack.worker.kill('SIGKILL');
    await holding.query('rollback');
    await holding.end();
    await stack.startWorker();
    const ended = await Promise.all(jobs.map(({ body }) => stack.get(`/api/jobs/${body.jobId}?wait=60`)));
    expect(ended.map(({ body }) => body.status)).toEqual(['completed', 'completed']);
    const client = await stack.temporal();
    for (const [i, id] of [before, after].entries()) {
      const { rows } = (await stack.get(`/api/v1/tables/${id}/rows?workspaceId=${stack.home.id}`)).body.data;
      expect(rows).toMatchObject([{ data: { email: 'once' } }]);
      expect(ended[i]?.body.output).toBe(rows[0].id);
      // Both were carried out by a second attempt: the first of either had not come back when its worker died.
      const { events } = await client.workflow.getHandle(jobs[i]?.body.executionId).fetchHistory();
      const started = (events ?? []).flatMap(
        ({ activityTaskStartedEventAttributes: one }) => one?.attempt ?? [],
      );
      expect(started).toEqual([2]);
    }
  },
);
