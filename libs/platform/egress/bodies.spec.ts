import { at, call, expectSoon, failure, givenServers, text } from './support/given.ts';

const given = givenServers();

describe('bodies', () => {
  test.each(['/gzip', '/deflate', '/deflate-raw', '/br', '/gzip-br'])('of %s are decoded', async (path) => {
    expect(text(await call(at(given.server, path)))).toBe('plain text');
  });

  test('that are empty are not decoded', async () => {
    expect(text(await call(at(given.server, '/gzip-empty')))).toBe('');
    expect(text(await call(at(given.server, '/gzip'), { method: 'HEAD' }))).toBe('');
  });

  test.each(['/gzip-layers', '/gzip-broken', '/gzip-cut', '/odd-encoding'])(
    'of %s are not believed',
    async (path) => {
      expect(await failure(call(at(given.server, path)))).toEqual({ code: 'RESPONSE_INVALID', sent: true });
    },
  );

  test('of 200 MiB in 1 KiB stop at the bound', async () => {
    const before = process.memoryUsage().rss;
    expect(await failure(call(at(given.server, '/bomb')))).toEqual({
      code: 'RESPONSE_TOO_LARGE',
      sent: true,
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  test('that never end stop at the bound, and the connection is closed', async () => {
    const stopped = call(at(given.server, '/endless'), { responseBytesMax: 1_000_000 });
    expect(await failure(stopped)).toEqual({ code: 'RESPONSE_TOO_LARGE', sent: true });
    await expectSoon(() => given.server.open === 0);
  });

  test('of exactly the bound are taken', async () => {
    expect(text(await call(at(given.server, '/ok'), { responseBytesMax: 2 }))).toBe('ok');
    expect(await failure(call(at(given.server, '/ok'), { responseBytesMax: 1 }))).toEqual({
      code: 'RESPONSE_TOO_LARGE',
      sent: true,
    });
  });

  test('with 2 MB of headers are not read', async () => {
    expect(await failure(call(at(given.server, '/headers')))).toEqual({
      code: 'RESPONSE_TOO_LARGE',
      sent: true,
    });
  });
});
