import { gzipSync } from 'node:zlib';
import { type Answer, Stack, until } from './support/stack.ts';
import { columns, Tables } from './support/tables.ts';

let stack: Stack;
let theirs: { id: string; key: string };
beforeAll(async () => {
  stack = await Stack.shared();
  theirs = await stack.givenWorkspace();
});
afterAll(() => stack.stop());

const id = (prefix: string): unknown => expect.stringMatching(new RegExp(`^${prefix}_[0-9a-f]{32}$`));
const moment: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const tables = new Tables(() => stack);
const givenTable = tables.given.bind(tables);
const givenRows = tables.rows.bind(tables);
const list = tables.list.bind(tables);
const emails = ({ body }: Answer): string[] =>
  body.data.rows.map((row: { data: { email: string } }) => row.data.email);

describe('table', () => {
  test('a table is created, listed, read, renamed and deleted', async () => {
    const name = 'Leads';
    const created = await stack.post('/api/v1/tables', {
      workspaceId: stack.home.id,
      name,
      description: 'Who may buy.',
      schema: { columns: columns.slice(0, 2) },
    });
    const table = {
      id: id('tbl'),
      name,
      description: 'Who may buy.',
      schema: {
        columns: [
          { name: 'email', type: 'string', required: true, unique: true },
          { name: 'score', type: 'number', required: false, unique: false },
        ],
      },
      rowCount: 0,
      maxRows: 10_000_000,
      createdAt: moment,
      updatedAt: moment,
    };
    expect([created.status, created.body]).toEqual([
      200,
      { success: true, data: { table, message: 'Table created' } },
    ]);
    const path = `/api/v1/tables/${created.body.data.table.id}`;
    const listed = await stack.get(`/api/v1/tables?workspaceId=${stack.home.id}`);
    expect(listed.body).toEqual({ success: true, data: { tables: [table], totalCount: 1 } });
    expect((await stack.get(path)).body).toEqual({ success: true, data: { table } });
    const taken = await stack.post('/api/v1/tables', { name: 'LEADS', schema: { columns } });
    expect([taken.status, taken.body.code, taken.body.error]).toEqual([
      409,
      'NAME_TAKEN',
      'A table named "LEADS" exists already; choose another name.',
    ]);
    const renamed = await stack.call('PATCH', path, { name: 'Prospects' });
    expect(renamed.body.data).toMatchObject({ table: { name: 'Prospects', description: 'Who may buy.' } });
    const gone = await stack.call('DELETE', path, { workspaceId: stack.home.id });
    expect([gone.status, gone.body]).toEqual([200, { success: true, data: { message: 'Table deleted' } }]);
    expect((await stack.get(path)).status).toBe(404);
    expect((await stack.get(`${path}/rows?workspaceId=${stack.home.id}`)).status).toBe(404);
  });

  test('a table does not exist for a caller of another workspace, in every call', async () => {
    const table = await givenTable();
    const [row] = await givenRows(table, [{ email: 'a' }]);
    const calls: [string, string, object?][] = [
      ['GET', ''],
      ['PATCH', '', { name: 'mine' }],
      ['DELETE', ''],
      ['POST', '/columns', { column: { name: 'x', type: 'string' } }],
      ['PATCH', '/columns', { columnName: 'score', updates: { name: 'x' } }],
      ['DELETE', '/columns', { columnName: 'score' }],
      ['GET', '/rows?workspaceId=WORKSPACE'],
      ['POST', '/rows', { data: { email: 'b' } }],
      ['PATCH', '/rows', { updates: [{ rowId: row, data: { score: 1 } }] }],
      ['PUT', '/rows', { all: true, data: { score: 1 } }],
      ['DELETE', '/rows', { all: true }],
      ['POST', '/rows/upsert', { data: { email: 'a' } }],
      ['POST', '/rows/aggregate', { aggregates: { n: { count: '*' } } }],
      ['GET', `/rows/${row}`],
      ['PATCH', `/rows/${row}`, { data: { score: 1 } }],
      ['DELETE', `/rows/${row}?workspaceId=WORKSPACE`],
    ];
    const absent = '/api/v1/tables/tbl_00000000000000000000000000000000';
    for (const [method, path, body] of calls) {
      const [theirPath, ourPath] = [theirs, stack.home].map((one) => path.replace('WORKSPACE', one.id));
      const foreign = await stack.call(method, `${table}${theirPath}`, body, { 'x-api-key': theirs.key });
      const missing = await stack.call(method, `${absent}${ourPath}`, body);
      const answers = [foreign, missing].map(({ status, body: { error, code } }) => ({
        status,
        error,
        code,
      }));
      const refused = { status: 404, error: 'No such table.', code: 'NOT_FOUND' };
      expect([method, path, ...answers]).toEqual([method, path, refused, refused]);
    }
    expect((await list(table)).body.data.rows).toMatchObject([{ data: { email: 'a', score: null } }]);
  });
});

