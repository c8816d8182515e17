import { exactParse } from '#libs/platform/json/exact-json';
import { aggregateSql, readAggregate } from '../reads/aggregate.ts';
import { updateWhere, parseRowsInput } from './row-operations.ts';
import { Parameters } from '../filters/filter.sql.ts';
import { readFilter } from '../filters/filter.ts';
import { buildCondition } from '../schema/index.sql.ts';
import { type GivenTables, givenTables, ours } from '../support/store.ts';

let given: GivenTables;
beforeAll(async () => {
  given = await givenTables();
});
afterAll(() => given.stop());

const long = (n: number) => `${n} `.padEnd(300, 'long');
const rowOf = (n: number) => ({
  word: n % 3 ? `word ${n}` : long(n),
  number: n % 2 ? n / 4 : exactParse(`${n}.0000000000000000001`),
  day: new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString(),
  rest: n % 5,
});

test('a value of a unique column is found by its key, in every form of it, and no other row is read', async () => {
  const table = await given.tables.create(ours, {
    name: 'keyed',
    columns: [
      { name: 'word', type: 'string', unique: true },
      { name: 'number', type: 'number', unique: true },
      { name: 'day', type: 'date', unique: true },
      { name: 'rest', type: 'number' },
    ],
  });
  const place = { workspaceId: ours, tableId: table.id };
  for (let from = 0; from < 5000; from += 1000)
    await given.changes.insertRows(
      place,
      parseRowsInput({ rows: Array.from({ length: 1000 }, (_, n) => rowOf(from + n)) }),
    );
  await given.owner.query('vacuum analyze table_rows, table_keys');
  const found = async (filter: object) =>
    (
      await given.rows.list(place, { filter: exactParse(JSON.stringify(filter)), limit: 9, offset: 0 })
    ).rows.map(({ position }) => Number(position));
  expect(await found({ word: 'word 4000' })).toEqual([4000]);
  expect(await found({ word: long(3000) })).toEqual([3000]);
  expect(await found({ word: long(3000).slice(0, -1) })).toEqual([]);
  expect(await found({ number: '12.50' })).toEqual([]);
  expect(await found({ number: '0.1225e2' })).toEqual([49]);
  expect(await found({ number: '4000.00000000000000000010' })).toEqual([4000]);
  expect(await found({ day: '2026-01-01T03:00:00+02:00' })).toEqual([60]);
  expect(await found({ word: { $in: ['word 2', 'none', 'word 1'] }, rest: { $gt: 1 } })).toEqual([2]);
  expect(await found({ $or: [{ word: 'word 2' }, { rest: 4 }] })).toHaveLength(9);
  expect(await found({ word: { $nin: ['word 1'] }, number: 0.25 })).toEqual([]);
  const parameters = new Parameters([table.id, table.schemaVersion, table.no]);
  const filter = readFilter(table.columns, { word: 'word 4000', rest: 0 });
  const count = readAggregate(table.columns, { aggregates: { n: { count: '*' } } });
  const text = aggregateSql(count, buildCondition(filter, parameters), parameters, false);
  const plan = await given.owner.query(`explain (analyze, format json) ${text}`, parameters.values);
  const read = JSON.stringify(plan.rows);
  expect(read).toContain('table_keys_pkey');
  expect(read).not.toMatch(/"Rows Removed by Filter":[1-9]|"Seq Scan","Parallel[^}]*table_rows/);
});

test('a change by a unique value finds its row, also after the column was made unique', async () => {
  const { id: tableId } = await given.tables.create(ours, {
    name: 'later',
    columns: [
      { name: 'n', type: 'number' },
      { name: 's', type: 'string' },
    ],
  });
  const place = { workspaceId: ours, tableId };
  await given.changes.insertRows(place, parseRowsInput({ rows: [{ n: 1 }, { n: 2 }, { s: 'none' }] }));
  await given.columns.changeColumn(place, 'n', { unique: true });
  const change = () =>
    given.changes.apply(place, updateWhere({ filter: { n: { $in: [1, 2] } } }, { s: 'x' }));
  expect(await change()).toHaveLength(2);
  expect((await given.rows.list(place, { filter: { n: null }, limit: 9, offset: 0 })).totalCount).toBe(1);
  await given.columns.changeColumn(place, 'n', { unique: false });
  expect(await change()).toHaveLength(2);
});
