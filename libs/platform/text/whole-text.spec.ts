import { fc } from '#libs/platform/text/support/random';
import { cutText, screenJson, screenText, toStoredJson } from './whole-text.ts';

const emoji = '\u{1F44D}';
/** Texts with halves of surrogate pairs and NULs, as user code and damaged files make them. */
const odd = fc.string({
  unit: fc.constantFrom('a', 'é', emoji, '\ud83d', '\udc4d', '\0', '\r', '\u202e', '\\'),
});

test('a text of at most so many characters is not cut, however many units they take', () => {
  expect(cutText(emoji.repeat(3), 3, '…')).toBe(emoji.repeat(3));
  expect(cutText('abc', 3, '…')).toBe('abc');
  expect(cutText('', 0)).toBe('');
});

test('a cut text ends at a whole character, with the given end behind it', () => {
  expect(cutText(`ab${emoji}cd`, 3, '…')).toBe(`ab${emoji}…`);
  expect(cutText(`ab${emoji}cd`, 2, '…')).toBe('ab…');
  expect(cutText(`${emoji}${emoji}`, 1)).toBe(emoji);
});

test('a cut never makes half a character, and keeps the first characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(30), (text, most) => {
      const cut = cutText(text, most);
      expect(cut.isWellFormed()).toBe(true);
      expect([...cut]).toEqual([...text].slice(0, most));
    }),
  );
});

test('a screened text has the length of the text, and no NUL and no half of a pair', () => {
  fc.assert(
    fc.property(odd, (text) => {
      const screened = screenText(text);
      expect(screened).toHaveLength(text.length);
      expect(screened.isWellFormed() && !screened.includes('\0')).toBe(true);
    }),
  );
  expect(screenText(`a\0${emoji}\ud83d`)).toBe(`a\uFFFD${emoji}\uFFFD`);
});

test('a screened value keeps everything but what Postgres cannot hold, in names too', () => {
  const value = { 'a\0': ['\udc4d', 1, null, { b: emoji }], quoted: String.raw`\u0000` };
  expect(screenJson(value)).toEqual({
    'a\uFFFD': ['\uFFFD', 1, null, { b: emoji }],
    quoted: String.raw`\u0000`,
  });
  const clean = { a: [emoji, 'x'] };
  expect(screenJson(clean)).toBe(clean);
});

test('stored JSON is the JSON of the value when nothing needs screening', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => expect(toStoredJson(value)).toBe(JSON.stringify(value))));
  expect(toStoredJson({ at: new Date(0), text: '\0' })).toBe(
    '{"at":"1970-01-01T00:00:00.000Z","text":"\uFFFD"}',
  );
});
