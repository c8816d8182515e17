import { fc } from '#libs/platform/text/support/random';
import { scanOutline, repeatedName } from './repeated-names.ts';

const outline = (text: string) => scanOutline(Buffer.from(text));

test.each([
  ['{"n":1,"n":2}', 'n'],
  ['{"n":1,"n":1}', 'n'],
  ['{"filter":{"n":{"$gt":100},"n":{"$gt":0}}}', 'filter.n'],
  ['{"rows":[{"a":1},{"a":1,"b":[{}, {"c":":","c":2}]}]}', 'rows.1.b.1.c'],
  [String.raw`{"a":1,"\u0061":2}`, 'a'],
  [String.raw`{"\"":1,"\\":2,"\"":3}`, '"'],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ['{"a":{"b":1},"b":2,"a":{"b":1}}', 'a'],
  ['{"":1,"":2}', ''],
])('the text %s has the name at %j twice', (text, path) => {
  expect(repeatedName(text)).toBe(path);
  expect(outline(text).members).toBeGreaterThan(namesOf(JSON.parse(text)));
});

test('any JSON has as many members in its text as in its value, and no name twice', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(outline(text).members).toBe(namesOf(JSON.parse(text)));
      expect(repeatedName(text)).toBeUndefined();
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ['1', 0],
  ['"[{"', 0],
  ['[[],{"a":[1]}]', 3],
  ['['.repeat(1000), 1000],
])('%.20s nests %i levels deep', (text, depth) => expect(outline(text).depth).toBe(depth));

test.each([
  ['1', 0],
  ['[1,2,3]', 3],
  ['{"a":[1,{"b":",[{"}],"c":2}', 5],
  ['[[],{}]', 4],
])('%s has %i values', (text, values) => expect(outline(text).values).toBe(values));

/** Counts the members of all objects. */
function namesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members: unknown[] = Object.values(value);
  return members.reduce<number>((sum, one) => sum + namesOf(one), Array.isArray(value) ? 0 : members.length);
}
