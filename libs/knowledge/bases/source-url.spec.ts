import { sourceOfUrl } from './source-url.ts';

test.each([
  ["HTTPS://A.test/a/../b.pdf?X-Sig=a%2fb+c'd'&f&#p", "https://a.test/b.pdf?X-Sig=a%2fb+c'd'&f&#p", 'b.pdf'],
  ['https://a.test/ü?', 'https://a.test/%C3%BC?', '%C3%BC'],
  [' https://a.test ', 'https://a.test/', 'a.test'],
])('the source of %j keeps its own query', (text, url, filename) => {
  expect(sourceOfUrl(text)).toEqual({ url, filename });
});

test.each(['ftp://a.test/b', 'https://user@a.test/', 'a.test/b'])('%j is refused as a source', (text) => {
  expect(() => sourceOfUrl(text)).toThrow('must be an http or https URL');
});
