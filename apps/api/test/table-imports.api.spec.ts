import { gzipSync } from 'node:zlib';
import { utils, write } from '@e965/xlsx';
import pg from 'pg';
import { untilSessions } from '#libs/platform/database/support/sessions';
import { Stack, until } from './support/stack.ts';
import { columns, Tables } from './support/tables.ts';
import { testInWhole } from '#libs/platform/settings/support/whole';

let stack: Stack;
beforeAll(async () => {
  // Of its own, because it kills the worker.
  stack = await Stack.start();
});
afterAll(() => stack?.stop());
const tables = new Tables(() => stack);

/** A file in which each hundredth line repeats the e-mail of the first. */
const lines = 12_000;
const emailOf = (n: number) => (n % 100 === 99 ? 'user0' : `user${n}`);
const file = `email,score\n${Array.from({ length: lines }, (_, n) => `${emailOf(n)},${n}`).join('\n')}\n`;
const goodRows = lines - lines / 100;

const send = (table: string, body: string, query: string, headers = {}) =>
  stack.call('POST', `${table}/import?async=true&${query}`, body, { 'content-type': 'text/csv', ...headers });
const begun = async (table: string, body: string, query: string): Promise<string> =>
  `${table}/imports/${(await send(table, body, query)).body.data.import.id}`;
const ended = (path: string) =>
  until(
    () => stack.get(`${path}?wait=5`),
    ({ body }) => !['pending', 'processing'].includes(body.data.import.status),
  ).then(({ body }) => body.data.import);

async function scores(table: string): Promise<number[]> {
  const { body } = await stack.get(`${table}/export?format=csv`);
  const [, ...rows] = String(body).trim().split('\n');
  return rows.map((line) => Number(line.trim().split(',')[1]));
}

/** Kills the worker while its next write waits for the table, which is before the commit of that write. */
async function killInWrite(table: string): Promise<void> {
  const holder = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from tables where id = $1 for update', [table.split('/').at(-1)]);
  await untilSessions(holder);
  await stack.worker.kill();
  await holder.query('commit');
  await holder.end();
}

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
  await client.connect();
  return client;
}

testInWhole('imports survive killed workers, and no row is lost or there twice', async () => {
  const good = await tables.given(columns.slice(0, 2));
  const all = await tables.given(columns.slice(1, 2));
  const sound = `score\n${Array.from({ length: lines }, (_, n) => n).join('\n')}\n`;
  const paths = [await begun(good, file, 'mode=good'), await begun(all, sound, 'mode=all')];
  await until(
    () => stack.get(paths[0] ?? ''),
    ({ body }) => body.data.import.lineCount >= 2000,
  );
  await stack.worker.kill();
  await stack.startWorker();
  await killInWrite(good);
  await stack.startWorker();
  const [partly, whole] = await Promise.all(paths.map(ended));
  expect(partly).toMatchObject({
    status: 'completed',
    insertedCount: goodRows,
    refusedCount: lines / 100,
    lineCount: lines,
  });
  expect(partly.refused).toHaveLength(100);
  expect(partly.refused[0]).toEqual({
    line: 101,
    message: 'email is unique, and its value is there already',
  });
  expect(whole).toMatchObject({
    status: 'completed',
    insertedCount: lines,
    refusedCount: 0,
    lineCount: lines,
  });
  const every = Array.from({ length: lines }, (_, n) => n);
  expect(await scores(good)).toEqual(every.filter((n) => emailOf(n) === `user${n}`));
  const { body } = await stack.get(`${all}/export?format=csv`);
  expect(String(body).trim().split(/\s+/).slice(1).map(Number)).toEqual(every);
  await indexSurvives(all);
});

/** Kills the worker while it builds the index of the column `score`. */
async function indexSurvives(table: string): Promise<void> {
  const client = await connected();
  await stack.call('PATCH', `${table}/columns`, {
    columnName: 'score',
    updates: { indexed: true },
  });
  const building = 'select from table_index_builds where position >= 0';
  // Asks without a pause, because the build lasts a moment.
  while ((await client.query(building)).rows.length === 0);
  await stack.worker.kill();
  await stack.startWorker();
  const shown = await until(
    () => stack.get(table),
    ({ body }) => body.data.table.schema.columns[0].index !== 'building',
  );
  expect(shown.body.data.table.schema.columns[0].index).toBe('ready');
  const indexed = 'select count(distinct row_id)::int as rows, count(*)::int as entries from table_index';
  expect((await client.query(indexed)).rows).toEqual([{ rows: lines, entries: lines }]);
  await client.end();
}

