import { aggregateSql, readAggregate } from '../reads/aggregate.ts';
import { Parameters, buildWhere } from '../filters/filter.sql.ts';
import { readFilter } from '../filters/filter.ts';
import { slotCosts } from './slots.ts';
import { type GivenTables, givenTables, ours } from '../support/store.ts';
import { parseRowsInput } from '../writes/row-operations.ts';

let given: GivenTables;
beforeAll(async () => {
  given = await givenTables();
});
afterAll(() => given.stop());

const columns = [
  { name: 'key', type: 'string' as const, unique: true },
  { name: 'n', type: 'number' as const },
  { name: 's', type: 'string' as const },
];

test('no column gets the slot of a deleted column, or reads its values', async () => {
  const { id: tableId } = await given.tables.create(ours, { name: 'slots', columns });
  const place = { workspaceId: ours, tableId };
  await given.changes.insertRows(place, parseRowsInput({ rows: [{ key: 'a', n: 1, s: 'old' }] }));
  const ids = async () => (await given.tables.get(ours, tableId)).columns.map(({ id }) => id);
  expect(await ids()).toEqual(['c1', 'n1', 's1']);
  await given.columns.remove(place, 'n');
  await given.columns.remove(place, 's');
  for (const n of [1, 2, 3, 4]) await given.columns.addColumn(place, { name: `n${n}`, type: 'number' });
  await given.columns.addColumn(place, { name: 's', type: 'string' });
  expect(await ids()).toEqual(['c1', 'n2', 'n3', 'n4', 'c7', 's2']);
  const aggregates = { n: { count: 'n1' }, sum: { sum: 'n1' }, last: { sum: 'n4' }, s: { count: 's' } };
  expect((await given.rows.aggregate(place, { aggregates })).groups).toEqual([
    { by: {}, values: { n: 0, sum: null, last: null, s: 0 } },
  ]);
});

test('a column that changes its type is read by its current type, also when it changes back', async () => {
  const { id: tableId } = await given.tables.create(ours, { name: 'retyped', columns });
  const place = { workspaceId: ours, tableId };
  await given.changes.insertRows(
    place,
    parseRowsInput({ rows: [{ key: 'a', n: 10 }, { key: 'b', n: 9 }, { key: 'c' }] }),
  );
  const found = async (of: string) => {
    const { rows } = await given.rows.list(place, { filter: { n: { $gt: of } }, limit: 9, offset: 0 });
    const aggregates = { least: { min: 'n' }, n: { count: 'n' } };
    const { groups } = await given.rows.aggregate(place, { aggregates });
    return [rows.map(({ data }) => data['c1']), groups[0]?.values];
  };
  expect(await found('9')).toEqual([['a'], { least: 9, n: 2 }]);
  await given.columns.changeColumn(place, 'n', { type: 'string' });
  expect(await found('1')).toEqual([['a', 'b'], { least: '10', n: 2 }]);
  await given.columns.changeColumn(place, 'n', { type: 'number' });
  expect(await found('9')).toEqual([['a'], { least: 9, n: 2 }]);
});

test('groups and filters of columns with slots read an index alone, in spite of the policies', async () => {
  const wish = { name: 'planned', columns: [...columns, { name: 'rest', type: 'json' as const }] };
  const table = await given.tables.create(ours, wish);
  const rest = 'x'.repeat(300);
  const place = { workspaceId: ours, tableId: table.id };
  for (let from = 0; from < 5000; from += 1000)
    await given.changes.insertRows(
      place,
      parseRowsInput({
        rows: Array.from({ length: 1000 }, (_, i) => ({ key: `${from + i}`, n: i, s: `s${i % 7}`, rest })),
      }),
    );
  // VACUUM marks rows as visible to all only after their commit is on the disk. Commits of tests do not wait for the disk. This commit
  // waits, so all commits before it are on the disk too.
  await given.owner.query('set synchronous_commit = on; update tables set updated_at = now()');
  await given.owner.query('vacuum analyze table_rows');
  const parameters = new Parameters([table.id, table.schemaVersion, table.no]);
  const where = buildWhere(readFilter(table.columns, { n: { $gte: 5 }, s: { $ne: 's1' } }), parameters);
  const asked = { groupBy: ['s'], aggregates: { n: { count: '*' }, sum: { sum: 'n' } } };
  const text = aggregateSql(readAggregate(table.columns, asked), where, parameters, true);
  await given.owner.query(`begin; set local role holdfast_app; ${slotCosts[0]}`);
  await given.owner.query(`select set_config('holdfast.reach', $1, true)`, [ours]);
  const { rows } = await given.owner.query(`explain ${text}`, parameters.values);
  await given.owner.query('rollback');
  const plan = rows.map((line) => String(line['QUERY PLAN'])).join('\n');
  expect(plan).toMatch(
    /Index Only Scan using table_rows_\d+_table_no_workspace_id_position\w* on table_rows/,
  );
  expect(plan).toMatch(/Index Cond: .*table_no = .*workspace_id = ANY/);
});
