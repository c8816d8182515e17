import { inlineBytesMax, isRef, type Json, type JsonObject } from '#libs/platform/json/json';
import { pack, refsIn, unpack } from './pack.ts';
import { storing } from './payloads.ts';

const members = (count: number, of: (n: number) => Json): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`member${n}`, of(n)]));

const whole = (value: Json): Json => {
  const { value: packed, payloads } = pack(value);
  return unpack(packed, new Map(payloads.map(({ id, body }) => [id, JSON.parse(body)])));
};

test.each([
  ['a hundred thousand tiny members', members(100_000, (n) => n), 1],
  ['a thousand members that fill it', members(1000, (n) => `${n}`.padEnd(250, 'x')), 1],
  ['twenty members, each larger than a reference', members(20, () => 'x'.repeat(300)), 1],
  ['a list of half a million numbers', Array.from({ length: 500_000 }, (_, n) => n), 1],
  ['the marker of a stored value', { $payload: 'pay_1', bytes: 1, preview: '' }, 1],
])('a value with %s is stored as a whole', (_, value, count) => {
  const packed = pack(value);
  expect(isRef(packed.value)).toBe(true);
  expect(packed.payloads).toHaveLength(count);
  // Jest would compare a hundred thousand members separately.
  expect(JSON.stringify(whole(value)) === JSON.stringify(value)).toBe(true);
});

test('a few large members of a value are stored, and the small ones travel with it', () => {
  const value = {
    small: 1,
    large: 'x'.repeat(10_000),
    forged: { $payload: 'pay_1' },
    also: 'y'.repeat(5000),
  };
  const packed = pack(value);
  expect(packed.value).toMatchObject({ small: 1 });
  expect(refsIn(packed.value)).toHaveLength(3);
  expect(JSON.stringify(packed.value).length).toBeLessThan(inlineBytesMax);
  expect(whole(value)).toEqual(value);
});

test('a small value travels unchanged', () => {
  expect(pack({ a: [1, 2] })).toEqual({ value: { a: [1, 2] }, payloads: [] });
});

test('a large stored value is a parameter of its own, because a list of texts has each of its quotes escaped', () => {
  const values = ['x'.repeat(5000), 'y'.repeat(6000), Array.from({ length: 100_000 }, () => 'z')];
  const payloads = values.flatMap((value) => pack<Json>(value).payloads);
  const statements = storing({ workspaceId: 'ws_a', executionId: 'exec_a' }, payloads);
  const listed = statements.map(
    ([, parameters = []]) => parameters.filter(Array.isArray).flat().join('').length,
  );
  expect(statements).toHaveLength(2);
  expect(Math.max(...listed)).toBeLessThan(20_000);
});
