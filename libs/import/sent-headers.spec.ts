import { sentHeaders } from './sent-headers.ts';

test('headers that the call sets itself are left out of an import and told, and the last of a name counts', () => {
  const told: string[] = [];
  const given = {
    'Content-Length': '{{ start.n }}',
    Connection: 'Upgrade',
    Host: 'shop.example',
    accept: 'a/b',
    Accept: 'c/d',
  };
  expect(sentHeaders(given, (note) => told.push(note))).toEqual({ Host: 'shop.example', Accept: 'c/d' });
  expect(told).toEqual([
    'Its header Content-Length is left out. The header Content-Length is for the call itself to set.',
    'Its header Connection is left out. The header Connection must be close or keep-alive.',
  ]);
});
