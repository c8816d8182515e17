import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { Egress, EgressRequest } from './egress.ts';
import { at, call, egressWith, failure, givenServers, text } from './support/given.ts';
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

describe('a kept connection', () => {
  /** A call after which a connection is kept. The pool takes it back with the next turn of the event loop. */
  async function keepOne(path: string): Promise<Egress> {
    const egress = egressWith();
    await egress.request({ method: 'GET', url: at(given.server, path) });
    await turn();
    await turn();
    return egress;
  }

  /** Two calls after each other, with the outcome of the second and the number of requests that came. */
  async function again(path: string, rest: Partial<EgressRequest>): Promise<[unknown, number]> {
    const egress = await keepOne(path);
    const second = egress.request({ method: 'GET', url: at(given.server, path), ...rest });
    const outcome = await second.then(
      ({ status }) => status,
      () => failure(second),
    );
    return [outcome, given.server.received.length];
  }
  const broken = { code: 'RESET', sent: true };

  test.each<[path: string, rest: Partial<EgressRequest>, outcome: unknown, requests: number]>([
    ['/once-closed', {}, 200, 3],
    ['/once-reset', {}, 200, 3],
    ['/once-closed', { method: 'HEAD' }, 200, 3],
    ['/once-closed', { method: 'PUT', body: 'x' }, 200, 3],
    ['/once-closed', { method: 'DELETE' }, 200, 3],
    ['/once-closed', { method: 'POST', body: 'x', repeatable: true }, 200, 3],
    ['/once-closed', { method: 'POST', body: 'x' }, broken, 2],
    ['/once-reset', { method: 'PATCH', body: 'x' }, broken, 2],
    ['/once-begun', {}, broken, 2],
  ])(
    'a kept connection that ends at %s with %j gives %j after %i requests',
    async (path, rest, outcome, requests) => {
      expect(await again(path, rest)).toEqual([outcome, requests]);
    },
  );

  test('a kept connection is the only one whose end sends a request again', async () => {
    const egress = await keepOne('/ok');
    // The repetition has a new connection, which ends too.
    expect(await failure(egress.request({ method: 'GET', url: at(given.server, '/reset') }))).toEqual(broken);
    expect(given.server.received.length).toBe(3);
    given.server.forget();
    expect(await failure(call(at(given.server, '/reset')))).toEqual(broken);
    expect(given.server.received.length).toBe(1);
  });

  test('a kept connection that was closed before it is used loses no POST', async () => {
    const egress = await keepOne('/leaving');
    await soon(() => given.server.open === 0);
    const sent = egress.request({ method: 'POST', url: at(given.server, '/ok'), body: 'x' });
    expect(text(await sent)).toBe('ok');
    expect(given.server.received.map(({ method }) => method)).toEqual(['GET', 'POST']);
  });
});
