import { type Answer, Stack } from './support/stack.ts';
import { Tables } from './support/tables.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.shared();
});
afterAll(() => stack.stop());

const tables = new Tables(() => stack);
const givenTable = tables.given.bind(tables);
const givenRows = tables.rows.bind(tables);
const list = tables.list.bind(tables);
const dataOf = async (table: string): Promise<object[]> =>
  (await list(table, { limit: 1000 })).body.data.rows.map(({ data }: { data: object }) => data);
const told = ({ status, body }: Answer) => [status, body.details?.[0]?.path, body.details?.[0]?.code];

describe('versions of rows', () => {
  test('an upsert changes a row only in the version that If-Match names, and inserts none', async () => {
    const table = await givenTable();
    const upsert = (data: object, tag?: string) =>
      stack.post(`${table}/rows/upsert`, { data }, tag === undefined ? {} : { 'if-match': tag });
    const first = await upsert({ email: 'a', score: 1 });
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toBe(`"${first.body.data.row.version}"`);
    const second = await upsert({ email: 'a', score: 2 }, tag);
    expect([second.status, second.body.data.row.data.score]).toEqual([200, 2]);
    expect(second.headers.get('etag')).toBe(`"${second.body.data.row.version}"`);
    const late = await upsert({ email: 'a', score: 3 }, tag);
    expect([late.status, late.body.code]).toEqual([412, 'PRECONDITION_FAILED']);
    expect((await upsert({ email: 'b' }, second.headers.get('etag') ?? '')).status).toBe(412);
    // Any version will do, but there must be a row.
    expect((await upsert({ email: 'b' }, '*')).status).toBe(412);
    expect((await upsert({ email: 'a', score: 4 }, '*')).status).toBe(200);
    for (const other of ['W/"0"', '"0", "x"'])
      expect((await upsert({ email: 'a', score: 5 }, other)).status).toBe(412);
    for (const bad of ['1', '"1" "2"', '"1",'])
      expect(told(await upsert({ email: 'a', score: 5 }, bad))).toEqual([400, 'If-Match', 'pattern']);
    expect(await dataOf(table)).toMatchObject([{ email: 'a', score: 4 }]);
  });

  test('many rows are changed only when all of them have the versions that the call names', async () => {
    const table = await givenTable();
    const [a, b, c] = await givenRows(table, [{ email: 'a' }, { email: 'b' }, { email: 'c' }]);
    const update = (rowId: string | undefined, version?: unknown) => ({ rowId, version, data: { score: 1 } });
    const change = (...updates: object[]) => stack.call('PATCH', `${table}/rows`, { updates });
    expect((await stack.call('PATCH', `${table}/rows/${b}`, { data: { score: 5 } })).status).toBe(200);
    const late = await change(update(a, 1), update(b, 1), update(c, 7));
    expect([late.status, late.body.code, late.body.details]).toEqual([
      412,
      'PRECONDITION_FAILED',
      [
        { path: 'updates.1.version', message: `${b} has the version 2`, code: 'outdated' },
        { path: 'updates.2.version', message: `${c} has the version 1`, code: 'outdated' },
      ],
    ]);
    expect(await dataOf(table)).toMatchObject([{ score: null }, { score: 5 }, { score: null }]);
    for (const bad of ['1', 1.5, -1, null, true])
      expect(told(await change(update(a, 1), update(b, bad)))).toEqual([400, 'updates.1.version', 'type']);
    expect((await change(update(a, 1), update(b, 2), update(c))).status).toBe(200);
    expect(await dataOf(table)).toMatchObject([{ score: 1 }, { score: 1 }, { score: 1 }]);
  });

  test.each<[string, object]>([
    ['PUT', { all: true, data: { score: 9 } }],
    ['PATCH', { updates: [{ rowId: 'row_1', data: { score: 9 } }] }],
    ['DELETE', { all: true }],
  ])('a %s of many rows refuses If-Match, which it cannot apply', async (method, body) => {
    const table = await givenTable();
    await givenRows(table, [{ email: 'a' }]);
    const answer = await stack.call(method, `${table}/rows`, body, { 'if-match': '"1"' });
    expect(told(answer)).toEqual([400, 'If-Match', 'conflict']);
    expect(await dataOf(table)).toMatchObject([{ email: 'a', score: null }]);
  });
});

test('an upsert is made once for each Idempotency-Key', async () => {
  const table = await givenTable();
  const key = { 'idempotency-key': 'ann of today' };
  const body = { data: { email: 'a', score: 1 } };
  const first = await stack.post(`${table}/rows/upsert`, body, key);
  expect([first.status, first.body.data.operation]).toEqual([200, 'insert']);
  await stack.post(`${table}/rows/upsert`, { data: { email: 'a', score: 2 } });
  const again = await stack.post(`${table}/rows/upsert`, body, key);
  const replayed = ['idempotency-replayed', 'etag'].map((name) => again.headers.get(name));
  expect([again.status, replayed, again.body]).toEqual([200, ['true', '"1"'], first.body]);
  expect((await stack.post(`${table}/rows/upsert`, { data: { email: 'a' } }, key)).status).toBe(422);
  const other = { ...key, 'if-match': '"2"' };
  expect((await stack.post(`${table}/rows/upsert`, body, other)).status).toBe(422);
  expect(await dataOf(table)).toMatchObject([{ email: 'a', score: 2 }]);
  // A refused one frees its key.
  const refused = { 'idempotency-key': 'refused' };
  const match = { ...refused, 'if-match': '"1"' };
  expect((await stack.post(`${table}/rows/upsert`, body, match)).status).toBe(412);
  expect((await stack.post(`${table}/rows/upsert`, body, refused)).status).toBe(200);
});

