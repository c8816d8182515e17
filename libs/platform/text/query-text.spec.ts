import { appendPath, appendQuery, toSentQuery } from './query-text.ts';

const origin = 'https://a.test/x';

test.each([
  ['?sig=a%2Fb%2fc+d%20e&sig=&f&&g==', '?sig=a%2Fb%2fc+d%20e&sig=&f&&g=='],
  ["?q='a'!()*~|[]{}^`\\", "?q='a'!()*~|[]{}^`\\"],
  ['?', '?'],
  ['?a?b=/c:@', '?a?b=/c:@'],
  ['?a=1#?b=2', '?a=1'],
  ['#?b=2', ''],
  ['', ''],
  ['?q=grün 👍', '?q=gr%C3%BCn%20%F0%9F%91%8D'],
  ['?q="<>\u007f', '?q=%22%3C%3E%7F'],
  ['?q=\ud800', '?q=%EF%BF%BD'],
  ['?a=1\r\n&b=2 ', '?a=1&b=2'],
])('the query of %j is sent as its author wrote it', (written, sent) => {
  const address = origin + written;
  expect(toSentQuery(address, new URL(address))).toBe(sent);
});

test.each([
  [[], '?a=%2f&b', '?a=%2f&b'],
  [[['n', 'a b&c=d+e%f']], '', '?n=a+b%26c%3Dd%2Be%25f'],
  [[['n', 'ü']], '?a=%2f+%20', '?a=%2f+%20&n=%C3%BC'],
  [[['n', '1']], '?', '?n=1'],
  [[['n', '1']], '?a=1&', '?a=1&n=1'],
  [[['n', '1']], '?a=1#part?', '?a=1&n=1#part?'],
  [[['n', '1']], '#part?', '?n=1#part?'],
  [
    [
      ['n', '1'],
      ['m', ''],
    ],
    ' ',
    '?n=1&m=',
  ],
] satisfies [[string, string][], string, string][])(
  'the pairs %j go behind the query of %j',
  (pairs, written, query) => {
    expect(appendQuery(origin + written, pairs)).toBe(origin + query);
  },
);

test.each([
  ['https://a.test/v1', 'https://a.test/v1/models'],
  ['https://a.test/v1//', 'https://a.test/v1/models'],
  ['https://a.test', 'https://a.test/models'],
  ['https://a.test/v1/?api-version=2/', 'https://a.test/v1/models?api-version=2/'],
  ['https://a.test/v1#x', 'https://a.test/v1/models#x'],
])('a further path of %s goes before its query', (address, whole) => {
  expect(appendPath(address, '/models')).toBe(whole);
});
