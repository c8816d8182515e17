import {
  exactJson,
  exactNumber,
  ExactNumber,
  type ExactObject,
  type ExactValue,
} from '#libs/platform/json/exact-json';
import type { ColumnType } from '../schema/cells.ts';
import type { ColumnInput } from '../schema/columns.ts';
import type { TableRef } from '../writes/row-changes.ts';
import { compare, matches, types } from '../support/oracle.ts';
import { Chance, filter, row } from '../support/random.ts';
import { type GivenTables, givenTables, ours, slotTakers } from '../support/store.ts';
import { parseRowsInput } from '../writes/row-operations.ts';

const rowCount = 400;
const cases = 150;
/** A number of digits above the decimals of every number in the rows. */
const digits = 45n;

let given: GivenTables;
const rows: ExactObject[] = [];

beforeAll(async () => {
  given = await givenTables();
  const chance = new Chance(3);
  for (let n = 0; n < rowCount; n++) rows.push(row(chance));
});
afterAll(() => given.stop());

const aggregates = {
  n: { count: '*' },
  filled: { count: 'n' },
  total: { sum: 'n' },
  least: { min: 'n' },
  last: { max: 'd' },
  low: { min: 's' },
  high: { max: 't' },
};

/** Computes the aggregate in plain JavaScript, with sums as whole numbers of 10^-45. */
function expected(some: ExactObject[], groupBy: string[]): string[] {
  const groups = new Map<string, { by: ExactObject; of: ExactObject[] }>();
  for (const one of some) {
    const by = Object.fromEntries(groupBy.map((name) => [name, one[name] ?? null]));
    const key = exactJson(by);
    const group = groups.get(key) ?? { by, of: [] };
    groups.set(key, { by, of: [...group.of, one] });
  }
  if (groupBy.length === 0 && groups.size === 0) groups.set('', { by: {}, of: [] });
  return [...groups.values()].map(({ by, of }) => {
    const numbers = cells(of, 'n');
    const values: ExactObject = {
      n: of.length,
      filled: numbers.length,
      total: numbers.length === 0 ? null : total(numbers),
      least: numbers.toSorted(compare)[0] ?? null,
      last: cells(of, 'd').toSorted(compare).at(-1) ?? null,
      low: cells(of, 's').toSorted(compare)[0] ?? null,
      high: cells(of, 't').toSorted(compare).at(-1) ?? null,
    };
    return lineOf(by, values);
  });
}

function lineOf(by: ExactObject, values: ExactObject): string {
  const plain = ([name, value]: [string, ExactValue]) => [name, scaledOrNot(value)];
  return exactJson([Object.fromEntries(Object.entries(by).map(plain)), Object.entries(values).map(plain)]);
}

/** Numbers in one form, whatever their digits look like. */
function scaledOrNot(value: ExactValue): ExactValue {
  return typeof value === 'number' || value instanceof ExactNumber ? String(scaled(value)) : value;
}

function cells(some: ExactObject[], name: string): ExactValue[] {
  return some.flatMap((one) => one[name] ?? []);
}

function total(numbers: ExactValue[]): ExactValue {
  const sum = numbers.reduce((all, one) => all + scaled(one), 0n);
  const text = String(sum < 0n ? -sum : sum).padStart(Number(digits) + 1, '0');
  const [whole, fraction] = [text.slice(0, -Number(digits)), text.slice(-Number(digits)).replace(/0+$/, '')];
  return exactNumber(`${sum < 0n ? '-' : ''}${whole}${fraction ? `.${fraction}` : ''}`);
}

function scaled(value: ExactValue): bigint {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)\.?(\d*)(?:[eE]([-+]?\d+))?$/.exec(exactJson(value)) ?? [];
  const all = BigInt(whole + fraction) * 10n ** (digits + BigInt(exponent) - BigInt(fraction.length));
  return sign ? -all : all;
}

async function givenRows(before: ColumnInput[]): Promise<TableRef> {
  const columns = Object.entries(types).map(([name, type]) => ({ name, type: type as ColumnType }));
  const wish = { name: `aggregates_${before.length}`, columns: [...before, ...columns] };
  const place = { workspaceId: ours, tableId: (await given.tables.create(ours, wish)).id };
  await given.changes.insertRows(place, parseRowsInput({ rows }));
  return place;
}

async function found(place: TableRef, wish: { filter: ExactObject; groupBy: string[] }): Promise<string[]> {
  const { groups } = await given.rows.aggregate(place, { ...wish, aggregates });
  return groups.map(({ by, values }) => lineOf(by, values));
}

/** Rows whose numbers and texts are all in the slots themselves, so nothing is asked twice. */
const ordinary: ExactObject = {
  n: { $gt: -10_000, $lt: 100_000, $nin: [1e-20, new ExactNumber('0.10000000000000000000000000001')] },
  $not: { $or: ['s', 't'].map((name) => ({ [name]: { $startsWith: 'x' } })) },
};

async function sameAsPlain(place: TableRef, chance: Chance): Promise<void> {
  const groupBy = chance.of([[], ['s'], ['n'], ['b'], ['d'], ['s', 'b'], ['n', 't']]);
  const all = chance.of([{}, filter(chance), ordinary, { $and: [ordinary, filter(chance)] }]);
  const wish = { filter: all, groupBy };
  const some = rows.filter((one) => matches(one, wish.filter));
  expect({ wish, groups: (await found(place, wish)).toSorted() }).toEqual({
    wish,
    groups: expected(some, groupBy).toSorted(),
  });
}

test.each([
  ['in slots', []],
  ['in no slots', slotTakers],
])(
  'random aggregates of columns %s give the groups and the exact sums that plain JavaScript gives',
  async (_how, before) => {
    const place = await givenRows(before);
    const chance = new Chance(5);
    for (let n = 0; n < cases; n++) await sameAsPlain(place, chance);
  },
);

test('a cell that is not of the type of its column is passed over, and the others are added up', async () => {
  const table = await given.tables.create(ours, { name: 'odd', columns: [{ name: 'n', type: 'number' }] });
  const odd = { workspaceId: ours, tableId: table.id };
  await given.changes.insertRows(odd, parseRowsInput({ rows: [{ n: 1 }, { n: 2 }, { n: 4 }] }));
  await given.owner.query(
    `update table_rows set data = '{"n1": "two"}' where table_no = $1 and position = 1`,
    [table.no],
  );
  const { groups } = await given.rows.aggregate(odd, { aggregates: { total: { sum: 'n' } } });
  expect(groups).toEqual([{ by: {}, values: { total: 5 } }]);
});
