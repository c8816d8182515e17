import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { at, call, egressWith, failure, givenServers } from './support/given.ts';
import { soon } from '#libs/platform/settings/support/soon';
import { Hostile } from './support/hostile.ts';

const given = givenServers();

let mute: Server;
const port = (): number => (mute.address() as { port: number }).port;

beforeAll(async () => {
  mute = createServer((socket) => socket.on('error', () => {}).resume()).listen(0);
  await once(mute, 'listening');
});

afterAll(() => new Promise((done) => mute.close(done)));

describe('time', () => {
  test.each(['/silent', '/trickle'])('%s ends when the time is up', async (path) => {
    expect(await failure(call(at(given.server, path), { timeoutMs: 200 }))).toEqual({
      code: 'TIMEOUT',
      sent: true,
    });
    await soon(() => given.server.open === 0);
  });

  test('a lookup and a handshake that hang end when the time to connect is up, and nothing was sent', async () => {
    const lookup = egressWith({ connectTimeoutMs: 100 }, () => new Promise(() => {}));
    const hanging = lookup.request({ method: 'POST', url: at(given.server, '/ok'), body: 'x' });
    expect(await failure(hanging)).toEqual({ code: 'TIMEOUT', sent: false });
    const handshake = call(
      `https://named.example:${port()}/`,
      { method: 'POST', body: 'x' },
      { connectTimeoutMs: 100 },
    );
    expect(await failure(handshake)).toEqual({ code: 'TIMEOUT', sent: false });
  });
});

describe('a failure', () => {
  test('a refused connection: nothing was sent', async () => {
    const gone = await Hostile.start();
    const url = at(gone, '/ok');
    await gone.stop();
    expect(await failure(call(url, { method: 'POST', body: 'x' }))).toEqual({
      code: 'CONNECT_FAILED',
      sent: false,
    });
  });

  test('a refused connection after a redirect: the first request was sent', async () => {
    const gone = await Hostile.start();
    const path = `/redirect?302=${encodeURIComponent(at(gone, '/ok'))}`;
    await gone.stop();
    expect(await failure(call(at(given.server, path), { method: 'POST', body: 'x' }))).toEqual({
      code: 'CONNECT_FAILED',
      sent: true,
    });
  });

  test.each(['/reset', '/cut'])('%s: the request was sent', async (path) => {
    expect(await failure(call(at(given.server, path), { method: 'POST', body: 'x' }))).toEqual({
      code: 'RESET',
      sent: true,
    });
    expect(given.server.connections).toBe(1);
  });

  test('a response that is not HTTP is an error', async () => {
    expect(await failure(call(at(given.server, '/garbage')))).toEqual({
      code: 'RESPONSE_INVALID',
      sent: true,
    });
  });

  test('a server that does not speak TLS: nothing was sent', async () => {
    const url = `https://named.example:${given.server.port}/`;
    expect(await failure(call(url))).toEqual({ code: 'TLS_FAILED', sent: false });
  });

  test('TLS begins with the name, not with the address', async () => {
    const hello = new Promise<Buffer>((resolve) =>
      mute.once('connection', (socket) => socket.once('data', resolve)),
    );
    const url = `https://named.example:${port()}/`;
    const ended = failure(call(url, {}, { connectTimeoutMs: 200 }));
    expect((await hello).includes('named.example')).toBe(true);
    await ended;
  });

  test('a caller who gives up gets the reason of its own signal, and the connection is closed', async () => {
    const stop = new AbortController();
    const pending = call(at(given.server, '/silent'), { signal: stop.signal });
    await soon(() => given.server.received.length === 1);
    stop.abort(new Error('enough'));
    expect(await failure(pending)).toBe('Error: enough');
    await soon(() => given.server.open === 0);
    expect(await failure(call(at(given.server, '/ok'), { signal: stop.signal }))).toBe('Error: enough');
  });
});
