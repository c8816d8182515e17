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
