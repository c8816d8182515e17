import fc from 'fast-check';
import { ExactNumber, exactJson, exactParse } from './exact-json.ts';

test.each([
  '9007199254740993',
  '-9007199254740993',
  '0.1234567890123456789',
  '123456789012345678901234567890.000000000000000001',
  '1e400',
  '1e-400',
  '12345678901234567e3',
])('%s keeps its digits on the way in and out', (text) => {
  expect(exactJson(exactParse(`{"a":[${text},"x"]}`))).toBe(`{"a":[${text},"x"]}`);
});

test('numbers that JavaScript holds are plain numbers, with any other value in the text', () => {
  expect(exactParse('[1,-0.5,1e3,9007199254740993]')).toEqual([
    1,
    -0.5,
    1000,
    new ExactNumber('9007199254740993'),
  ]);
});

test('any JSON comes out as it went in', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const plain: unknown = JSON.parse(JSON.stringify(value));
      expect(JSON.parse(exactJson(exactParse(JSON.stringify(value))))).toEqual(plain);
    }),
  );
});

test('text that looks like a number on its way stays text', () => {
  for (const text of [String.raw`\u00005`, String.raw`"\u00005"`, '9007199254740993'])
    expect(exactJson([text, new ExactNumber('1e400')])).toBe(`[${JSON.stringify(text)},1e400]`);
});

test('a name that an object has twice is refused only when its values differ, and never changes a prototype', () => {
  expect(() => exactParse('{"a":1e400,"a":2}')).toThrow();
  expect(Object.getPrototypeOf(exactParse('{"__proto__":{"x":1e400}}'))).toBe(Object.prototype);
});