describe('columns', () => {
  test('columns are added, changed and deleted, and every answer lists all of them', async () => {
    const table = await givenTable(columns.slice(0, 2));
    await givenRows(table, [{ email: 'a', score: 5 }]);
    const added = await stack.post(`${table}/columns`, {
      column: { name: 'stage', type: 'string', required: true, default: 'new' },
    });
    expect([added.status, added.body.data.columns.at(-1)]).toEqual([
      201,
      { name: 'stage', type: 'string', required: true, unique: false, default: 'new' },
    ]);
    const changed = await stack.call('PATCH', `${table}/columns`, {
      workspaceId: stack.home.id,
      columnName: 'score',
      updates: { name: 'points', type: 'string' },
    });
    expect(changed.body).toEqual({
      success: true,
      data: {
        columns: [
          { name: 'email', type: 'string', required: true, unique: true },
          { name: 'points', type: 'string', required: false, unique: false },
          { name: 'stage', type: 'string', required: true, unique: false, default: 'new' },
        ],
      },
    });
    expect((await list(table)).body.data.rows[0].data).toEqual({ email: 'a', points: '5', stage: 'new' });
    const left = await stack.call('DELETE', `${table}/columns`, {
      workspaceId: stack.home.id,
      columnName: 'points',
    });
    expect(left.body.data.columns.map(({ name }: { name: string }) => name)).toEqual(['email', 'stage']);
  });

  test('columns stay unchanged when some rows do not fit, and the answer shows the first of these rows', async () => {
    const table = await givenTable(columns.slice(0, 2));
    const rows = await givenRows(table, [{ email: '1' }, { email: 'x', score: 1 }, { email: 'y', score: 1 }]);
    const change = async (columnName: string, updates: object) =>
      (await stack.call('PATCH', `${table}/columns`, { columnName, updates })).body;
    const type = await change('email', { type: 'number', name: 'n' });
    expect(type.error).toBe('2 rows hold a value of n that is no number; nothing was changed.');
    expect(type.details[0].message).toContain(`${rows[1]} at position 1 holds "x"`);
    const at = (position: number) => ({ rowId: rows[position], position });
    expect(type.details).toMatchObject([1, 2].map((n) => ({ path: 'updates.type', code: 'type', ...at(n) })));
    const required = await change('score', { required: true });
    expect(required.error).toBe('1 rows have no value for score; nothing was changed.');
    expect(required.details).toEqual([
      {
        path: 'updates.required',
        code: 'required',
        message: `${rows[0]} at position 0 has no value`,
        ...at(0),
      },
    ]);
    const unique = await change('score', { unique: true });
    expect(unique.error).toBe('Rows of score hold the same values; nothing was changed.');
    expect(unique.details).toEqual(
      [1, 2].map((n) => ({
        path: 'updates.unique',
        code: 'duplicate',
        message: `${rows[n]} at position ${n} holds "1", as 2 rows do`,
        ...at(n),
      })),
    );
    expect((await change('nothing', { name: 'x' })).details[0].path).toBe('columnName');
    expect(await change('score', { name: 'EMAIL' })).toMatchObject({
      error: 'A column named "email" exists already; choose another name.',
      code: 'NAME_TAKEN',
    });
    const shown = (await stack.get(table)).body.data.table.schema.columns;
    expect(shown).toEqual([
      { name: 'email', type: 'string', required: true, unique: true },
      { name: 'score', type: 'number', required: false, unique: false },
    ]);
  });
});

