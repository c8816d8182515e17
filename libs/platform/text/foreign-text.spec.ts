import { foreignText, isJsonType, isTextual } from './foreign-text.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');
const wide = Buffer.from('a,ü', 'utf16le');

test.each<[string, Uint8Array, string, string]>([
  ['UTF-8 without a charset', Buffer.from('Região 👍'), 'text/plain', 'Região 👍'],
  ['a named charset', latin('Região'), 'text/html; charset=ISO-8859-1', 'Região'],
  ['a charset in quotes and capitals', latin('Müller'), 'application/json;Charset="Latin1"', 'Müller'],
  ['UTF-16', wide, 'text/csv; charset=utf-16le', 'a,ü'],
  ['Shift JIS', Uint8Array.of(0x93, 0xfa), 'text/plain; charset=shift_jis', '日'],
  ['GB 18030', Uint8Array.of(0xd6, 0xd0), 'text/plain; charset=gb18030', '中'],
  ['a UTF-8 mark', Buffer.from('\uFEFF{"a":1}'), 'application/json', '{"a":1}'],
  ['a UTF-16 mark', Buffer.concat([Uint8Array.of(0xff, 0xfe), wide]), 'text/csv', 'a,ü'],
  ['a mark against a charset', Buffer.from('\uFEFFü'), 'text/plain; charset=iso-8859-1', 'ü'],
  [
    'an XML declaration',
    latin('<?xml version="1.0" encoding="iso-8859-1"?><a>ü</a>'),
    'text/xml',
    '<?xml version="1.0" encoding="iso-8859-1"?><a>ü</a>',
  ],
  [
    'an HTML declaration',
    latin('<meta charset="windows-1252">\x80'),
    'text/html',
    '<meta charset="windows-1252">€',
  ],
  ['an unknown charset', Buffer.from('ü'), 'text/plain; charset=x-none', 'ü'],
  ['bytes that are no UTF-8', latin('ü'), 'text/plain', 'ü'],
])('%s is read', (_, bytes, type, text) => expect(foreignText(bytes, type)).toBe(text));

test.each([
  ['', true, false],
  ['text/plain', true, false],
  ['Application/JSON; charset=utf-8', true, true],
  ['application/problem+json', true, true],
  ['application/x-ndjson', true, false],
  ['application/jsonl', true, false],
  ['application/json-seq', true, false],
  ['application/stream+json', true, false],
  ['application/yaml', true, false],
  ['application/x-yaml', true, false],
  ['application/vnd.oai.openapi+yaml', true, false],
  ['application/toml', true, false],
  ['application/sql', true, false],
  ['application/xhtml+xml', true, false],
  ['image/svg+xml', true, false],
  ['application/x-www-form-urlencoded', true, false],
  ['application/octet-stream; charset=utf-8', true, false],
  ['application/octet-stream', false, false],
  ['application/pdf', false, false],
  ['image/png', false, false],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', false, false],
])('%s is textual: %s, and JSON: %s', (type, text, json) =>
  expect([isTextual(type), isJsonType(type)]).toEqual([text, json]),
);
