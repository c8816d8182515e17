import { untilSessions } from '#libs/platform/database/support/sessions';
import { Database, send } from '#libs/platform/database/database';
import { sqlState } from '#libs/platform/database/violations';
import { Invalid, Outdated } from '#libs/platform/errors/errors';
import { newId } from '#libs/platform/ids/ids';
import { ColumnIndexes } from '../schema/column-indexes.ts';
import type { ColumnInput } from '../schema/columns.ts';
import { ImportJobs } from '../files/import-jobs.ts';
import { TableColumns } from '../schema/table-columns.ts';
import { buildUpdate, buildUpsert, parseRowsInput } from './row-operations.ts';
import { quickAgain, slowDeletion } from '#libs/platform/database/support/slow-deletion';
import { OrphanedRows } from '../schema/orphans.ts';
import { type GivenTables, givenTables, ours, repeatWhileLocked, theirs } from '../support/store.ts';

let given: GivenTables;
beforeAll(async () => {
  given = await givenTables({ DATABASE_POOL_MAX: '64' });
});
afterAll(() => given.stop());

let made = 0;
const givenTable = async (
  columns: Parameters<typeof given.tables.create>[1]['columns'],
  maxRows?: number,
) => {
  const { id } = await given.tables.create(ours, { name: `table_${made++}`, columns, maxRows });
  return { workspaceId: ours, tableId: id };
};

/** Runs the work for each number, so many at once. */
async function many(count: number, writers: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: writers }, async () => {
      for (let n = next++; n < count; n = next++) await work(n);
    }),
  );
}

/** Tries a write, and gives the code of the first fault when it is refused. */
async function attempt(work: () => Promise<unknown>): Promise<string> {
  try {
    await repeatWhileLocked(work);
    return 'done';
  } catch (error) {
    if (error instanceof Invalid) return error.details?.[0]?.code ?? '';
    throw error;
  }
}

/** The counters of a table, and the real numbers of its rows and unique values, read as the owner. */
async function truth(tableId: string) {
  const { rows } = await given.owner.query<Record<string, string>>(
    `select t.row_count, t.next_position, count(r.id) as rows, count(distinct r.position) as positions, max(r.position) as last,
       (select count(*) from table_keys k where k.table_no = t.no) as keys
     from tables t left join table_rows r on r.table_no = t.no where t.id = $1 group by t.id`,
    [tableId],
  );
  return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, value]) => [name, Number(value)]));
}

/** Begins work while another transaction holds the lock of the table. Commits when the first work waits, and returns all results. */
async function whileHeld<T>(tableId: string, begin: () => Promise<T>[]): Promise<PromiseSettledResult<T>[]> {
  await given.owner.query('begin');
  await given.owner.query('select from tables where id = $1 for update', [tableId]);
  const settled = Promise.allSettled(begin());
  await untilSessions(given.owner);
  await given.owner.query('commit');
  return settled;
}

