import { ExactNumber, type ExactObject, type ExactValue } from '#libs/platform/json/exact-json';
import { types } from './oracle.ts';

/** A number generator with a seed, so that a failure can be repeated: mulberry32. */
export class Chance {
  constructor(private state: number) {}

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(n: number): number {
    return Math.floor(this.next() * n);
  }

  of<T>(options: readonly T[]): T {
    const one = options[this.below(options.length)];
    if (one === undefined) throw new Error('there are no options');
    return one;
  }
}

export const hostile = [
  '',
  ' ',
  'a',
  'A',
  'ab',
  'aB%',
  '%',
  '_',
  '\\',
  '\\%',
  '*',
  "'",
  '"',
  "'; drop table table_rows; --",
  '$1',
  '$1::text',
  '{"a":1}',
  'null',
  'true',
  '1',
  '1e3',
  'Ärger',
  'äRGER',
  'İ',
  'ß',
  '😀',
  '\u{10FFFF}',
  'ﬀ',
  '\u0001',
  'a\nb',
  '\\u0000',
  '${x}',
  '%s',
  'é',
  'e\u0301',
  '\u0001b',
  'x'.repeat(40),
  'x'.repeat(41),
  `${'x'.repeat(40)}y`,
  '😀'.repeat(40),
];

const numbers: ExactValue[] = [
  0,
  1,
  -1,
  0.1,
  0.30000000000000004,
  1e3,
  -2.5,
  9007199254740991,
  new ExactNumber('9007199254740992'),
  new ExactNumber('9007199254740993'),
  new ExactNumber('-123456789012345678901234567890.123456789'),
  new ExactNumber('0.10000000000000000000000000001'),
  1e-20,
  5e20,
  new ExactNumber('999999999999999999'),
  new ExactNumber('999999999999999999.999999999999'),
  1e18,
  new ExactNumber('0.100000000001'),
  new ExactNumber('0.1000000000005'),
  new ExactNumber('0.1000000000015'),
];

const dates = [
  '2026-01-01',
  '2026-01-01T00:00:00.001Z',
  '1999-12-31T23:59:59Z',
  '0001-01-01',
  '9999-12-31T23:59:59.999Z',
];

const documents: ExactValue[] = [
  true,
  1,
  '1',
  [],
  {},
  [1, null, 'x'],
  { a: 1 },
  { a: { b: [1, 2] } },
  { b: 1, a: 2 },
  { a: 2, b: 1 },
  [new ExactNumber('1e30'), 1],
  'a',
];

/** A value that a column of the type may hold, in the stored form that the oracle compares. */
export function value(chance: Chance, type: string): ExactValue {
  if (type === 'string') return chance.of(hostile);
  if (type === 'number') return chance.next() < 0.5 ? chance.below(5) : chance.of(numbers);
  if (type === 'boolean') return chance.next() < 0.5;
  if (type === 'date') return stored(chance.of(dates));
  return chance.of(documents);
}

function stored(date: string): string {
  return new Date(date).toISOString();
}

/** A row in which any cell may be empty: null, or missing. */
export function row(chance: Chance): ExactObject {
  const data: ExactObject = {};
  for (const [name, type] of Object.entries(types)) {
    const luck = chance.next();
    if (luck < 0.15) data[name] = null;
    else if (luck > 0.3) data[name] = value(chance, type);
  }
  return data;
}

export function filter(chance: Chance, depth = 3): ExactObject {
  const luck = chance.next();
  if (depth > 1 && luck < 0.15) return { $and: [filter(chance, depth - 1), filter(chance, depth - 1)] };
  if (depth > 1 && luck < 0.3) return { $or: [filter(chance, depth - 1), filter(chance, depth - 1)] };
  if (depth > 1 && luck < 0.4) return { $not: filter(chance, depth - 1) };
  const count = chance.next() < 0.3 ? 2 : 1;
  return Object.fromEntries(
    Array.from({ length: count }, () => {
      const name = chance.of(Object.keys(types));
      return [name, condition(chance, types[name] ?? '')];
    }),
  );
}

const ordered = ['$gt', '$gte', '$lt', '$lte'];
const worded = [
  '$contains',
  '$ncontains',
  '$startsWith',
  '$endsWith',
  '$like',
  '$nlike',
  '$ilike',
  '$nilike',
];
const asking = ['$empty', '$isNull', '$isNotNull', '$exists'];

function condition(chance: Chance, type: string): ExactValue {
  if (chance.next() < 0.15) return plain(chance, type);
  const operators = [
    '$eq',
    '$ne',
    '$in',
    '$nin',
    ...asking,
    ...(type === 'json' || type === 'boolean' ? [] : ordered),
    ...(type === 'string' ? worded : []),
  ];
  const pair = (): [string, ExactValue] => {
    const operator = chance.of(operators);
    return [operator, operand(chance, type, operator)];
  };
  const one = Object.fromEntries(chance.next() < 0.2 ? [pair(), pair()] : [pair()]);
  return chance.next() < 0.1 ? { $not: one } : one;
}

function operand(chance: Chance, type: string, operator: string): ExactValue {
  if (asking.includes(operator)) return chance.next() < 0.5;
  if (worded.includes(operator))
    return chance.of([...hostile.filter((text) => text !== ''), 'a*', '*b', '*a*', 'A*%', '**']);
  if (operator === '$in' || operator === '$nin')
    return Array.from({ length: chance.below(4) }, () => (chance.next() < 0.2 ? null : value(chance, type)));
  if (ordered.includes(operator)) return value(chance, type);
  return chance.next() < 0.1 ? null : value(chance, type);
}

/** A value in place of operators. No value here is an object that looks like operators. */
function plain(chance: Chance, type: string): ExactValue {
  return chance.next() < 0.2 ? null : value(chance, type);
}

export function sort(chance: Chance): Record<string, string> {
  if (chance.next() < 0.2) return {};
  const names = ['s', 't', 'n', 'b', 'd'].filter(() => chance.next() < 0.5);
  return Object.fromEntries(names.map((name) => [name, chance.of(['asc', 'desc'])]));
}
