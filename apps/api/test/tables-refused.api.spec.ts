import { badChanges, badInserts, badLists, badTables } from './support/bad-tables.ts';
import { Stack } from './support/stack.ts';
import { Tables } from './support/tables.ts';
import { testInWhole } from '#libs/platform/settings/support/whole';

let stack: Stack;
beforeAll(async () => {
  // Of its own, because it kills the API.
  stack = await Stack.start({}, { worker: false });
});
afterAll(() => stack.stop());

const tables = new Tables(() => stack);
const givenTable = tables.given.bind(tables);
const givenRows = tables.rows.bind(tables);
const list = tables.list.bind(tables);

testInWhole(
  'an API that is killed under 64 writers of 7,500 rows leaves calls whole, values once and a full table of 1,800',
  async () => {
    const schema = { columns: [{ name: 'email', type: 'string', unique: true }] };
    const { body: made } = await stack.post('/api/v1/tables', { name: 'killed', schema, maxRows: 1800 });
    const table = `/api/v1/tables/${made.data.table.id}`;
    // Each group of five rows is in two or three of the 1,500 calls.
    const groups = 600;
    const insert = (group: number) => {
      const rows = Array.from({ length: 5 }, (_, i) => ({ email: `${group * 5 + i}` }));
      return stack.post(`${table}/rows`, { rows }).catch(() => null);
    };
    const answered = new Set<number>();
    let call = 0;
    const write = async () => {
      for (let n = call++; n < 1500; n = call++) {
        if ((await insert(n % groups))?.status === 201) answered.add(n % groups);
        if (n === 200) await stack.api.kill('SIGKILL').then(() => stack.startApi());
      }
    };
    await Promise.all(Array.from({ length: 64 }, write));
    // The lost rows are written now, until the table is full.
    for (let group = 0; (await tableOf(table)).rowCount < 1800; group++) await insert(group);
    const there: { data: { email: string }; position: number }[] = [];
    for (let cursor = ''; ;) {
      const { data } = (
        await stack.get(
          `${table}/rows?workspaceId=${stack.home.id}&limit=1000${cursor && `&cursor=${cursor}`}`,
        )
      ).body;
      there.push(...data.rows);
      expect(data.totalCount).toBe(1800);
      cursor = data.nextCursor;
      if (!cursor) break;
    }
    const emails = there.map(({ data }) => Number(data.email));
    expect([emails.length, new Set(emails).size]).toEqual([1800, 1800]);
    expect(there.map(({ position }) => position)).toEqual(there.map((_, i) => i));
    const whole = new Set(emails);
    expect([...answered].filter((group) => !whole.has(group * 5))).toEqual([]);
    expect(emails.filter((email) => !whole.has(email - (email % 5) + 4))).toEqual([]);
  },
);

const tableOf = async (table: string): Promise<{ rowCount: number }> =>
  (await stack.get(table)).body.data.table;

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
    const { status, body } = await stack.get(
      `${table}/rows?workspaceId=${stack.home.id}&${encodeURI(query)}`,
    );
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
