import { exactJson, exactParse } from '#libs/platform/json/exact-json';
import { readCell, storedBytes } from './cells.ts';

const json = (text: string) => readCell('json', exactParse(text));
const listOf = (text: string, count: number) => `[${Array.from({ length: count }, () => text).join(',')}]`;

test.each([
  ['16,000 digits behind its point', '1e-16000'],
  ['less than the range', '-1e-400'],
  ['digits that a double loses there', '1.5e-310'],
  ['the least of a double', '5e-324'],
  ['more than the range', '1e200000'],
  ['1,001 digits', `1.${'1'.repeat(1000)}`],
])('a document that holds a number of %s is refused, at every place of the number', (_, number) => {
  for (const text of [number, `[1,${number}]`, `{"a":{"b":[[{"c":${number}}]]}}`]) {
    const { fault } = json(text);
    expect(fault?.message).toContain(`holds the number ${number.slice(0, 40)}, which must`);
  }
});

test.each(['2026-02-30', '2026-01-31T24:00:00Z', '2026-01-31T10:00:00 02:00'])(
  'the date %s is refused',
  (text) => {
    const { fault } = readCell('date', text);
    expect(fault?.message).toMatch(text.includes(' 02') ? /write the \+ of a zone as %2B$/ : /that exist$/);
  },
);

test.each([
  ['Postgres', '2020-12-31 21:25:58+02', '2020-12-31T19:25:58.000Z'],
  ['Postgres with milliseconds', '2023-02-10 15:41:33.895-01', '2023-02-10T16:41:33.895Z'],
  ['Postgres in India', '2023-02-10 15:41:33+05:30', '2023-02-10T10:11:33.000Z'],
  ['BigQuery', '2023-07-20 22:02:38 UTC', '2023-07-20T22:02:38.000Z'],
  ['BigQuery with microseconds that are none', '2023-07-20 22:02:38.123000 UTC', '2023-07-20T22:02:38.123Z'],
  ['Snowflake', '2023-07-20 22:02:38.000 +0530', '2023-07-20T16:32:38.000Z'],
  ['MySQL', '2023-07-20 22:02:38', '2023-07-20T22:02:38.000Z'],
  ['an HTTP log', '2023-07-20T22:02:38 GMT', '2023-07-20T22:02:38.000Z'],
])('a time as %s writes it is read', (_, text, value) => {
  expect(readCell('date', text)).toEqual({ value });
});

test.each([
  '2023-07-20 22:02:38 PST',
  '2023-07-20 22:02:38+2',
  '2023-07-20 22:02:38+24',
  '2023-07-20 UTC',
  '2023-07-20 22:02:38 UTC+2',
])('the time %s is refused, because its zone is none', (text) => {
  expect(readCell('date', text).fault?.message).toMatch(/must be a date/);
});

test.each(['', ' 12 ', '0x10', '1e400', '1_000'])('the number %j is refused', (text) => {
  expect(readCell('number', text).fault).toBeDefined();
});

test('a document keeps numbers of the range with all of their digits', () => {
  const text = '[0,-1.5,1e-307,1.7e+308,12345678901234567890.123456789,0.1234567890123456789]';
  expect(exactJson(json(text).value)).toBe(text);
});

test('a value has at most 400 KB as Postgres writes it, where numbers have no exponents', () => {
  const written = `[1${'0'.repeat(300)}, 0.${'0'.repeat(299)}1, 12, "1e300"]`;
  const counted = storedBytes(exactParse('[1e300,1e-300,12,"1e300"]'));
  expect(Math.abs(counted - written.length)).toBeLessThan(20);
  expect(json(listOf('1e300', 1200)).fault).toBeUndefined();
  // 18 KB of text, and a megabyte of digits.
  expect(json(listOf('1e300', 3000)).fault?.code).toBe('too_large');
  expect(json(listOf('12345', 60_000)).fault).toBeUndefined();
});
