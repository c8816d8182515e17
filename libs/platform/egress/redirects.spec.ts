import type { EgressRequest } from './egress.ts';
import { at, call, egressWith, failure, givenServers } from './support/given.ts';

const given = givenServers();

const secrets = {
  Authorization: 'a',
  Cookie: 'b',
  'X-Api-Key': 'd',
  'X-Auth-Token': 'e',
};

function turned(status: number, rest: Partial<EgressRequest>, to = at(given.other, '/ok', 'other.example')) {
  return call(at(given.server, `/redirect?${status}=${encodeURIComponent(to)}`), rest);
}

describe('redirects', () => {
  test('redirects to another origin leave every header behind that may hold a secret, whatever its name', async () => {
    const answer = await turned(302, {
      headers: { ...secrets, 'X-Tenant': 'f', Referer: 'g', Accept: 'text/plain' },
    });
    expect(answer).toMatchObject({ url: at(given.other, '/ok', 'other.example'), redirects: 1 });
    expect(Object.keys(given.server.received[0]?.headers ?? {})).toEqual(
      expect.arrayContaining(['authorization', 'cookie']),
    );
    const headers = Object.keys(given.other.received[0]?.headers ?? {});
    const plain = ['accept', 'accept-encoding', 'connection', 'host', 'user-agent'];
    expect(headers.toSorted()).toEqual(plain);
  });

  test('redirects to the same origin take them along', async () => {
    await turned(302, { headers: secrets }, at(given.server, '/ok'));
    expect(given.server.received[1]?.headers).toMatchObject({
      authorization: 'a',
      cookie: 'b',
      'x-api-key': 'd',
    });
  });

  test('redirects take the header Host to the same origin alone', async () => {
    const headers = { host: 'other.example' };
    await turned(302, { headers }, at(given.server, '/ok'));
    await turned(302, { headers }, at(given.server, '/ok', 'other.example'));
    expect(given.server.received.map((one) => one.headers.host)).toEqual([
      'other.example',
      'other.example',
      'other.example',
      `other.example:${given.server.port}`,
    ]);
  });

  test('redirects do not restore credentials when they return', async () => {
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
  ])('redirects with %i turn %s into %s', async (status, method, then, body) => {
    const request = { method, body: 'x', headers: { 'content-type': 'text/plain' } };
    await turned(status, request, at(given.server, '/ok'));
    expect(given.server.received[1]).toMatchObject({ method: then, body });
    expect(given.server.received[1]?.headers['content-type']).toBe(body ? 'text/plain' : undefined);
  });

  test.each([
    [301, 'PUT'],
    [302, 'PATCH'],
    [307, 'POST'],
    [308, 'POST'],
  ])('redirects with %i give the body of a %s to no other origin', async (status, method) => {
    expect(await failure(turned(status, { method, body: 'x' }))).toMatch(/^EgressRefused/);
    expect(given.other.connections).toBe(0);
  });

  test.each([
    ['/grün/안녕?q=ü', '/gr%C3%BCn/%EC%95%88%EB%85%95?q=%C3%BC'],
    [Buffer.from('/gr\xfcn?q=\xfc', 'latin1'), '/gr%FCn?q=%FC'],
    ['ok', '/ok'],
    ['//named.example:PORT/ok', '/ok'],
    ['http://münchen.example:PORT/ok', '/ok'],
    ['  /ok?x  ', '/ok?x'],
    ['/ok#part?', '/ok'],
    ["?x='%2f+&x=", "/bytes?x='%2f+&x="],
    ['/a b?c d', '/a%20b?c%20d'],
  ])('redirects to %s ask for %s', async (location, path) => {
    const bytes = Buffer.from(
      typeof location === 'string' ? location.replace('PORT', String(given.server.port)) : location,
    );
    const egress = egressWith({ allow: ['named.example', 'xn--mnchen-3ya.example'] });
    const url = at(given.server, `/bytes?${encodeURIComponent(bytes.toString('base64'))}`);
    await egress.request({ method: 'GET', url, redirectsMax: 1 }).catch(() => undefined);
    expect(given.server.received[1]?.path).toBe(path);
  });

  test('a location beyond ASCII is encoded in an answer that is not followed', async () => {
    const url = at(given.server, `/bytes?${encodeURIComponent(Buffer.from('/ü').toString('base64'))}`);
    expect((await call(url, { redirectsMax: 0 })).headers['location']).toBe('/%C3%BC');
  });

  test('redirects to a closed address are refused', async () => {
    expect(await failure(turned(302, {}, `http://127.0.0.1:${given.other.port}/`))).toMatch(/^EgressRefused/);
    expect(await failure(turned(302, {}, 'file:///etc/passwd'))).toMatch(/^EgressRefused/);
    expect(given.other.connections).toBe(0);
  });

  test('redirects are followed five times when they never end', async () => {
    expect(await failure(call(at(given.server, '/loop')))).toEqual({
      code: 'TOO_MANY_REDIRECTS',
      sent: true,
    });
    expect(given.server.received.length).toBe(6);
  });

  test('redirects are the answer when none may be followed', async () => {
    expect(await call(at(given.server, '/loop'), { redirectsMax: 0 })).toMatchObject({
      status: 302,
      redirects: 0,
    });
  });
});