describe('query in a body', () => {
  test('a query in a body answers like a list, and takes filters that no address could hold', async () => {
    const table = await givenTable();
    await givenRows(
      table,
      Array.from({ length: 30 }, (_, i) => ({ email: `person.${i}@example.org`, score: i })),
    );
    const query = (body: object) => stack.post(`${table}/rows/query`, body);
    const short = { filter: { score: { $gte: 10 } }, sort: { email: 'desc', score: 'asc' }, limit: 7 };
    const [asked, listed] = [await query(short), await list(table, short)];
    expect([asked.status, asked.body]).toEqual([200, listed.body]);
    expect((await query({ ...short, offset: 5 })).body).toEqual(
      (await list(table, { ...short, offset: 5 })).body,
    );
    const { nextCursor: cursor } = asked.body.data;
    const next = await query({ ...short, cursor });
    expect([next.status, next.body]).toEqual([200, (await list(table, { ...short, cursor })).body]);
    expect((await query({})).body.data).toMatchObject({
      limit: 100,
      offset: 0,
      rowCount: 30,
      totalCount: 30,
    });
    const changedSince = (await query({ limit: 1 })).body.data.changeToken;
    await givenRows(table, [{ email: 'new' }]);
    expect((await query({ changedSince })).body.data.rows).toMatchObject([{ data: { email: 'new' } }]);
    const many = Array.from({ length: 1000 }, (_, i) => `person.${2 * i}@example.org`);
    const filter = { email: { $in: many } };
    expect((await query({ filter })).body.data.totalCount).toBe(15);
    const exported = await stack.post(`${table}/export`, { filter, sort: { score: 'asc' }, format: 'jsonl' });
    expect([exported.status, exported.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    expect(exported.body.split('\n').filter(Boolean)).toHaveLength(15);
    expect(told(await stack.post(`${table}/export`, { format: 'xml' }))).toEqual([400, 'format', 'enum']);
    const refused = await list(table, { filter });
    expect([refused.status, refused.body.details]).toEqual([
      431,
      [
        {
          path: '',
          message:
            'the address and the headers may have 16384 bytes together; POST …/rows/query takes a long filter in its body',
          code: 'too_large',
        },
      ],
    ]);
  });

  test.each<[string, object, string, string]>([
    ['too high a limit', { limit: 1001 }, 'limit', 'range'],
    ['a limit of text', { limit: '10' }, 'limit', 'range'],
    ['a limit of half a row', { limit: 0.5 }, 'limit', 'range'],
    ['an offset below 0', { offset: -1 }, 'offset', 'range'],
    ['an offset above all', { offset: 1e300 }, 'offset', 'range'],
    ['a filter as text', { filter: '{}' }, 'filter', 'type'],
    ['an empty filter of null', { filter: null }, 'filter', 'type'],
    ['an unknown column', { filter: { $or: [{ nope: 1 }] } }, 'filter.$or.0.nope', 'unknown_column'],
    ['a sort as text', { sort: '{"email":"asc"}' }, 'sort', 'type'],
    ['a cursor that is no text', { cursor: 1 }, 'cursor', 'type'],
    ['a cursor of 8,001 characters', { cursor: 'x'.repeat(8001) }, 'cursor', 'length'],
    ['a forged cursor', { cursor: 'abc.def' }, 'cursor', 'cursor'],
    ['an unknown member', { include: 'all' }, 'include', 'unknown_field'],
    ['a token beside a filter', { changedSince: 'x', filter: {} }, 'changedSince', 'conflict'],
  ])('a query in a body is refused with %s', async (_, body, path, code) => {
    const table = await givenTable();
    expect(told(await stack.post(`${table}/rows/query`, body))).toEqual([400, path, code]);
  });

  test('a query in a body reads only tables of its workspace', async () => {
    const table = await givenTable();
    const { key } = await stack.givenWorkspace();
    expect((await stack.post(`${table}/rows/query`, {}, { 'x-api-key': key })).status).toBe(404);
  });
});

describe('bad bodies', () => {
  test.each([
    '{"$and":[{}]}',
    '{"$or":[{}]}',
    '{"$or":[{"email":"zz"},{}]}',
    '{"$not":{"$not":{}}}',
    '{"$and":[{},{}]}',
  ])('a change by the filter %s is refused, with all: true too', async (filter) => {
    const table = await givenTable();
    await givenRows(table, [{ email: 'a' }]);
    for (const more of ['', ',"all":true'])
      for (const [method, data] of [
        ['PUT', ',"data":{"score":1}'],
        ['DELETE', ''],
      ] as const) {
        const { status, body } = await stack.call(
          method,
          `${table}/rows`,
          `{"filter":${filter}${more}${data}}`,
        );
        expect([status, body.details[0].code]).toEqual([400, 'required']);
      }
    expect((await list(table, { filter: JSON.parse(filter) })).status).toBe(200);
    expect(await dataOf(table)).toMatchObject([{ email: 'a', score: null }]);
  });

  test('36 KB of small numbers are refused, and 1e400 is called a number out of range', async () => {
    const table = await givenTable();
    const notes = Array.from({ length: 4000 }, () => '1e-16000').join();
    const small = await stack.call('POST', `${table}/rows`, `{"data":{"email":"a","notes":[${notes}]}}`);
    expect(told(small)).toEqual([400, 'data.notes', 'range']);
    const large = await stack.call('POST', `${table}/rows`, '{"rows":[{"email":"a","notes":{"x":1e400}}]}');
    expect([large.status, large.body.details]).toEqual([
      400,
      [
        {
          path: 'rows[0].notes.x',
          message: 'It is a number beyond 1.7e308, which is out of range.',
          code: 'range',
        },
      ],
    ]);
    expect(await dataOf(table)).toEqual([]);
  });
});
