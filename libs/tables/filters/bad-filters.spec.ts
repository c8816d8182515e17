import type { ExactValue } from '#libs/platform/json/exact-json';
import { Invalid } from '#libs/platform/errors/errors';
import { newColumns } from '../schema/columns.ts';
import { Parameters, buildWhere } from './filter.sql.ts';
import { readFilter, requireConditions } from './filter.ts';
import { readSort, buildOrder } from './sort.ts';
import { hostile } from '../support/random.ts';

const { columns } = newColumns(
  [
    { name: 's', type: 'string' },
    { name: 'n', type: 'number' },
    { name: 'b', type: 'boolean' },
    { name: 'd', type: 'date' },
    { name: 'j', type: 'json' },
  ],
  'schema.columns',
);

function refusal(work: () => unknown): [string | undefined, string | undefined] {
  try {
    work();
  } catch (error) {
    if (error instanceof Invalid) return [error.details?.[0]?.path, error.details?.[0]?.code];
    throw error;
  }
  return [undefined, undefined];
}

const deepOperators = (levels: number): ExactValue =>
  levels === 0 ? { $gt: 1 } : { $not: deepOperators(levels - 1) };
const deep = (levels: number): ExactValue => (levels === 0 ? { s: 'a' } : { $not: deep(levels - 1) });

test.each<[string, ExactValue, string, string]>([
  ['no object', [], 'filter', 'type'],
  ['an unknown column', { x: 1 }, 'filter.x', 'unknown_column'],
  ['a column in another case', { S: 1 }, 'filter.S', 'unknown_column'],
  ['an unknown operator', { s: { $regex: 'a' } }, 'filter.s.$regex', 'unknown_operator'],
  ['an operator of the prototype', { s: { constructor: 'a' } }, 'filter.s.constructor', 'unknown_operator'],
  ['an unknown group', { $nor: [] }, 'filter.$nor', 'unknown_operator'],
  ['an empty group', { $or: [] }, 'filter.$or', 'type'],
  ['a group of values', { $and: [1] }, 'filter.$and.0', 'type'],
  ['a list for a plain column', { s: ['a'] }, 'filter.s.$eq', 'type'],
  ['no operator', { s: {} }, 'filter.s', 'type'],
  ['operators beside a value', { n: { $gt: 1, x: 2 } }, 'filter.n.x', 'unknown_operator'],
  ['a text for a number', { n: 'many' }, 'filter.n', 'type'],
  ['a number for a text', { s: 5 }, 'filter.s', 'type'],
  ['a day that does not exist', { d: { $gt: '2026-02-30' } }, 'filter.d.$gt', 'date'],
  ['null to compare with', { n: { $gt: null } }, 'filter.n.$gt', 'type'],
  ['an order of booleans', { b: { $gt: true } }, 'filter.b.$gt', 'operator'],
  ['an order of documents', { j: { $lt: 1 } }, 'filter.j.$lt', 'operator'],
  ['words in a number', { n: { $contains: '1' } }, 'filter.n.$contains', 'operator'],
  ['an empty word', { s: { $contains: '' } }, 'filter.s.$contains', 'type'],
  ['a question that is no boolean', { s: { $empty: 1 } }, 'filter.s.$empty', 'type'],
  ['no list for $in', { s: { $in: 'a' } }, 'filter.s.$in', 'type'],
  ['1,001 values', { n: { $in: Array.from({ length: 1001 }, (_, i) => i) } }, 'filter.n.$in', 'too_many'],
  ['more than 100 conditions', { $or: Array.from({ length: 101 }, () => ({ n: 1 })) }, 'filter', 'too_large'],
  ['nine levels', deep(9), 'filter.$not.$not.$not.$not.$not.$not.$not.$not', 'too_deep'],
  ['operators on nine levels', { n: deepOperators(8) }, `filter.n${'.$not'.repeat(8)}`, 'too_deep'],
  ['60 operators that deny each other', { n: deepOperators(60) }, `filter.n${'.$not'.repeat(8)}`, 'too_deep'],
  [
    'groups and operators on nine levels',
    { $and: [{ $or: [{ n: deepOperators(6) }] }] },
    `filter.$and.0.$or.0.n${'.$not'.repeat(6)}`,
    'too_deep',
  ],
  ['65,536 characters', { s: 'x'.repeat(65_536) }, 'filter', 'too_large'],
])('a filter with %s is refused, and the place is named', (_, filter, path, code) => {
  const [found, rule] = refusal(() => readFilter(columns, filter));
  expect([found?.replace(/\.\$eq$/, ''), rule]).toEqual([path.replace(/\.\$eq$/, ''), code]);
});