test('an import in the mode all leaves no row when a line is refused', async () => {
  const table = await tables.given(columns.slice(0, 2));
  const job = await ended(await begun(table, 'email,score\na,1\nb,x\n', 'mode=all'));
  expect(job).toMatchObject({ status: 'failed', insertedCount: 0, refusedCount: 1, refused: [{ line: 3 }] });
  expect(job.error).toBe('1 line is refused; nothing was imported.');
  expect((await stack.get(table)).body.data.table.rowCount).toBe(0);
});

test('an import of a sound file in the mode all shows all rows at once', async () => {
  const table = await tables.given(columns.slice(0, 2));
  const answer = await send(table, 'email,score\na,1\nb,2\n', 'mode=all');
  expect([answer.status, answer.body.data.message]).toEqual([
    202,
    'The file is stored, and a worker imports it',
  ]);
  const statusUrl = new URL(answer.body.data.statusUrl).pathname;
  const job = await ended(statusUrl);
  expect(job).toMatchObject({
    status: 'completed',
    lineCount: 2,
    insertedCount: 2,
    refusedCount: 0,
    error: null,
    format: 'csv',
  });
  expect(job.completedAt >= job.startedAt).toBe(true);
  expect(await scores(table)).toEqual([1, 2]);
  const again = await stack.post(`${statusUrl}/cancel`);
  expect([again.status, again.body.code]).toEqual([409, 'IMPORT_ENDED']);
  const client = await connected();
  expect((await client.query(filesOf, [job.id])).rows).toEqual([]);
  await client.end();
});

const filesOf = 'select from files where import_id = $1';

test('a repeated Idempotency-Key imports a file once', async () => {
  const table = await tables.given(columns.slice(0, 2));
  const key = { 'idempotency-key': 'one file' };
  const first = await send(table, 'email\na\n', 'mode=good', key);
  const second = await send(table, 'email\na\n', 'mode=good', key);
  expect(second.body).toEqual(first.body);
  expect((await send(table, 'email\nb\n', 'mode=good', key)).status).toBe(422);
  expect((await ended(new URL(first.body.data.statusUrl).pathname)).insertedCount).toBe(1);
  const { imports, nextCursor } = (await stack.get(`${table}/imports?limit=1`)).body.data;
  expect([imports.length, nextCursor]).toEqual([1, null]);
});

/** A process that dies behind its commit leaves the key like this. */
async function forgetAnswer(key: string): Promise<void> {
  const client = await connected();
  await client.query(
    `update idempotency_keys set status = null, answer = null, locked_until = now() - interval '1 second' where key = $1`,
    [key],
  );
  await client.end();
}

test('an import in the call that is repeated after its process died imports each row once', async () => {
  const table = await tables.given(columns.slice(0, 2));
  const call = () =>
    stack.call('POST', `${table}/import?mode=good`, 'email\na\nb\n', {
      'content-type': 'text/csv',
      'idempotency-key': 'in the call',
    });
  const first = await call();
  expect([first.status, first.body.data.insertedCount]).toEqual([200, 2]);
  await forgetAnswer('in the call');
  const second = await call();
  expect([second.status, second.headers.get('idempotency-replayed')]).toEqual([200, null]);
  expect(second.body).toEqual(first.body);
  expect((await stack.get(`${table}/rows?workspaceId=${stack.home.id}`)).body.data.totalCount).toBe(2);
});

test.each(['of a table', 'that makes a table'])(
  'an import %s by a worker that is repeated after its process died is the same import',
  async (which) => {
    const isNew = which !== 'of a table';
    const path = isNew
      ? `/api/v1/tables/import?workspaceId=${stack.home.id}&name=repeated&mode=good`
      : `${await tables.given(columns.slice(0, 2))}/import?mode=good`;
    const call = () =>
      stack.call('POST', `${path}&async=true`, 'email\na\nb\n', {
        'content-type': 'text/csv',
        'idempotency-key': `later ${which}`,
      });
    const first = await call();
    expect(first.status).toBe(202);
    await forgetAnswer(`later ${which}`);
    const second = await call();
    expect([second.status, second.headers.get('idempotency-replayed')]).toEqual([202, null]);
    expect(second.body.data.import.id).toBe(first.body.data.import.id);
    expect((await ended(new URL(first.body.data.statusUrl).pathname)).insertedCount).toBe(2);
    await forgetAnswer(`later ${which}`);
    expect((await call()).body.data.import).toMatchObject({ status: 'completed', insertedCount: 2 });
  },
);

