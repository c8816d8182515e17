import { exactJson } from '#libs/platform/json/exact-json';
import { buildDeletions, updateWhere, parseRowsInput } from '../writes/row-operations.ts';
import { ColumnIndexes } from './column-indexes.ts';
import { compare } from '../support/oracle.ts';
import { Chance, hostile, value } from '../support/random.ts';
import { type GivenTables, givenTables, ours, repeatWhileLocked } from '../support/store.ts';

let given: GivenTables;
beforeAll(async () => {
  given = await givenTables();
});
afterAll(() => given.stop());

test('the keys of an index sort as the cells do', async () => {
  const chance = new Chance(3);
  const plain = () => (chance.next() - 0.5) * 10 ** chance.below(40);
  const numbers = Array.from({ length: 400 }, () =>
    chance.next() < 0.3 ? value(chance, 'number') : plain(),
  );
  for (const cells of [numbers, hostile]) {
    const { rows } = await given.owner.query<{ key: string; at: number }>(
      `select table_sort_key(c) as key, ord::int - 1 as at from jsonb_array_elements($1::jsonb) with ordinality as c (c, ord)
       order by table_sort_key(c) collate "C"`,
      [exactJson(cells)],
    );
    for (const [i, { key, at: place }] of rows.entries()) {
      const next = rows[i + 1];
      if (!next) continue;
      const order = compare(cells[place] ?? null, cells[next.at] ?? null);
      expect([key, next.key, Math.sign(order)]).toEqual([key, next.key, key === next.key ? 0 : -1]);
    }
  }
});

test('an index that is built during writes, by two workers, agrees with the rows', async () => {
  const { id } = await given.tables.create(ours, {
    name: 'busy',
    columns: [
      { name: 'n', type: 'number' },
      { name: 's', type: 'string' },
    ],
  });
  const place = { workspaceId: ours, tableId: id };
  const insert = (from: number) =>
    given.changes.insertRows(
      place,
      parseRowsInput({ rows: Array.from({ length: 1000 }, (_, i) => ({ n: from + i, s: `${i % 7}` })) }),
    );
  for (let from = 0; from < 8000; from += 1000) await insert(from);
  await given.columns.changeColumn(place, 'n', { indexed: true });
  await given.columns.changeColumn(place, 's', { indexed: true });
  const builders = [
    given.app.get(ColumnIndexes).buildDueIndexes(),
    given.app.get(ColumnIndexes).buildDueIndexes(),
  ];
  const writing = Array.from({ length: 6 }, async (_, writer) => {
    const update = updateWhere({ filter: { n: { $lt: writer * 300 } } }, { n: -writer, s: 'low' });
    const deletion = buildDeletions({ filter: { s: `${writer}`, n: { $gt: 5000 } } });
    await repeatWhileLocked(() => insert(10_000 + writer * 1000));
    await repeatWhileLocked(() => given.changes.apply(place, update));
    await repeatWhileLocked(() => given.changes.apply(place, deletion));
  });
  await Promise.all([...builders, ...writing]);
  const { rows } = await given.owner.query(`
    with wanted as (
      select r.table_no, r.id, c, table_sort_key(r.data -> c), r.position from table_rows r, unnest(array['n1', 's1']) as c
      where r.table_no = (select no from tables where name = 'busy') and r.data ? c
    ), held as (select table_no, row_id, column_id, key, position from table_index)
    (select 'missing' as fault, * from (select * from wanted except select * from held) as a limit 1)
    union all (select 'left over', * from (select * from held except select * from wanted) as b limit 1)`);
  expect(rows).toEqual([]);
  const table = await given.tables.get(ours, id);
  expect(table.columns.map(({ index }) => index)).toEqual(['ready', 'ready']);
  const page = await given.rows.list(place, { filter: { s: 'low' }, limit: 5, offset: 2 });
  const truth = await given.owner.query(
    `select count(*)::int as n from table_rows where data ->> 's1' = 'low'`,
  );
  expect([page.rows.length, page.totalCount]).toEqual([5, truth.rows[0].n]);
});

test.each([
  ['in spite of the policies', 'analyze table_index; analyze table_rows'],
  // Without ANALYZE, Postgres knows only the number of pages.
  [
    'also before there are statistics',
    `delete from pg_statistic where starelid = 'table_index'::regclass;
     update pg_class set reltuples = -1, relpages = 0, relallvisible = 0 where relname like 'table_index%'`,
  ],
])('a filter on an indexed column reads the index, %s', async (how, statistics) => {
  const { id, no } = await given.tables.create(ours, {
    name: how.replaceAll(' ', '_'),
    columns: [{ name: 'n', type: 'number', indexed: true }],
  });
  const place = { workspaceId: ours, tableId: id };
  for (let from = 0; from < 5000; from += 1000)
    await given.changes.insertRows(
      place,
      parseRowsInput({ rows: Array.from({ length: 1000 }, (_, i) => ({ n: from + i })) }),
    );
  await given.app.get(ColumnIndexes).buildDueIndexes();
  await given.owner.query(statistics);
  await given.owner.query('begin');
  await given.owner.query(`set local role holdfast_app; set local enable_seqscan = off`);
  await given.owner.query(`select set_config('holdfast.reach', $1, true)`, [ours]);
  const { rows } = await given.owner.query(
    `explain select x.row_id from table_index x where x.table_no = $1 and x.column_id = 'n1'
     and x.key >= table_sort_key('4990'::jsonb) collate "C" order by x.position limit 101`.replaceAll(
      '$1',
      no,
    ),
  );
  await given.owner.query('rollback');
  expect(rows.map((line) => line['QUERY PLAN']).join('\n')).toMatch(/Index Cond: .*key >=/);
});
