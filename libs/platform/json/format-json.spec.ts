import { formatJson } from './format-json.ts';

test('a formatted object has each member that fits in one line, and reads back as the same value', () => {
  const long = 'x'.repeat(150);
  const value = { short: { a: 1, b: [true, null] }, long: { text: `${long}\n  y`, list: [1, 2] } };
  const text = formatJson(value);
  expect(text.split('\n').slice(0, 4)).toEqual([
    '{',
    '  "short": { "a": 1, "b": [ true, null ] },',
    '  "long": {',
    `    "text": "${long}\\n  y",`,
  ]);
  expect(JSON.parse(text)).toEqual(value);
});
