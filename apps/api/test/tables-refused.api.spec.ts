import { badChanges, badInserts, badLists, badTables } from './support/bad-tables.ts';
import { Stack } from './support/stack.ts';
import { Tables } from './support/tables.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.start();
});
afterAll(() => stack.stop());

const tables = new Tables(() => stack);
const givenTable = tables.given.bind(tables);
const givenRows = tables.rows.bind(tables);
const list = tables.list.bind(tables);

test('a killed API leaves calls whole: each row that it wrote is counted, and each call that was answered is there', async () => {
  const schema = { columns: [{ name: 'email', type: 'string', unique: true }] };
  const { body: made } = await stack.post('/api/v1/tables', { name: 'killed', schema, maxRows: 400 });
  const table = `/api/v1/tables/${made.data.table.id}`;
  const answered: number[] = [];
  let call = 0;
  const write = async () => {
    for (let n = call++; n < 200; n = call++) {
      const rows = Array.from({ length: 5 }, (_, i) => ({ email: `${(n % 150) * 5 + i}` }));
      const answer = await stack.post(`${table}/rows`, { rows }).catch(() => null);
      if (answer?.status === 201) answered.push(n % 150);
      if (n === 40) await stack.api.kill('SIGKILL').then(() => stack.startApi());
    }
  };
  await Promise.all(Array.from({ length: 16 }, write));
  // What was lost on the way is written now, until the table is full.
  for (let n = 0; n < 150; n++)
    await stack.post(`${table}/rows`, {
      rows: Array.from({ length: 5 }, (_, i) => ({ email: `${n * 5 + i}` })),
    });
  const { data } = (await stack.get(`${table}/rows?limit=1000`)).body;
  const there = data.rows.map((row: { data: { email: string } }) => Number(row.data.email));
  expect([data.totalCount, there.length, new Set(there).size]).toEqual([400, 400, 400]);
  expect(data.rows.map(({ position }: { position: number }) => position)).toEqual(
    there.map((_: number, i: number) => i),
  );
  for (const n of answered) expect(there).toContain(n * 5);
  for (const email of there) expect(there).toContain(email - (email % 5) + 4);
});

describe('bad input', () => {
  test.each(badTables)('a table with %s', async (_, more, path) => {
    const { status, body } = await stack.post('/api/v1/tables', { name: `bad_${tables.made++}`, ...more });
    expect([status, body.details[0].path]).toEqual([400, path]);
  });

  test.each(badInserts)('an insert with %s changes nothing', async (_, body, expected, path) => {
    const table = await givenTable();
    await givenRows(table, [{ email: 'taken' }]);
    const { status, body: answer } = await stack.call('POST', `${table}/rows`, body);
    expect([status, answer.details?.[0].path ?? '']).toEqual([expected, path]);
    expect((await list(table)).body.data).toMatchObject({
      totalCount: 1,
      rows: [{ data: { email: 'taken' } }],
    });
  });

  test.each(badLists)('a list with %s', async (_, query, path) => {
    const table = await givenTable();
    const { status, body } = await stack.get(`${table}/rows?${encodeURI(query)}`);
    expect([status, body.details[0].path]).toEqual([400, path]);
  });

  test('an offset beyond the end is an empty page', async () => {
    const table = await givenTable();
    await givenRows(table, [{ email: 'a' }]);
    const { data } = (await list(table, { offset: 1_000_000_000 })).body;
    expect(data).toMatchObject({ rows: [], rowCount: 0, totalCount: 1, nextCursor: null });
  });

  test.each(badChanges)('%s', async (_, method, path, body, field) => {
    const table = await givenTable();
    await givenRows(table, [{ email: 'a' }]);
    const { status, body: answer } = await stack.call(method, `${table}/rows${path}`, body);
    expect([status, answer.details[0].path]).toEqual([400, field]);
    expect((await list(table)).body.data.rows).toMatchObject([{ data: { email: 'a' }, version: 1 }]);
  });
});
