import { holdsRef, type Json } from '#libs/platform/json/json';

import { isLargerThan, buildScope } from './scope.ts';

const ref = { $payload: 'pay_1', bytes: 9999, preview: '{' };
const roots: Record<string, Json> = {
  start: { a: 1, b: { c: 2, d: 3 }, big: ref, list: [{ x: 1, y: 2 }], toString: 'own' },
  fetch: ref,
  skipped: null,
};
const root = (name: string): Json => roots[name] ?? null;

const pruned: [string[][], Json][] = [
  [[['start', 'a']], { start: { a: 1 } }],
  [
    [
      ['start', 'b', 'c'],
      ['start', 'a'],
    ],
    { start: { b: { c: 2 }, a: 1 } },
  ],
  [
    [
      ['start', 'b', 'c'],
      ['start', 'b'],
    ],
    { start: { b: { c: 2, d: 3 } } },
  ],
  [[['start', 'gone', 'x']], { start: {} }],
  [[['start', 'a', 'x']], { start: { a: 1 } }],
  [[['start', 'big', 'x', 'y']], { start: { big: ref } }],
  [[['start', 'list']], { start: { list: [{ x: 1, y: 2 }] } }],
  [[['start', 'toString']], { start: { toString: 'own' } }],
  [[['start', 'constructor', 'name']], { start: {} }],
  [[['fetch', 'data']], { fetch: ref }],
  [[['skipped', 'data']], { skipped: null }],
  [[], {}],
];

test.each(pruned)('the references %j give the scope %j', (references, scope) => {
  expect(buildScope(references, root)).toEqual(scope);
});

test('holdsRef finds a stored value at any depth', () => {
  expect(holdsRef({ a: [1, { b: ref }] })).toBe(true);
  expect(holdsRef({ a: [1, { b: 'x' }], c: null })).toBe(false);
});

test.each([
  [{ a: 'x'.repeat(100) }, 200, false],
  [{ a: 'x'.repeat(100) }, 90, true],
  [Array.from({ length: 50 }, () => 1), 100, true],
  [null, 10, false],
])('%j against %d characters: %s', (value, charsMax, larger) => {
  expect(isLargerThan(value, charsMax)).toBe(larger);
});