describe('64 writers', () => {
  test('64 writers insert 20,000 rows, among them 8,000 new ones, into a table for 5,000: it is full of whole calls, each value once', async () => {
    const place = await givenTable([{ name: 'email', type: 'string', unique: true }], 5000);
    const outcomes: Record<string, number> = {};
    await many(500, 64, async (n) => {
      const rows = Array.from({ length: 40 }, (_, i) => ({ email: `${(n % 200) * 40 + i}@example.org` }));
      const outcome = await attempt(() => given.changes.insertRows(place, parseRowsInput({ rows })));
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    });
    expect(outcomes['done']).toBe(125);
    expect(await truth(place.tableId)).toEqual({
      row_count: 5000,
      next_position: 5000,
      rows: 5000,
      positions: 5000,
      last: 4999,
      keys: 5000,
    });
    const { rows } = await given.owner.query(
      'select version, count(*)::int as n from table_rows group by version',
    );
    expect(rows.filter(({ n }) => n !== 40)).toEqual([]);
  });

  test('64 writers fill a table to its last row and not beyond, one row at a time', async () => {
    const place = await givenTable([{ name: 'n', type: 'number' }], 100);
    const outcomes: Record<string, number> = {};
    await many(300, 64, async (n) => {
      const outcome = await attempt(() => given.changes.insertRows(place, parseRowsInput({ rows: [{ n }] })));
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    });
    expect(outcomes).toEqual({ done: 100, max_rows: 200 });
    expect(await truth(place.tableId)).toMatchObject({ row_count: 100, rows: 100, positions: 100 });
  });

  test('64 writers insert rows together that come while the table is held, and each call gets its own answer', async () => {
    const place = await givenTable([{ name: 'n', type: 'number', unique: true }]);
    // From now on the columns are known, so all inserts below begin at once.
    await given.changes.insertRows(place, parseRowsInput({ rows: [{ n: -1 }] }));
    const inserts = (from: number, repeated?: number) =>
      whileHeld(place.tableId, () =>
        Array.from({ length: 30 }, (_, i) => {
          const n = i === repeated ? from : from + i;
          return given.changes
            .insertRows(place, parseRowsInput({ rows: [{ n }] }))
            .then(({ rows }) => String(rows[0]?.data['c1']));
        }),
      );
    const commits = async () =>
      (
        await given.owner.query(
          'select count(distinct r.xmin::text)::int as n from table_rows r join tables t on t.no = r.table_no where t.id = $1',
          [place.tableId],
        )
      ).rows[0].n;
    const before = await commits();
    const values = (outcomes: PromiseSettledResult<string>[]) =>
      outcomes.map((one) => (one.status === 'fulfilled' ? Number(one.value) : String(one.reason)));
    expect(values(await inserts(0))).toEqual(Array.from({ length: 30 }, (_, i) => i));
    // All of them came at once; one that came later would have waited for these.
    expect((await commits()) - before).toBe(1);
    // A client that follows the table sees each call as a change of its own.
    expect(Number((await given.tables.get(ours, place.tableId)).version)).toBe(31);
    const second = values(await inserts(100, 7));
    expect(second.filter((one) => typeof one === 'string')).toHaveLength(1);
    expect(second[7]).toMatch(/is not valid|unique|wrong/i);
    expect(await truth(place.tableId)).toMatchObject({ row_count: 60, rows: 60, positions: 60, keys: 60 });
  });

  test('64 writers insert into a column that another process has just added', async () => {
    const place = await givenTable([{ name: 'n', type: 'number' }]);
    await given.changes.insertRows(place, parseRowsInput({ rows: [{ n: 1 }] }));
    const other = await given.another();
    await other.get(TableColumns).addColumn(place, { name: 'm', type: 'number' });
    const { rows } = await given.changes.insertRows(place, parseRowsInput({ rows: [{ n: 2, m: 3 }] }));
    expect(JSON.stringify(rows[0]?.data)).toContain('3');
  });

  test('64 writers raise one number by upserts and by changes of a version, and lose none', async () => {
    const place = await givenTable([
      { name: 'name', type: 'string', unique: true },
      { name: 'n', type: 'number' },
    ]);
    const { rows } = await given.changes.apply(place, buildUpsert({ name: 'hits', n: 0 }, 'name'));
    const id = `row_${rows[0]?.id.replaceAll('-', '')}`;
    let raised = 0;
    await many(64, 16, async () => {
      for (;;) {
        const now = (await given.rows.get(place, id)).rows[0];
        const next = Number(now?.data['n1']) + 1;
        const changed = await given.changes
          .apply(place, buildUpdate(id, { n: next }, now && [now.version]))
          .catch(() => null);
        if (changed) break;
      }
      raised++;
    });
    expect((await given.rows.get(place, id)).rows[0]?.data).toEqual({ c1: 'hits', n1: raised });
  });

  test('64 writers upsert one value: one of them inserts it', async () => {
    const place = await givenTable([{ name: 'name', type: 'string', unique: true }]);
    const inserted: boolean[] = [];
    await many(64, 64, async () => {
      const upsert = buildUpsert({ name: 'only' }, undefined);
      inserted.push((await repeatWhileLocked(() => given.changes.apply(place, upsert))).inserted);
    });
    expect(inserted.filter(Boolean)).toHaveLength(1);
    expect(await truth(place.tableId)).toMatchObject({ row_count: 1, rows: 1, keys: 1 });
  });
});

describe('a table of another workspace', () => {
  test('a table of another workspace is out of reach of statements that forget to name the workspace', async () => {
    const place = await givenTable([{ name: 'n', type: 'number' }]);
    await given.changes.insertRows(place, parseRowsInput({ rows: [{ n: 1 }] }));
    const database = given.app.get(Database);
    for (const table of ['tables', 'table_rows', 'table_keys'])
      expect([table, await database.statement(theirs, `select 1 from ${table}`)]).toEqual([table, []]);
    const part = database.within(theirs, (tx) => send(tx, 'select 1 from table_rows_3'));
    expect(await part.then(() => 'answered', sqlState)).toBe('42501');
  });
});

