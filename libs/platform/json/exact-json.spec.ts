import { fc } from '#libs/platform/text/support/random';
import { ExactNumber, exactJson, exactParse, unheldNumbers } from './exact-json.ts';
import { parseKeepingDigits } from './kept-digits.ts';
import { isHeld, parseDecimal } from './number-text.ts';

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

test('any JSON comes out as it went in, also beside a number that is kept as text', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      const plain: unknown = JSON.parse(text);
      expect(JSON.parse(exactJson(exactParse(text)))).toEqual(plain);
      const around = (inner: string) => String.raw`[1e400,${inner},"\\\"12345678901234567890"]`;
      expect(exactJson(exactParse(around(text)))).toBe(around(JSON.stringify(plain)));
    }),
  );
});

test('text that looks like a number on its way stays text', () => {
  for (const text of [String.raw`\u00005`, String.raw`"\u00005"`, '9007199254740993'])
    expect(exactJson([text, new ExactNumber('1e400')])).toBe(`[${JSON.stringify(text)},1e400]`);
});

test('the last of two equal names counts, and no name changes a prototype', () => {
  expect(exactParse('{"a":1e400,"a":2}')).toEqual({ a: 2 });
  expect(Object.getPrototypeOf(exactParse('{"__proto__":{"x":1e400}}'))).toBe(Object.prototype);
});

test.each([
  ['0', true],
  ['-0.0', true],
  ['0e400', true],
  ['9007199254740991', true],
  ['9007199254740992', true],
  ['9007199254740993', false],
  ['-9007199254740993', false],
  ['9007199254740993.0', false],
  ['123456789012345678.5', false],
  ['12345678901234567e3', true],
  ['12345678901234567001', false],
  ['1152921504606846976', false],
  ['0.1', true],
  ['0.1234567890123456789', true],
  ['1e23', true],
  ['12345678901234567000', true],
  ['1e400', false],
  ['1e-400', false],
])('%s is held by a double: %s', (text, held) => {
  expect(isHeld(text)).toBe(held);
  expect([...unheldNumbers(exactParse(`{"a":[1,${text}]}`))]).toEqual(held ? [] : [[['a', 1], text]]);
});

test('JSON of others keeps its digits as text, and the last of two equal names', () => {
  const text = '{"a":[9007199254740993,0.1234567890123456789],"b":-12345678901234567890,"c":1,"c":2}';
  const value = { a: ['9007199254740993', 0.12345678901234568], b: '-12345678901234567890', c: 2 };
  expect(parseKeepingDigits(text)).toEqual(value);
  for (const number of ['1e400', '-1e400', '1e-400'])
    expect(() => parseKeepingDigits(`[${number}]`)).toThrow(`the number ${number}, which is out of range`);
});

test.each(['', ' 1', '0x10', '1_000', '1e', '.', 'Infinity', 'NaN', '1e400', '9007199254740993'])(
  '%j is no decimal number',
  (text) => expect(parseDecimal(text)).toBeUndefined(),
);
