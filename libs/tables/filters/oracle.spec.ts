import { Database } from '#libs/platform/database/database';
import type { ExactObject } from '#libs/platform/json/exact-json';
import { ColumnIndexes } from '../schema/column-indexes.ts';
import { Parameters, buildWhere } from './filter.sql.ts';
import { readFilter } from './filter.ts';
import { buildOrder, readSort } from './sort.ts';
import { matches, sorted, types } from '../support/oracle.ts';
import { Chance, filter, row, sort } from '../support/random.ts';
import { type GivenTables, givenTables, ours, slotTakers } from '../support/store.ts';
import type { Table } from '../schema/table.ts';
import type { ColumnType } from '../schema/cells.ts';
import { parseRowsInput } from '../writes/row-operations.ts';

const rowCount = 40;
const cases = 8_000;
/** The number of filters in a statement, together with a sort. A statement for each case would cost two round trips for each case. */
const perStatement = 100;

let given: GivenTables;
const rows: { data: ExactObject; position: number }[] = [];

beforeAll(async () => {
  given = await givenTables();
  const chance = new Chance(1);
  for (let position = 0; position < rowCount; position++) rows.push({ data: row(chance), position });
});
afterAll(() => given.stop());

describe.each([
  ['in slots', []],
  ['in no slots', slotTakers],
])('filters on columns %s', (_how, before) => {
  let table: Table;
  beforeAll(async () => {
    const columns = Object.entries(types).map(([name, type]) => ({ name, type: type as ColumnType }));
    table = await given.tables.create(ours, {
      name: `oracle_${before.length}`,
      columns: [...before, ...columns],
    });
    await given.changes.insertRows(
      { workspaceId: ours, tableId: table.id },
      parseRowsInput({ rows: rows.map(({ data }) => data) }),
    );
  });

  async function indexAll(): Promise<void> {
    const place = { workspaceId: ours, tableId: table.id };
    for (const name of ['s', 't', 'n', 'b', 'd'])
      await given.columns.changeColumn(place, name, { indexed: true });
    expect(await given.app.get(ColumnIndexes).buildDueIndexes()).toBe(5);
  }

  /** Runs many filters with one sort in the database. Returns for each filter the positions of matching rows, in the order of the sort. */
  async function positions(filters: ExactObject[], order: Record<string, string>): Promise<number[][]> {
    const parameters = new Parameters([table.no]);
    const conditions = filters.map((one) => buildWhere(readFilter(table.columns, one), parameters));
    const sql = `select r.position, array[${conditions.join(', ')}] as found from table_rows r where r.table_no = $1
    order by ${buildOrder(readSort(table.columns, order), parameters)}`;
    const found = await given.app
      .get(Database)
      .statement<{ position: string; found: boolean[] }>(ours, sql, parameters.values, 'shaped by a caller');
    return filters.map((_, i) =>
      found.filter((one) => one.found[i] === true).map(({ position }) => Number(position)),
    );
  }

  test('8,000 random filters and sorts find the rows of plain JavaScript, in its order', async () => {
    const chance = new Chance(20_261_122);
    let matched = 0;
    for (let n = 0; n < cases; n += perStatement) {
      const filters = Array.from({ length: perStatement }, () => filter(chance));
      const order = sort(chance);
      const inOrder = sorted(rows, order);
      const expected = filters.map((one) =>
        inOrder.filter(({ data }) => matches(data, one)).map(({ position }) => position),
      );
      const found = await positions(filters, order);
      for (const [i, one] of filters.entries())
        expect({ filter: one, order, found: found[i] }).toEqual({ filter: one, order, found: expected[i] });
      matched += expected.flat().length;
    }
    // On average a filter matches neither all rows nor none.
    expect(matched / cases / rowCount).toBeGreaterThan(0.2);
    expect(matched / cases / rowCount).toBeLessThan(0.8);
  });

  test.each(['', ' through indexes'])(
    'pages by offset and by cursor walk over the same rows%s, with the exact count',
    async (how) => {
      if (how) await indexAll();
      const chance = new Chance(7);
      const place = { workspaceId: ours, tableId: table.id };
      for (let n = 0; n < 60; n++) {
        const [one, order] = [filter(chance), sort(chance)];
        const expected = sorted(rows, order).filter(({ data }) => matches(data, one));
        const limit = 1 + chance.below(20);
        const query = { filter: one, sort: order, limit };
        const byOffset: number[] = [];
        const byCursor: number[] = [];
        for (let cursor: string | undefined, page = 0; ; page++) {
          const walk = await given.rows.list(place, { ...query, offset: 0, ...(cursor ? { cursor } : {}) });
          const jump = await given.rows.list(place, { ...query, offset: page * limit });
          byCursor.push(...walk.rows.map(({ position }) => Number(position)));
          byOffset.push(...jump.rows.map(({ position }) => Number(position)));
          expect([walk.totalCount, jump.totalCount]).toEqual([expected.length, expected.length]);
          if (!walk.nextCursor) break;
          cursor = walk.nextCursor;
        }
        const wanted = expected.map(({ position }) => position);
        expect({ query, byOffset, byCursor }).toEqual({ query, byOffset: wanted, byCursor: wanted });
      }
    },
  );
});
