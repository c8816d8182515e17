import { ApplicationFailure } from '@temporalio/common';
import { outputOrFailure, statusFailure } from './http-response.ts';

/** The delay in milliseconds that a refusal with these headers asks for. */
function askedMs(headers: Record<string, string>): unknown {
  const response = { status: 503, headers, body: new Uint8Array(), url: 'http://a.test/', redirects: 0 };
  const failure = statusFailure(response, true);
  return failure instanceof ApplicationFailure ? failure.details?.[0] : failure;
}

const at = (ms: number) => new Date(ms).toUTCString();
const ahead = Date.now() + 3_600_000;

test.each([
  ['seconds', { 'retry-after': '2' }, 2000],
  [
    'a date by the clock of the server, which is an hour ahead',
    { date: at(ahead), 'retry-after': at(ahead + 3000) },
    3000,
  ],
  ['a date that has passed', { date: at(ahead), 'retry-after': at(ahead - 3000) }, 0],
  ['more than an hour', { 'retry-after': '100000' }, 3_600_000],
])('a retry waits as the server asks: %s', (_, headers, retryAfterMs) => {
  expect(askedMs(headers)).toMatchObject({ retryAfterMs });
});

test('a retry date is compared with our clock when the response has no date', () => {
  const { retryAfterMs } = Object(askedMs({ 'retry-after': at(Date.now() + 60_000) }));
  expect(retryAfterMs).toBeGreaterThan(55_000);
  expect(retryAfterMs).toBeLessThanOrEqual(60_000);
});

test.each(['', '-5', '1, 1', 'soon', '1.5', '1e3', '0x10', ' ', 'Infinity', '2, 2026', '+3'])(
  'a Retry-After of %j counts as absent',
  (value) =>
    expect(Object(askedMs({ 'retry-after': value }))).not.toHaveProperty('retryAfterMs', expect.anything()),
);

test('several Set-Cookie headers of an answer are a list, and one is a text', () => {
  const response = { status: 200, body: new Uint8Array(), url: 'http://a.test/', redirects: 0 };
  const cookies = ['a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT', 'b=2'];
  const headersOf = (more: { headers: Record<string, string>; setCookies?: string[] }) =>
    outputOrFailure({ ...response, ...more }, true)['headers'];
  expect(headersOf({ headers: { x: 'y', 'set-cookie': cookies.join(', ') }, setCookies: cookies })).toEqual({
    x: 'y',
    'set-cookie': cookies,
  });
  expect(headersOf({ headers: { 'set-cookie': 'a=1' } })).toEqual({ 'set-cookie': 'a=1' });
});

/** The data of an answer, or the failure in its place. */
function read(body: string | Buffer, { type = 'application/json', status = 200, repeatable = false } = {}) {
  const headers = { 'content-type': type };
  try {
    const response = { status, headers, body: Buffer.from(body), url: 'http://a.test/', redirects: 0 };
    return outputOrFailure(response, repeatable).data;
  } catch (error) {
    if (!(error instanceof ApplicationFailure)) throw error;
    return { type: error.type, message: error.message, details: error.details };
  }
}

test.each([
  ['NaN', '{"qty": NaN}'],
  ['infinity', '[-Infinity]'],
  ['undefined', 'undefined'],
  ['a page', '<!doctype html><title>Sign in</title>'],
  ['a cut text', '{"qty": 4, "na'],
  ['two values', '{"qty": 1}\n{"qty": 2}'],
  ['a guard', ")]}'\n[1]"],
  ['a comma at the end', '[1,]'],
  ['single quotes', "{'qty': 1}"],
  ['a comment', '{} // none'],
  ['a word', 'OK'],
  ['two byte order marks', '\ufeff\ufeff{}'],
])('JSON that is none is refused with its beginning: %s', (_, body) => {
  for (const type of ['application/json', 'Text/JSON; charset=utf-8', 'application/problem+json'])
    expect(read(body, { type })).toMatchObject({
      type: 'RESPONSE_INVALID',
      message: expect.stringContaining(`It begins: ${body.replace('\ufeff', '').trim()}`),
      details: [{ retryable: false, details: { status: 200, headers: { 'content-type': type } } }],
    });
});

test.each<[string, unknown, string | Buffer, { type?: string; status?: number }]>([
  ['no body', '', '', {}],
  ['blanks', ' \n', ' \n', {}],
  ['a mark alone', '', '\ufeff', {}],
  ['a mark', { a: 1 }, '\ufeff{"a":1}', {}],
  ['a mark of UTF-16', { a: 1 }, Buffer.from('\ufeff{"a":1}', 'utf16le'), {}],
  ['another charset', 'Jörg', Buffer.from('"Jörg"', 'latin1'), { type: 'text/json; charset=latin1' }],
  ['bytes of another charset', 'Jörg', Buffer.from('"Jörg"', 'latin1'), {}],
  ['blanks around', null, '\r\n null\t', {}],
  ['a number', -1.5, '-1.5', {}],
  ['a text', '<html>', '"<html>"', {}],
  ['a part that was asked for', '{"a":', '{"a":', { status: 206 }],
  ['lines of JSON', '{}\n{}', '{}\n{}', { type: 'application/x-ndjson' }],
  ['JSON of another kind', '{a:NaN}', '{a:NaN}', { type: 'application/json5' }],
  ['text', '{"a":', '{"a":', { type: 'text/plain' }],
])('what is JSON, or need not be, is read: %s', (_, data, body, about) => {
  expect(read(body, about)).toEqual(data);
});

test('JSON that is none may come again in a call that may be repeated', () => {
  expect(read('{"a":', { repeatable: true })).toMatchObject({ details: [{ retryable: true }] });
});

test('JSON that is none does not hide an error status', () => {
  expect(read('<p>down</p>', { status: 502 })).toMatchObject({
    type: 'HTTP_502',
    details: [{ details: { data: '<p>down</p>' } }],
  });
});

test('the beginning of an answer is cut between characters', () => {
  expect(read('🔑'.repeat(3000))).toMatchObject({
    message: expect.stringMatching(/It begins: (?:🔑){200}…$/u),
    details: [{ details: { data: expect.stringMatching(/^"(?:🔑){1499}…$/u) } }],
  });
});
