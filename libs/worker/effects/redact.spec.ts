import { ApplicationFailure } from '@temporalio/common';
import { withoutSecrets } from './redact.ts';

const secret = 'p+ss "wörd/42';
const base64 = (text: string) => Buffer.from(text).toString('base64');

test('an output stays JSON when a secret of digits is removed', () => {
  const output = { code: 123456, price: 1234567, items: [0.123456], text: 'your code is 123456' };
  expect(withoutSecrets(output, { PIN: '123456' })).toEqual({
    code: '[secret]',
    price: 1234567,
    items: [0.123456],
    text: 'your code is [secret]',
  });
});

test.each([
  ['as it is', `a${secret}b`, 'a[secret]b'],
  ['in a query', `?k=${encodeURIComponent(secret)}&x=1`, '?k=[secret]&x=1'],
  ['in a form', new URLSearchParams({ k: secret }).toString(), 'k=[secret]'],
  ['in JSON text', JSON.stringify({ k: secret }), '{"k":"[secret]"}'],
  ['in JSON text of PHP', String.raw`{"k":"p+ss \"w\u00f6rd\/42"}`, '{"k":"[secret]"}'],
  ['in JSON text of Python', String.raw`{"k": "p+ss \"w\u00f6rd/42"}`, '{"k": "[secret]"}'],
  ['in JSON text of .NET', String.raw`{"k":"p\u002Bss \u0022w\u00F6rd/42"}`, '{"k":"[secret]"}'],
  ['in an attribute', `<a k="p+ss &quot;wörd/42"/>`, '<a k="[secret]"/>'],
  ['in hex', Buffer.from(secret).toString('hex'), '[secret]'],
])('a secret is found %s', (_, text, expected) => {
  expect(withoutSecrets({ text }, { KEY: secret })).toEqual({ text: expected });
});

test.each(["a quote's (word)!~", "it's~"])('the secret %s is found in a form', (value) => {
  const text = `${new URLSearchParams({ k: value })}&x=1`;
  expect(withoutSecrets({ text }, { KEY: value })).toEqual({ text: 'k=[secret]&x=1' });
});

test.each(['&lt;it&apos;s&gt; &amp; so', '&lt;it&#39;s&gt; &amp; so', "&lt;it's&gt; &amp; so"])(
  'a secret with signs of XML is found as %s',
  (text) => {
    expect(withoutSecrets({ text }, { KEY: "<it's> & so" })).toEqual({ text: '[secret]' });
  },
);

test.each([
  ['whole', 'It begins: sk-live-0123456789', 'It begins: [secret]'],
  ['cut', 'It begins: sk-live-0123…', 'It begins: [secret]…'],
  ['cut in JSON', String.raw`It begins: {"k":"sk-live-…`, 'It begins: {"k":"[secret]…'],
  ['whole, with its own beginning at its end', 'no sk-live-0123456789…', 'no [secret]…'],
  ['cut before it tells much', 'It begins: sk-…', 'It begins: sk-…'],
])('a secret is found in a failure %s', (_, said, expected) => {
  const failure = ApplicationFailure.nonRetryable(said, 'RESPONSE_INVALID', { data: said });
  const { message, details } = withoutSecrets(failure, { KEY: 'sk-live-0123456789' });
  expect([message, details]).toEqual([expected, [{ data: expected }]]);
});

test('a secret that ends as it begins is removed whole, and of several beginnings the longest', () => {
  const pem = '-----BEGIN PRIVATE KEY-----\nMIIBVgIBADANBgkqhkiG9w0BAQEF\n-----END PRIVATE KEY-----';
  const clean = (text: string, secrets: Record<string, string>) =>
    withoutSecrets(ApplicationFailure.nonRetryable(text, 'X'), secrets).message;
  expect(clean(`bad key ${pem}…`, { pem })).toBe('bad key [secret]…');
  const secrets = { a: '12345678900', b: 'abcdZZZZ-verylongsecretpart-1234567890' };
  expect(clean('x abcdZZZZ-verylongsecretpart-12345678…', secrets)).toBe('x [secret]…');
});

test.each(['', 'u', 'us', 'use', 'user:'])('a secret is found in base64 after %j', (before) => {
  for (const text of [base64(before + secret), Buffer.from(before + secret).toString('base64url')]) {
    const { out } = withoutSecrets({ out: text }, { KEY: secret });
    expect(out).toContain('[secret]');
    expect(out.replace('[secret]', '').length).toBeLessThanOrEqual(base64(before).length + 4);
  }
});

test('a secret is found in capitals and in small letters', () => {
  const changed = [secret.toUpperCase(), `x ${secret.toLowerCase()} y`];
  expect(withoutSecrets(changed, { KEY: secret })).toEqual(['[secret]', 'x [secret] y']);
});

test('a short secret is found where it stands alone, and not inside words', () => {
  const output = { said: 'key: abc!', word: 'abcdef', url: '?k=abc&v=1', basic: base64('abc'), abc: 1 };
  expect(withoutSecrets(output, { KEY: 'abc' })).toEqual({
    said: 'key: [secret]!',
    word: 'abcdef',
    url: '?k=[secret]&v=1',
    basic: '[secret]',
    '[secret]': 1,
  });
});

test('a failure loses the secret in its message and its details', () => {
  const failure = ApplicationFailure.nonRetryable('no 123456', 'HTTP', { body: { code: 123456 } });
  const { message, details } = withoutSecrets(failure, { PIN: '123456' });
  expect([message, details]).toEqual(['no [secret]', [{ body: { code: '[secret]' } }]]);
});

test('a search for a hundred secrets in 200,000 texts searches once for each form of them', () => {
  const output = Array.from({ length: 200_000 }, (_, n) => `text number ${n}`);
  output.push('it is secret-number-0-x');
  const names = Array.from({ length: 100 }, (_, n) => [`S${n}`, `secret-number-${n}-x`]);
  const { includes } = String.prototype;
  let searches = 0;
  String.prototype.includes = function (...args) {
    searches += 1;
    return includes.apply(this, args);
  };
  try {
    expect(withoutSecrets(output, Object.fromEntries(names)).at(-1)).toBe('it is [secret]');
  } finally {
    String.prototype.includes = includes;
  }
  expect(searches).toBeGreaterThanOrEqual(100);
  // A search in each text would be 200,000 for each form.
  expect(searches).toBeLessThanOrEqual(100 * 12);
});
