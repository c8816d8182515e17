import { spacedText, visibleText } from './invisible.ts';

test.each([
  ['a soft hyphen', 'Ge\u00ADsamt', 'Gesamt'],
  ['a soft hyphen at the end of a line', 'Ge\u00AD\r\nsamt Ge\u00AD \nsell', 'Gesamt Gesell'],
  ['a soft hyphen at the end of a paragraph', 'Ge\u00AD\n\nsamt', 'Ge\n\nsamt'],
  ['a zero width space', 'KX\u200B-\u200B\u200B1042 \u200Bx\u200B', 'KX-1042 x'],
  ['a word joiner and a mark inside of a text', 'non\u2060join\uFEFFer', 'nonjoiner'],
])('%s is left out', (_, text, visible) => {
  expect(visibleText(text)).toBe(visible);
});

test.each([
  ['joiners of Persian', 'می\u200Cخواهم'],
  ['joiners of Hindi', 'क्\u200Dष'],
  ['joiners of emoji', '👩\u200D🔧'],
  ['ends of words in Thai', 'ปั๊ม\u200Bน้ำ'],
  ['ends of words in Khmer', 'ម៉ាស៊ីន\u200Bបូម'],
  ['hyphens that are seen', 'KX-1042 well\u2010known\nnon-\nstop'],
])('%s stay', (_, text) => {
  expect(visibleText(text)).toBe(text);
});

test('a zero width space between words of Thai stays once', () => {
  expect(visibleText('ปั๊ม\u200B\u200Bน้ำ KX\u200B')).toBe('ปั๊ม\u200Bน้ำ KX');
});

test('a run of white space is one space, and U+FEFF is none', () => {
  expect(spacedText(' a\uFEFFb \n\t c\u00A0d')).toBe(' ab c d');
});
