import { Invalid } from '#libs/platform/errors/errors';
import { type GivenTables, givenTables, ours } from '../support/store.ts';
import { parseRowsInput } from '../writes/row-operations.ts';

let given: GivenTables;
beforeAll(async () => {
  given = await givenTables();
});
afterAll(() => given.stop());

test('a cursor belongs to the columns that it was made with, and to their types', async () => {
  const { id } = await given.tables.create(ours, {
    name: 'pages',
    columns: [
      { name: 'a', type: 'string' },
      { name: 'other', type: 'string' },
    ],
  });
  const place = { workspaceId: ours, tableId: id };
  await given.changes.insertRows(place, parseRowsInput({ rows: [{ a: 'x' }, { a: 'y' }] }));
  const page = (cursor?: string) =>
    given.rows.list(place, { sort: { a: 'asc' }, limit: 1, offset: 0, cursor });
  const refused = (cursor: string) =>
    page(cursor).then(
      () => [],
      (error: Invalid) => [error.details?.[0]?.path, error.details?.[0]?.code],
    );
  const first = (await page()).nextCursor ?? '';
  // A change of another column breaks no cursor.
  await given.columns.remove(place, 'other');
  expect((await page(first)).rows).toHaveLength(1);
  await given.columns.addColumn(place, { name: 'b', type: 'string' });
  await given.columns.remove(place, 'a');
  await given.columns.addColumn(place, { name: 'a', type: 'number' });
  expect(await refused(first)).toEqual(['cursor', 'cursor']);
  const second = (await page()).nextCursor ?? '';
  await given.columns.changeColumn(place, 'a', { type: 'date' });
  expect(await refused(second)).toEqual(['cursor', 'cursor']);
});
