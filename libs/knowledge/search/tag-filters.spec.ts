import { type GivenStore, givenStore } from '#libs/platform/database/support/store';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { buildCondition } from './tag-filters.ts';

let given: GivenStore;
beforeAll(async () => {
  given = await givenStore(DatabaseModule);
});
afterAll(() => given.stop());

const city = { id: 'tag_city', name: 'City', type: 'text' } as const;

/** Whether a document with the tag fits the filter. */
async function fits(tag: string, operator: string, value: string): Promise<boolean> {
  const values: unknown[] = [{ [city.id]: tag }];
  const add = (one: unknown) => `$${values.push(one)}`;
  const condition = buildCondition([city], [{ tagName: 'City', operator, value }], add);
  const { rows } = await given.owner.query(
    `select from (select $1::jsonb as tags) d where ${condition}`,
    values,
  );
  return rows.length === 1;
}

test.each([
  'İstanbul',
  'ΣΊΣΥΦΟΣ',
  'Σίσυφος',
  'STRAẞE',
  'ǅep',
  '\u212a',
  '\u212bngström',
  'Cafe\u0301',
  'ﬁnal',
])('the tag %j fits the filters with its own value', async (tag) => {
  for (const operator of ['eq', 'contains', 'starts_with', 'ends_with'])
    expect([operator, await fits(tag, operator, tag)]).toEqual([operator, true]);
  for (const operator of ['neq', 'not_contains'])
    expect([operator, await fits(tag, operator, tag)]).toEqual([operator, false]);
});

test.each([
  ['Σίσυφος', 'ΣΊΣΥΦΟΣ'],
  ['ΣΊΣΥΦΟΣ', 'Σίσυφος'],
  ['ÅNGSTRÖM', '\u212bngström'],
  ['STRAẞE', 'straße'],
])('the tag %j equals %j in any case', async (tag, value) => {
  expect(await fits(tag, 'eq', value)).toBe(true);
});