describe('rows', () => {
  test('rows are inserted one by one and many at once, in the order of their positions', async () => {
    const table = await givenTable();
    const one = await stack.post(`${table}/rows`, { data: { email: 'a', met: '2026-01-31T10:00:00+02:00' } });
    const data = { email: 'a', score: null, won: false, met: '2026-01-31T08:00:00.000Z', notes: null };
    const row = {
      id: id('row'),
      data,
      position: 0,
      version: 1,
      createdAt: moment,
      updatedAt: moment,
      executionId: null,
    };
    expect([one.status, one.body]).toEqual([
      201,
      { success: true, data: { row, rows: [row], insertedCount: 1, message: '1 row(s) inserted' } },
    ]);
    const many = await stack.post(`${table}/rows`, {
      rows: [
        { email: 'b', score: '8' },
        { email: 'c', won: 'true' },
      ],
    });
    expect(many.body.data.rows).toMatchObject([
      { position: 1, data: { email: 'b', score: 8, won: false } },
      { position: 2, data: { email: 'c', score: null, won: true } },
    ]);
    const { data: page } = (await list(table, { limit: 2, offset: 1 })).body;
    expect(page).toMatchObject({ rowCount: 2, totalCount: 3, limit: 2, offset: 1, nextCursor: null });
    expect((await stack.get(table)).body.data.table.rowCount).toBe(3);
  });

  test('rows keep every digit of a number on the way in, through a filter, and out', async () => {
    const table = await givenTable();
    const digits = '12345678901234567890.123456789012345678901';
    const sent = await stack.call(
      'POST',
      `${table}/rows`,
      `{"data":{"email":"a","score":${digits},"notes":[9007199254740993]}}`,
    );
    expect(sent.status).toBe(201);
    const filter = encodeURIComponent(`{"score":${digits}}`);
    const answer = await fetch(`${stack.url}${table}/rows?workspaceId=${stack.home.id}&filter=${filter}`, {
      headers: { 'x-api-key': stack.home.key },
    });
    const text = await answer.text();
    expect(text).toContain(`"score":${digits}`);
    expect(text).toContain('"notes":[9007199254740993]');
    const near = encodeURIComponent(`{"score":${digits.replace('890.', '891.')}}`);
    expect((await list(table, { filter: decodeURIComponent(near) })).body.data.totalCount).toBe(0);
  });

  test('rows are found by filter and sort, page by page', async () => {
    const table = await givenTable();
    await givenRows(
      table,
      ['d', 'b', 'a', 'c'].map((email, score) => ({ email, score })),
    );
    const found = await list(table, {
      workspaceId: stack.home.id,
      filter: { score: { $gt: 0 } },
      sort: { email: 'desc' },
      limit: 2,
    });
    expect([emails(found), found.body.data.totalCount]).toEqual([['c', 'b'], 3]);
    const next = await list(table, {
      filter: { score: { $gt: 0 } },
      sort: { email: 'desc' },
      limit: 2,
      cursor: found.body.data.nextCursor,
    });
    expect([emails(next), next.body.data.nextCursor]).toEqual([['a'], null]);
    const bad = await list(table, { sort: { email: 'asc' }, limit: 2, cursor: found.body.data.nextCursor });
    expect([bad.status, bad.body.details[0].path]).toEqual([400, 'cursor']);
  });

  test('rows are read, changed and deleted one by one', async () => {
    const table = await givenTable();
    const [rowId] = await givenRows(table, [{ email: 'a', score: 1 }]);
    const path = `${table}/rows/${rowId}`;
    const read = await stack.get(path);
    expect([read.headers.get('etag'), read.body.data.row]).toMatchObject([
      '"1"',
      { id: rowId, data: { score: 1 } },
    ]);
    const changed = await stack.call('PATCH', path, {
      workspaceId: stack.home.id,
      data: { score: null, won: true },
    });
    expect(changed.body).toMatchObject({
      success: true,
      data: {
        row: { id: rowId, version: 2, data: { email: 'a', score: null, won: true } },
        message: 'Row updated',
      },
    });
    const gone = await stack.call('DELETE', path, { workspaceId: stack.home.id });
    expect(gone.body).toEqual({ success: true, data: { message: 'Row deleted', deletedCount: 1 } });
    expect((await stack.get(path)).body).toMatchObject({ error: 'No such row.', code: 'NOT_FOUND' });
    const unnamed = await stack.call('DELETE', path);
    expect([unnamed.status, unnamed.body.details[0].path]).toEqual([400, 'workspaceId']);
    expect((await stack.call('DELETE', path, { workspaceId: stack.home.id })).status).toBe(404);
  });

  test('rows are changed only in the version that If-Match names', async () => {
    const table = await givenTable();
    const [rowId] = await givenRows(table, [{ email: 'a' }]);
    const path = `${table}/rows/${rowId}`;
    const tag = (await stack.get(path)).headers.get('etag') ?? '';
    expect((await stack.call('PATCH', path, { data: { score: 1 } }, { 'if-match': tag })).status).toBe(200);
    const late = await stack.call('PATCH', path, { data: { score: 2 } }, { 'if-match': tag });
    expect([late.status, late.body.code]).toEqual([412, 'PRECONDITION_FAILED']);
    const here = { workspaceId: stack.home.id };
    expect((await stack.call('DELETE', path, here, { 'if-match': tag })).status).toBe(412);
    expect((await stack.call('PATCH', path, { data: { score: 2 } }, { 'if-match': 'any' })).status).toBe(400);
    expect((await stack.get(path)).body.data.row.data.score).toBe(1);
  });

  test('rows are changed each in its own way, all or none, and unique values may change places', async () => {
    const table = await givenTable();
    const [a, b] = await givenRows(table, [{ email: 'a' }, { email: 'b' }]);
    const swap = [
      { rowId: a, data: { email: 'b' } },
      { rowId: b, data: { email: 'a' } },
    ];
    const answer = await stack.call('PATCH', `${table}/rows`, { workspaceId: stack.home.id, updates: swap });
    expect(answer.body).toEqual({
      success: true,
      data: { message: '2 row(s) updated', updatedCount: 2, updatedRowIds: [a, b] },
    });
    expect(emails(await list(table))).toEqual(['b', 'a']);
    const unknown = 'row_00000000000000000000000000000000';
    const mixed = [swap[0], { rowId: unknown, data: { score: 1 } }];
    const refused = await stack.call('PATCH', `${table}/rows`, { updates: mixed });
    expect([refused.status, refused.body.details]).toMatchObject([400, [{ path: 'updates.1.rowId' }]]);
    expect(emails(await list(table))).toEqual(['b', 'a']);
  });

  test('rows are changed and deleted by a filter, and all of them only with all: true', async () => {
    const table = await givenTable();
    const ids = await givenRows(
      table,
      [1, 2, 3].map((score) => ({ email: `${score}`, score })),
    );
    const put = await stack.call('PUT', `${table}/rows`, {
      workspaceId: stack.home.id,
      filter: { score: { $gte: 2 } },
      data: { won: true },
    });
    expect(put.body.data).toEqual({
      message: '2 row(s) updated',
      updatedCount: 2,
      updatedRowIds: ids.slice(1),
    });
    const none = await stack.call('PUT', `${table}/rows`, { filter: { score: 9 }, data: { won: true } });
    expect(none.body.data).toMatchObject({ updatedCount: 0, updatedRowIds: [] });
    const unique = await stack.call('PUT', `${table}/rows`, { filter: { won: true }, data: { email: 'x' } });
    expect([unique.status, unique.body.details[0].path]).toEqual([400, 'data.email']);
    for (const filter of [undefined, {}]) {
      expect((await stack.call('PUT', `${table}/rows`, { filter, data: { won: true } })).status).toBe(400);
      expect((await stack.call('DELETE', `${table}/rows`, { filter })).status).toBe(400);
    }
    const missing = 'row_00000000000000000000000000000000';
    const byId = await stack.call('DELETE', `${table}/rows`, { rowIds: [ids[0], missing] });
    expect(byId.body.data).toEqual({
      message: '1 row(s) deleted',
      deletedCount: 1,
      deletedRowIds: [ids[0]],
      missingRowIds: [missing],
    });
    const all = await stack.call('DELETE', `${table}/rows`, { all: true });
    expect(all.body.data).toMatchObject({ deletedCount: 2, deletedRowIds: ids.slice(1), missingRowIds: [] });
  });

  test('rows are inserted or changed by a unique value', async () => {
    const table = await givenTable([...columns, { name: 'phone', type: 'string', unique: true }]);
    const first = await stack.post(`${table}/rows/upsert`, {
      data: { email: 'a', score: 1 },
      conflictTarget: 'email',
    });
    expect(first.body.data).toMatchObject({
      operation: 'insert',
      message: 'Row inserted',
      row: { position: 0 },
    });
    const second = await stack.post(`${table}/rows/upsert`, {
      data: { email: 'a', won: true },
      conflictTarget: 'email',
    });
    expect(second.body.data).toMatchObject({
      operation: 'update',
      row: { data: { email: 'a', score: 1, won: true } },
    });
    expect((await stack.post(`${table}/rows/upsert`, { data: { email: 'a' } })).body.details[0].path).toBe(
      'conflictTarget',
    );
    const other = await stack.post(`${table}/rows/upsert`, { data: { email: 'a' }, conflictTarget: 'score' });
    expect(other.body.details[0].path).toBe('conflictTarget');
    expect((await list(table)).body.data.totalCount).toBe(1);
  });

  test('rows are counted, added up and compared in groups', async () => {
    const table = await givenTable();
    const rows = [
      { email: 'a', score: 0.1, won: true },
      { email: 'b', score: 0.2, won: true },
      { email: 'c', won: false, met: '2026-01-01' },
    ];
    await givenRows(table, rows);
    const aggregates = {
      n: { count: '*' },
      scored: { count: 'score' },
      total: { sum: 'score' },
      mean: { avg: 'score' },
      last: { max: 'met' },
    };
    const grouped = await stack.post(`${table}/rows/aggregate`, {
      workspaceId: stack.home.id,
      groupBy: ['won'],
      aggregates,
    });
    expect(grouped.body.data).toEqual({
      groups: [
        {
          by: { won: false },
          values: { n: 1, scored: 0, total: null, mean: null, last: '2026-01-01T00:00:00.000Z' },
        },
        { by: { won: true }, values: { n: 2, scored: 2, total: 0.3, mean: 0.15, last: null } },
      ],
      hasMore: false,
    });
    const whole = await stack.post(`${table}/rows/aggregate`, {
      filter: { email: 'z' },
      aggregates: { n: { count: '*' } },
    });
    expect(whole.body.data.groups).toEqual([{ by: {}, values: { n: 0 } }]);
  });

  test('rows are followed by a token, which gives the later writes and deletions', async () => {
    const table = await givenTable();
    const [a, b] = await givenRows(table, [{ email: 'a' }, { email: 'b' }]);
    const token = (await list(table)).body.data.changeToken;
    await stack.call('DELETE', `${table}/rows/${a}`, { workspaceId: stack.home.id });
    await stack.call('PATCH', `${table}/rows/${b}`, { data: { score: 1 } });
    const { data } = (await list(table, { changedSince: token, limit: 1 })).body;
    expect(data).toMatchObject({ rows: [], deletedRowIds: [a], hasMore: true, totalCount: 1 });
    const next = (await list(table, { changedSince: data.changeToken })).body.data;
    expect(next).toMatchObject({ rows: [{ id: b, data: { score: 1 } }], deletedRowIds: [], hasMore: false });
    const last = (await list(table, { changedSince: next.changeToken })).body.data;
    expect(last).toMatchObject({ rows: [], deletedRowIds: [], hasMore: false });
    const wrong = await list(await givenTable(), { changedSince: token });
    expect([wrong.status, wrong.body.details[0].path]).toEqual([400, 'changedSince']);
    expect((await list(table, { changedSince: token, sort: { email: 'asc' } })).status).toBe(400);
  });

  test('rows come from files and go into files', async () => {
    const table = await givenTable();
    const csv = 'email,score\na,1\nb,x\n=c,3\n';
    const type = { 'content-type': 'text/csv' };
    const none = await stack.call('POST', `${table}/import?workspaceId=${stack.home.id}`, csv, type);
    expect([none.status, none.body.details]).toMatchObject([400, [{ path: 'line 3' }]]);
    const some = await stack.call('POST', `${table}/import?mode=good`, csv, type);
    const refused = [{ line: 3, message: 'score must be a number, not "x"' }];
    expect([some.status, some.body]).toMatchObject([
      200,
      { success: true, data: { insertedCount: 2, refusedCount: 1, refused, taken: { delimiter: ',' } } },
    ]);
    const lines = await stack.call('POST', `${table}/import`, '{"email":"d"}', {
      'content-type': 'application/x-ndjson',
    });
    expect(lines.body.data.insertedCount).toBe(1);
    expect((await stack.call('POST', `${table}/import`, '{}')).status).toBe(400);
    expect((await stack.call('POST', `${table}/rows`, csv, type)).status).toBe(415);
    const out = await stack.get(`${table}/export?filter={"email":{"$ne":"d"}}`);
    expect([out.headers.get('content-type'), out.body]).toEqual([
      'text/csv; charset=utf-8',
      "email,score,won,met,notes\r\na,1,false,,\r\n'=c,3,false,,\r\n",
    ]);
    expect((await stack.get(`${table}/export?filter={"nope":1}`)).body.details[0].path).toBe('filter.nope');
    expect((await stack.get(`${table}/export`, { 'x-api-key': theirs.key })).status).toBe(404);
    expect(
      (await stack.call('POST', `${table}/import`, csv, { ...type, 'x-api-key': theirs.key })).status,
    ).toBe(404);
  });

  test('rows are looked at before an import, with what it would refuse, and nothing is changed', async () => {
    const table = await givenTable();
    const type = { 'content-type': 'text/csv' };
    const csv = 'E-Mail;SCORE;Ort\na;1,5;Bonn\nb;x;Rome\na;2;\n';
    const query = `createColumns=true&mapping=${encodeURIComponent('{"E-Mail":"email"}')}`;
    const { status, body } = await stack.call('POST', `${table}/import/preview?${query}`, csv, type);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      taken: {
        format: 'csv',
        delimiter: ';',
        encoding: 'utf-8',
        header: 1,
        decimal: ',',
        mapping: { 'E-Mail': 'email', SCORE: 'score', Ort: 'Ort' },
        createdColumns: ['Ort'],
      },
      columns: [
        { name: 'E-Mail', type: 'string', samples: ['a', 'b', 'a'], column: 'email' },
        { name: 'SCORE', samples: ['1,5', 'x', '2'], column: 'score' },
        { name: 'Ort', type: 'string', samples: ['Bonn', 'Rome'], column: 'Ort' },
      ],
      checkedCount: 3,
      refusedCount: 2,
      refused: [
        { line: 3, message: 'score must be a number, not "x"' },
        { line: 4, message: 'email is unique, and its value is there already' },
      ],
    });
    expect((await stack.get(table)).body.data.table).toMatchObject({
      rowCount: 0,
      schema: { columns: [{}, {}, {}, {}, {}] },
    });
    const done = await stack.call('POST', `${table}/import?mode=good&${query}`, csv, type);
    expect(done.body.data).toMatchObject({ insertedCount: 1, taken: body.data.taken });
    expect((await list(table)).body.data.rows[0].data).toMatchObject({ email: 'a', score: 1.5, Ort: 'Bonn' });
  });

  test('rows come from a file that makes their table, or leave none when a line is refused', async () => {
    const type = { 'content-type': 'application/octet-stream' };
    const make = (name: string, file: string | Buffer, more = '', headers = {}) =>
      stack.call('POST', `/api/v1/tables/import?workspaceId=${stack.home.id}&name=${name}${more}`, file, {
        ...type,
        ...headers,
      });
    const csv = 'Name;Größe;Since\nAnn;1,5;31.12.2024\n"Bob";2;01.01.2025\n';
    const key = { 'idempotency-key': 'a table of a file' };
    const made = await make('sizes', csv, '', key);
    expect([made.status, made.body.data]).toMatchObject([
      201,
      { insertedCount: 2, taken: { dateFormat: 'DD.MM.YYYY', createdColumns: ['Name', 'Grosse', 'Since'] } },
    ]);
    expect((await make('sizes', csv, '', key)).body).toEqual(made.body);
    const table = `/api/v1/tables/${made.body.data.tableId}`;
    expect((await list(table)).body.data.rows.map(({ data }: { data: object }) => data)).toEqual([
      { Name: 'Ann', Grosse: 1.5, Since: '2024-12-31T00:00:00.000Z' },
      { Name: 'Bob', Grosse: 2, Since: '2025-01-01T00:00:00.000Z' },
    ]);
    expect((await make('sizes', csv)).body.code).toBe('NAME_TAKEN');
    expect((await make('sizes', csv, '&async=true')).body.code).toBe('NAME_TAKEN');
    const broken = 'n;m\n1;2\n6" nail;3\n';
    expect((await make('nails', broken)).body.details).toMatchObject([{ path: 'line 3' }]);
    expect((await make('nails', broken, '&mode=good')).body.data).toMatchObject({
      insertedCount: 1,
      refusedCount: 1,
    });
    expect((await make('no name', csv)).body.details[0].path).toBe('name');
    expect((await make('', csv)).status).toBe(400);
    const listed = await make('list', '[{"a":1},{"a":2}]', '', {
      'content-type': 'application/json; charset=utf-8',
    });
    expect([listed.status, listed.body.data.insertedCount, listed.body.data.taken.format]).toEqual([
      201,
      2,
      'json',
    ]);
    const packed = await make('packed', gzipSync(csv), '', { 'content-encoding': 'gzip' });
    expect([packed.status, packed.body.data.insertedCount]).toEqual([201, 2]);
    const later = await make('later', csv, '&async=true');
    expect(later.status).toBe(202);
    const { import: job } = (await stack.get(`${new URL(later.body.data.statusUrl).pathname}?wait=60`)).body
      .data;
    expect(job).toMatchObject({
      status: 'completed',
      insertedCount: 2,
      taken: { delimiter: ';', decimal: ',' },
    });
  });

  test.each([
    ['delimiter=ab', 'delimiter'],
    ['delimiter=%22', 'delimiter'],
    ['header=maybe', 'header'],
    ['mapping=[1]', 'mapping'],
    ['mapping={', 'mapping'],
    ['mapping={"email":5}', 'mapping'],
    ['nulls=some', 'nulls'],
    ['decimal=%3B', 'decimal'],
    ['dateFormat=today', 'dateFormat'],
    ['encoding=klingon', 'encoding'],
    ['sheet=One', 'sheet'],
  ])('rows are not imported with the wrong option %s, which the answer names', async (query, path) => {
    const table = await givenTable();
    const type = { 'content-type': 'text/csv' };
    for (const call of ['import', 'import/preview']) {
      const { status, body } = await stack.call('POST', `${table}/${call}?${query}`, 'email\na\n', type);
      expect([status, body.details?.[0].path]).toEqual([400, path]);
    }
  });

  test('rows are found through an index, which a worker builds', async () => {
    const table = await givenTable();
    await givenRows(
      table,
      [1, 2, 3].map((score) => ({ email: `${score}`, score })),
    );
    const wish = { columnName: 'score', updates: { indexed: true } };
    const shown = (await stack.call('PATCH', `${table}/columns`, wish)).body.data.columns[1];
    expect(shown).toMatchObject({ name: 'score', index: expect.stringMatching(/^(building|ready)$/) });
    const isReady = ({ body }: Answer) => body.data.table.schema.columns[1].index === 'ready';
    await until(() => stack.get(table), isReady);
    await givenRows(table, [{ email: '4', score: 4 }]);
    expect(emails(await list(table, { filter: { score: { $gt: 2 } } }))).toEqual(['3', '4']);
    const off = { columnName: 'score', updates: { indexed: false } };
    expect((await stack.call('PATCH', `${table}/columns`, off)).body.data.columns[1].index).toBeUndefined();
  });

  test('rows are inserted once for each Idempotency-Key', async () => {
    const table = await givenTable();
    const key = { 'idempotency-key': 'leads of today' };
    const body = { rows: [{ email: 'a', notes: 1 }, { email: 'b' }] };
    const first = await stack.post(`${table}/rows`, body, key);
    const again = await stack.post(`${table}/rows`, body, key);
    expect([again.status, again.headers.get('idempotency-replayed'), again.body]).toEqual([
      201,
      'true',
      first.body,
    ]);
    expect((await stack.post(`${table}/rows`, { data: { email: 'c' } }, key)).status).toBe(422);
    expect((await list(table)).body.data.totalCount).toBe(2);
  });
});