test('a file that cannot be imported says why, and the committed rows of a cancelled import stay', async () => {
  const table = await tables.given(columns.slice(0, 2));
  const unknown = await ended(await begun(table, 'email,color\na,red\n', 'mode=good'));
  expect(unknown).toMatchObject({
    status: 'failed',
    error:
      'line 1 names "color", which is no column of this table; map it, leave it out by mapping it to null, or say createColumns=true',
  });
  await stack.worker.kill();
  const path = await begun(table, file, 'mode=good');
  const cancelled = await stack.post(`${path}/cancel`);
  expect(cancelled.body.data.import).toMatchObject({ status: 'cancelled', insertedCount: 0 });
  await stack.startWorker();
  const { imports, nextCursor } = (await stack.get(`${table}/imports?limit=1`)).body.data;
  expect(imports.map(({ status }: { status: string }) => status)).toEqual(['cancelled']);
  const older = await stack.get(`${table}/imports?cursor=${nextCursor}`);
  expect(older.body.data.imports.map(({ status }: { status: string }) => status)).toEqual(['failed']);
  const inCall = await stack.call('POST', `${table}/import`, 'email\na\n', { 'content-type': 'text/csv' });
  expect(inCall.status).toBe(200);
  const tableId = table.split('/').at(-1);
  const all = (await stack.get('/api/v1/audit-logs?limit=100')).body.data;
  const [imported, cancelEntry, begunEntry] = all.filter(({ action }: { action: string }) =>
    /import/.test(action),
  );
  expect([imported, cancelEntry, begunEntry]).toMatchObject([
    {
      action: 'table.imported',
      resourceId: tableId,
      metadata: { format: 'csv', mode: 'all', insertedCount: 1 },
    },
    { action: 'table_import.cancelled', resourceId: path.split('/').at(-1) },
    {
      action: 'table_import.created',
      metadata: { table_id: tableId, mode: 'good', size: expect.any(Number) },
    },
  ]);
});

const large = `email\n${'a'.repeat(1000)}\n`.repeat(17_000);

test.each<[string, string | Uint8Array, number]>([
  ['?async=maybe', 'email\na\n', 400],
  ['?async=true&mode=some', 'email\na\n', 400],
  [`?mode=good`, large, 400],
  [`?mode=good&nulls=null`, gzipSync(large), 400],
])('a wrong import %s is refused and leaves nothing', async (query, body, status) => {
  const table = await tables.given(columns.slice(0, 2));
  const refused = await stack.call('POST', `${table}/import${query}`, body, { 'content-type': 'text/csv' });
  expect([refused.status, refused.body.details.length]).toEqual([status, 1]);
  expect((await stack.get(`${table}/imports`)).body.data.imports).toEqual([]);
});

test('a worker reads a workbook, adds its new column, and says how it read the file', async () => {
  const table = await tables.given(columns.slice(0, 2));
  const book = utils.book_new();
  const cells = [
    ['E-Mail', 'SCORE', 'Since', 'Note'],
    ['a', 1.5, new Date(Date.UTC(2025, 0, 31)), 'x'],
    ['b', 'many', new Date(Date.UTC(2025, 1, 1)), 'y'],
  ];
  utils.book_append_sheet(book, utils.aoa_to_sheet(cells, { UTC: true }), 'People');
  const bytes = write(book, { type: 'buffer', bookType: 'ods' }) as Buffer;
  const query = `mode=good&createColumns=true&mapping=${encodeURIComponent('{"E-Mail":"email","Note":null}')}`;
  const answer = await stack.call('POST', `${table}/import?async=true&${query}`, bytes, {
    'content-type': 'application/octet-stream',
  });
  expect(answer.body.data.import).toMatchObject({ status: 'pending', taken: null });
  const job = await ended(new URL(answer.body.data.statusUrl).pathname);
  expect(job).toMatchObject({
    status: 'completed',
    format: 'ods',
    insertedCount: 1,
    refused: [{ line: 3, message: 'score must be a number, not "many"' }],
    taken: {
      sheet: 'People',
      mapping: { 'E-Mail': 'email', SCORE: 'score', Since: 'Since', Note: null },
      createdColumns: ['Since'],
    },
  });
  const { rows } = (await stack.get(`${table}/rows?workspaceId=${stack.home.id}`)).body.data;
  expect(rows.map(({ data }: { data: object }) => data)).toEqual([
    { email: 'a', score: 1.5, Since: '2025-01-31T00:00:00.000Z' },
  ]);
});

test('imports of another workspace do not exist for a caller', async () => {
  const table = await tables.given(columns.slice(0, 2));
  const path = await begun(table, 'email\na\n', 'mode=good');
  const theirs = { 'x-api-key': (await stack.givenWorkspace()).key };
  for (const [method, at] of [
    ['GET', path],
    ['GET', `${table}/imports`],
    ['POST', `${path}/cancel`],
  ] as const)
    expect((await stack.call(method, at, undefined, theirs)).status).toBe(404);
  const absent = await stack.get(`${table}/imports/imp_00000000000000000000000000000000`);
  expect([absent.status, absent.body.error]).toEqual([404, 'No such import.']);
});