test('a worker removes the cells of a deleted column from the rows, with its keys and its index, and no others', async () => {
  const place = await givenTable([
    { name: 'kept', type: 'number', unique: true },
    { name: 'gone', type: 'string', unique: true, indexed: true },
  ]);
  const rows = Array.from({ length: 7 }, (_, n) => ({ kept: n, ...(n % 3 ? { gone: `secret ${n}` } : {}) }));
  await given.changes.insertRows(place, parseRowsInput({ rows }));
  await given.columns.changeColumn(place, 'kept', { indexed: true });
  await given.owner.query(slowDeletion('table_keys', 3));
  await given.columns.remove(place, 'gone');
  await given.app.get(OrphanedRows).removeOrphanedRows(undefined, 3);
  await given.owner.query(quickAgain('table_keys'));
  const found = await given.owner.query(
    'select r.data, r.version from table_rows r join tables t on t.no = r.table_no where t.id = $1 order by r.position',
    [place.tableId],
  );
  expect(found.rows).toEqual(rows.map(({ kept }) => ({ data: { c1: kept }, version: '1' })));
  expect((await given.owner.query('select from table_column_orphans')).rows).toEqual([]);
  for (const table of ['table_keys', 'table_index']) {
    const entries = `select x.column_id, count(*)::int as n from ${table} x join tables t on t.no = x.table_no where t.id = $1 group by 1`;
    const left = await given.owner.query(entries, [place.tableId]);
    expect([table, left.rows.filter(({ column_id: id }) => id !== 'c1')]).toEqual([table, []]);
  }
});

test('a column is changed also when one statement cannot delete its keys and its index in time', async () => {
  const place = await givenTable([{ name: 'n', type: 'number', unique: true }]);
  const rows = Array.from({ length: 150 }, (_, n) => ({ n }));
  await given.changes.insertRows(place, parseRowsInput({ rows }));
  await given.columns.changeColumn(place, 'n', { indexed: true });
  await given.app.get(ColumnIndexes).buildDueIndexes();
  for (const table of ['table_keys', 'table_index']) await given.owner.query(slowDeletion(table, 50));
  await given.columns.changeColumn(place, 'n', { unique: false, indexed: false });
  for (const table of ['table_keys', 'table_index']) await given.owner.query(quickAgain(table));
  expect(await truth(place.tableId)).toMatchObject({ rows: 150, keys: 0 });
  const { rows: index } = await given.owner.query(
    'select count(*)::int as n from table_index x join tables t on t.no = x.table_no where t.id = $1',
    [place.tableId],
  );
  expect(index).toEqual([{ n: 0 }]);
});

test('a locked table delays neither the leftovers nor the indexes of other tables', async () => {
  const columns: ColumnInput[] = [
    { name: 'gone', type: 'number' },
    { name: 'n', type: 'number' },
  ];
  const [held, free] = [await givenTable(columns), await givenTable(columns)];
  for (const place of [held, free]) {
    await given.changes.insertRows(place, parseRowsInput({ rows: [{ gone: 1, n: 1 }] }));
    await given.app.get(TableColumns).remove(place, 'gone');
    await given.app.get(TableColumns).changeColumn(place, 'n', { indexed: true });
  }
  await given.owner.query('begin');
  await given.owner.query('select from tables where id = $1 for no key update', [held.tableId]);
  const turns = [
    given.app.get(OrphanedRows).removeOrphanedRows(),
    given.app.get(ColumnIndexes).buildDueIndexes(),
  ];
  expect(await Promise.all(turns)).toEqual([1, 1]);
  await given.owner.query('commit');
  const { rows } = await given.owner.query('select kind from deferrals order by kind');
  expect(rows).toEqual([{ kind: 'column of a table' }, { kind: 'index of a table' }]);
  await given.owner.query(`update deferrals set due_at = now() - interval '1 second'`);
  expect([
    await given.app.get(OrphanedRows).removeOrphanedRows(),
    await given.app.get(ColumnIndexes).buildDueIndexes(),
  ]).toEqual([1, 1]);
});

test('a deleted table whose rows cannot be removed delays no other, and a large table is removed in parts', async () => {
  const [stuck, large] = [await givenTable([]), await givenTable([])];
  const numbers = await given.owner.query('select no from tables where id = any($1) order by no', [
    [stuck.tableId, large.tableId],
  ]);
  const [first, second] = numbers.rows.map(({ no }) => no);
  for (const place of [stuck, large]) {
    await given.changes.insertRows(place, parseRowsInput({ rows: Array.from({ length: 30 }, () => ({})) }));
    await given.tables.delete(ours, place.tableId);
  }
  await given.owner.query(
    slowDeletion(
      'table_rows',
      0,
      `table_no = ${first} or (table_no = ${second} and (select count(*) from gone) > 10)`,
    ),
  );
  expect(await given.app.get(OrphanedRows).removeOrphanedRows()).toBe(1);
  await given.owner.query(quickAgain('table_rows'));
  expect((await given.owner.query('select table_no from table_orphans')).rows).toEqual([{ table_no: first }]);
  await given.owner.query(`update deferrals set due_at = now() - interval '1 second'`);
  expect(await given.app.get(OrphanedRows).removeOrphanedRows()).toBe(1);
});

