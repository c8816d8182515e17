import { TooMany } from '#libs/platform/errors/errors';
import { toClient, PublicRateLimiter } from './public-rate-limiter.ts';

/** The seconds to wait, or 0 for an admitted call. */
function taken(meter: PublicRateLimiter, ip: string, nowMs: number): number {
  try {
    meter.countRequest(ip, nowMs);
    return 0;
  } catch (error) {
    if (error instanceof TooMany) return error.retryAfterS;
    throw error;
  }
}

test('an address has its own burst, and may call again after the time that its refusal names', () => {
  const meter = new PublicRateLimiter(6);
  expect(Array.from({ length: 7 }, () => taken(meter, '192.0.2.1', 0))).toEqual([0, 0, 0, 0, 0, 0, 10]);
  expect(taken(meter, '192.0.2.2', 0)).toBe(0);
  expect(taken(meter, '192.0.2.1', 9_000)).toBe(1);
  expect(taken(meter, '192.0.2.1', 10_000)).toBe(0);
  expect(taken(meter, '192.0.2.1', 10_000)).toBe(10);
});

test('above the limit of addresses the address with the oldest call is forgotten', () => {
  const meter = new PublicRateLimiter(1);
  taken(meter, 'busy', 0);
  for (let n = 0; n < 25_000; n++) {
    taken(meter, `quiet ${n}`, 0);
    if (n % 5000 === 0) taken(meter, 'busy', 0);
  }
  expect(meter.size).toBe(10_000);
  expect(taken(meter, 'busy', 0)).toBe(60);
  expect(taken(meter, 'quiet 0', 0)).toBe(0);
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('%s and all of %s are one client', (ip, client) => {
  expect(toClient(ip)).toBe(client);
});
