import type { EgressRequest } from './egress.ts';
import { at, call, failure, givenServers } from './support/given.ts';

const given = givenServers();

const secrets = {
  Authorization: 'a',
  Cookie: 'b',
  'Proxy-Authorization': 'c',
  'X-Api-Key': 'd',
  'X-Auth-Token': 'e',
};

function turned(status: number, rest: Partial<EgressRequest>, to = at(given.other, '/ok', 'other.example')) {
  return call(at(given.server, `/redirect?${status}=${encodeURIComponent(to)}`), rest);
}

describe('redirects', () => {
  test('to another origin leave every credential behind', async () => {
    const answer = await turned(307, { method: 'POST', body: 'x', headers: { ...secrets, 'X-Run': '7' } });
    expect(answer).toMatchObject({ url: at(given.other, '/ok', 'other.example'), redirects: 1 });
    expect(Object.keys(given.server.received[0]?.headers ?? {})).toEqual(
      expect.arrayContaining(['authorization', 'cookie']),
    );
    const headers = Object.keys(given.other.received[0]?.headers ?? {});
    expect(headers).toContain('x-run');
    expect(headers.filter((name) => /auth|cookie|key|token/.test(name))).toEqual([]);
  });

  test('to the same origin take them along', async () => {
    await turned(302, { headers: secrets }, at(given.server, '/ok'));
    expect(given.server.received[1]?.headers).toMatchObject({
      authorization: 'a',
      cookie: 'b',
      'x-api-key': 'd',
    });
  });

  test('do not restore credentials when they return', async () => {
    const back = `/redirect?302=${encodeURIComponent(at(given.server, '/ok'))}`;
    await turned(302, { headers: secrets }, at(given.other, back, 'other.example'));
    expect(given.server.received.map(({ headers }) => headers.authorization)).toEqual(['a', undefined]);
  });

  test.each<[status: number, method: string, then: string, body: string]>([
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [303, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [301, 'PUT', 'PUT', 'x'],
    [302, 'DELETE', 'DELETE', 'x'],
    [307, 'POST', 'POST', 'x'],
    [308, 'PUT', 'PUT', 'x'],
  ])('with %i turn %s into %s', async (status, method, then, body) => {
    await turned(status, { method, body: 'x', headers: { 'content-type': 'text/plain' } });
    expect(given.other.received).toMatchObject([{ method: then, body }]);
    expect(given.other.received[0]?.headers['content-type']).toBe(body ? 'text/plain' : undefined);
  });

  test('to a closed address are refused', async () => {
    expect(await failure(turned(302, {}, `http://127.0.0.1:${given.other.port}/`))).toMatch(/^EgressRefused/);
    expect(await failure(turned(302, {}, 'file:///etc/passwd'))).toMatch(/^EgressRefused/);
    expect(given.other.connections).toBe(0);
  });

  test('are followed five times when they never end', async () => {
    expect(await failure(call(at(given.server, '/loop')))).toEqual({
      code: 'TOO_MANY_REDIRECTS',
      sent: true,
    });
    expect(given.server.received.length).toBe(6);
  });

  test('are the answer when none may be followed', async () => {
    expect(await call(at(given.server, '/loop'), { redirectsMax: 0 })).toMatchObject({
      status: 302,
      redirects: 0,
    });
  });
});