test('an import that cannot be forgotten delays no other', async () => {
  const { tableId } = await givenTable([]);
  await given.owner.query(
    `insert into table_imports (id, workspace_id, table_id, format, mode, size, status, completed_at)
     select 'imp_' || n, $1, $2, 'csv', 'all', 1, 'completed', now() - n * interval '1 day' from generate_series(1, 50) n`,
    [ours, tableId],
  );
  await given.owner.query(slowDeletion('table_imports', 0, `id = 'imp_50'`));
  await given.app.get(ImportJobs).forgetOld();
  await given.owner.query(quickAgain('table_imports'));
  const { rows } = await given.owner.query(`select id from table_imports order by completed_at limit 2`);
  expect(rows).toEqual([{ id: 'imp_50' }, { id: 'imp_29' }]);
});

describe('a deleted table', () => {
  test('a deleted table takes no row that is on its way, and leaves nothing behind', async () => {
    const place = await givenTable([{ name: 'n', type: 'number', unique: true }]);
    const insertRow = (n: number) =>
      given.changes.insertRows(place, parseRowsInput({ rows: [{ n }] })).then(
        () => 'done',
        (error: Error) => error.message,
      );
    const outcomes = await Promise.all([
      ...Array.from({ length: 20 }, (_, n) => insertRow(n)),
      given.tables.delete(ours, place.tableId).then(() => 'deleted'),
    ]);
    expect(['done', 'No such table.', 'deleted']).toEqual(expect.arrayContaining(outcomes));
    expect([outcomes.at(-1), await insertRow(20)]).toEqual(['deleted', 'No such table.']);
    const { rows } = await given.owner.query('select table_no from table_orphans');
    await given.app.get(OrphanedRows).removeOrphanedRows(undefined, 3);
    for (const table of ['table_rows', 'table_keys', 'table_orphans'])
      expect([
        table,
        (await given.owner.query(`select 1 from ${table} where table_no = $1`, [rows[0]?.table_no])).rows,
      ]).toEqual([table, []]);
  });
});

test('an upsert that is made again under the id of its first try finds the row that it has inserted', async () => {
  const place = await givenTable([
    { name: 'email', type: 'string', unique: true },
    { name: 'n', type: 'number' },
  ]);
  const firstId = newId('row');
  const upsert = (data: { email: string; n: number }, id?: string) =>
    given.changes.apply(place, buildUpsert(data, undefined, { firstId: id }));
  const first = await upsert({ email: 'a', n: 1 }, firstId);
  await upsert({ email: 'a', n: 2 });
  const again = await upsert({ email: 'a', n: 1 }, firstId);
  const shown = ({ inserted, rows: [row] }: typeof first) => [inserted, row?.id, row?.version];
  expect([shown(first), shown(again)]).toEqual([
    [true, first.rows[0]?.id, '1'],
    [true, first.rows[0]?.id, '2'],
  ]);
  expect((await given.rows.list(place, { limit: 10, offset: 0 })).totalCount).toBe(1);
});

test('an upsert with a condition that is made again after it has written gives the row, and no conflict with itself', async () => {
  const place = await givenTable([
    { name: 'email', type: 'string', unique: true },
    { name: 'n', type: 'number' },
  ]);
  const upsert = (n: number, version: string, isRetry: boolean) => {
    const terms = { expected: { versions: [version] }, firstId: newId('row'), isRetry };
    return given.changes.apply(place, buildUpsert({ email: 'a', n }, undefined, terms));
  };
  await given.changes.apply(place, buildUpsert({ email: 'a', n: 1 }, undefined));
  expect((await upsert(2, '1', false)).rows[0]?.version).toBe('2');
  const again = await upsert(2, '1', true);
  expect([again.inserted, again.rows[0]?.version]).toEqual([false, '2']);
  // Somebody else has changed the row meanwhile, so the condition holds no more.
  await expect(upsert(3, '1', true)).rejects.toThrow(Outdated);
  await expect(upsert(2, '1', false)).rejects.toThrow(Outdated);
});
