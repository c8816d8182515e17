import { Invalid } from '#libs/platform/errors/errors';
import { buildUpsert, parseRowsInput } from '../writes/row-operations.ts';
import { type GivenTables, givenTables, ours } from '../support/store.ts';

let given: GivenTables;
beforeAll(async () => {
  given = await givenTables();
});
afterAll(() => given.stop());

/** The path and the code of the first fault. */
const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Invalid)) throw new Error(`it was not refused: ${String(error)}`);
  return [error.details?.[0]?.path, error.details?.[0]?.code];
};

/** Members that every JavaScript object has, and that may be names of columns. */
const inherited = Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== '__proto__');

test.each(inherited)(
  'a column may be named %s, and is required and found by its value like any other',
  async (name) => {
    const { id } = await given.tables.create(ours, {
      name: `named_${name}`,
      columns: [
        { name, type: 'string', required: true, unique: true },
        { name: 'n', type: 'number' },
      ],
    });
    const place = { workspaceId: ours, tableId: id };
    expect(await refusal(given.changes.insertRows(place, parseRowsInput({ rows: [{ n: 1 }] })))).toEqual([
      `rows.0.${name}`,
      'required',
    ]);
    expect(await refusal(given.changes.apply(place, buildUpsert({ n: 1 }, undefined)))).toEqual([
      `data.${name}`,
      'required',
    ]);
    const first = await given.changes.apply(place, buildUpsert({ [name]: 'a', n: 1 }, undefined));
    const second = await given.changes.apply(place, buildUpsert({ [name]: 'a', n: 2 }, undefined));
    expect([first.inserted, second.inserted]).toEqual([true, false]);
  },
);

test('no column is named __proto__, from the start, later, or by a new name', async () => {
  const odd = { name: '__proto__', type: 'string' } as const;
  const create = given.tables.create(ours, { name: 'odd', columns: [{ name: 'a', type: 'string' }, odd] });
  expect(await refusal(create)).toEqual(['schema.columns.1.name', 'forbidden']);
  const { id } = await given.tables.create(ours, { name: 'even', columns: [{ name: 'a', type: 'string' }] });
  const place = { workspaceId: ours, tableId: id };
  expect(await refusal(given.columns.addColumn(place, odd))).toEqual(['column.name', 'forbidden']);
  expect(await refusal(given.columns.changeColumn(place, 'a', { name: '__proto__' }))).toEqual([
    'updates.name',
    'forbidden',
  ]);
});