test('a filter may have eight levels, of groups and of operators', () => {
  expect(() => readFilter(columns, deep(7))).not.toThrow();
  expect(() => readFilter(columns, { n: deepOperators(7) })).not.toThrow();
});

test.each<[string, ExactValue, string]>([
  ['nothing', null, 'filter'],
  ['an empty object', {}, 'filter'],
  ['a list of an empty one', { $and: [{}] }, 'filter.$and.0'],
  ['a choice of an empty one', { $or: [{}] }, 'filter.$or.0'],
  ['a condition or an empty one', { $or: [{ s: 'zz' }, {}] }, 'filter.$or.1'],
  ['a condition beside an empty one', { s: 'zz', $and: [{}, {}] }, 'filter.$and.0'],
  ['a double negation', { $not: { $not: {} } }, 'filter.$not.$not'],
  ['an empty one far below', { $and: [{ s: 'a' }, { $or: [{ $not: {} }] }] }, 'filter.$and.1.$or.0.$not'],
])(
  'a change by a filter with %s is refused, and the place of the missing condition is named',
  (_, filter, path) => {
    expect(refusal(() => requireConditions(filter))).toEqual([path, 'required']);
  },
);

test.each<[ExactValue]>([[{ n: { $nin: [] } }], [{ j: {} }], [{ j: { $eq: {} } }], [{ $or: [{ j: {} }] }]])(
  'a change by the filter %j has conditions',
  (filter) => expect(refusal(() => requireConditions(filter))).toEqual([undefined, undefined]),
);

test.each<[string, ExactValue, string, string]>([
  ['no object', 's', 'sort', 'type'],
  ['an unknown column', { x: 'asc' }, 'sort.x', 'unknown_column'],
  ['an unknown direction', { s: 'up' }, 'sort.s', 'enum'],
  ['a document', { j: 'asc' }, 'sort.j', 'operator'],
  ['six columns', { s: 'asc', n: 'asc', b: 'asc', d: 'asc', id: 'asc', position: 'asc' }, 'sort', 'too_many'],
])('a sort with %s is refused, and the place is named', (_, sort, path, code) => {
  expect(refusal(() => readSort(columns, sort))).toEqual([path, code]);
});

test('the text of a statement does not depend on its values and ids', () => {
  const textOf = (word: string, id: string) => {
    const odd = columns.map((column) => ({ ...column, id: `${column.id}${id}` }));
    const tests: ExactValue[] = [word, { $in: [word] }, { $gt: word }, { $like: word }, { $contains: word }];
    const filter = { $or: [...tests.map((one) => ({ s: one })), { j: word }] };
    const parameters = new Parameters();
    return (
      buildWhere(readFilter(odd, filter), parameters) +
      buildOrder(readSort(odd, { s: 'asc', n: 'desc' }), parameters)
    );
  };
  const words = hostile.filter((text) => text !== '');
  for (const word of words) expect(textOf(word, word)).toBe(textOf('a', 'x'));
  // A column with a slot is read there, or in the data when the slot cannot hold the value.
  const both = [textOf('a', ''), textOf('a'.repeat(41), '')];
  for (const word of words) expect(both).toContain(textOf(word, ''));
  expect(new Set(words.map((word) => textOf(word, ''))).size).toBe(2);
});

test('names of columns are letters, digits and underscores, so a hostile name is refused before it is stored', () => {
  const name = `x'); drop table table_rows; --`;
  // The shape of the body refuses it too; this is what stands behind it.
  expect(refusal(() => readFilter(columns, { [name]: 1 }))).toEqual([`filter.${name}`, 'unknown_column']);
});
