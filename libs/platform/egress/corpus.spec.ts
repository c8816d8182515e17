import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Egress, EgressRefused } from './egress.ts';
import { Hostile } from './support/hostile.ts';
import { closedHosts, names, spellingsOf4, tricks, wrappings6 } from './support/spellings.ts';

let canary: Hostile;
let egress: Egress;

beforeAll(async () => {
  canary = await Hostile.start();
  // Every name resolves to the canary, so only the check of the address can stop a call.
  egress = new Egress({ timeoutMs: 2_000 }, async () => ['127.0.0.1']);
});

afterAll(async () => {
  await egress.close();
  await canary.stop();
});

async function refusal(url: string): Promise<string> {
  return egress.request({ method: 'GET', url }).then(
    ({ status }) => `answered ${status}`,
    (error: unknown) => (error instanceof EgressRefused ? error.code : String(error)),
  );
}

const loopbacks = Object.values(networkInterfaces()).flatMap((all = []) =>
  all.filter(({ internal }) => internal).map(({ address }) => address),
);
const addresses = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '192.168.0.1', '0.0.0.0'];

describe('every spelling of a closed address', () => {
  test('every spelling of a closed address is refused before a connection is made', async () => {
    const hosts = [
      ...addresses.flatMap((address) => [...spellingsOf4(address), ...wrappings6(address)]),
      ...closedHosts,
      ...names,
    ];
    const urls = [
      ...hosts.map((host) => `http://${host}:${canary.port}/`),
      ...hosts.map((host) => `https://${host}/`),
      ...tricks(`127.0.0.1:${canary.port}`),
    ];
    const answers = await Promise.all(urls.map(async (url) => [url, await refusal(url)]));
    expect(answers.filter(([, answer]) => answer !== 'EGRESS_REFUSED')).toEqual([]);
    expect(canary.connections).toBe(0);
    expect(new Set(urls).size).toBeGreaterThan(500);
  });

  test('every spelling of a closed address is refused as the target of a redirect', async () => {
    // Hundreds of calls run at once on a machine that may be busy, and none may reach its time-out.
    const allowed = new Egress({ allow: ['start.example'], timeoutMs: 60_000 }, async () => ['127.0.0.1']);
    const targets = [...spellingsOf4('127.0.0.1'), ...wrappings6('127.0.0.1'), ...closedHosts];
    const locations = [...targets.map((host) => `http://${host}:1/`), ...tricks('127.0.0.1:1')].filter(
      // These redirect to their own origin, which is allowed.
      (location) =>
        !['/ok', '', 'http:/', '//'].includes(location) &&
        !/^http:(127|\/127)/.test(location) &&
        latin(location),
    );
    const answers = await Promise.all(
      locations.map(async (location) => {
        const url = `http://start.example:${canary.port}/redirect?302=${encodeURIComponent(location)}`;
        return [location, await allowed.request({ method: 'GET', url }).catch((error: Error) => error.name)];
      }),
    );
    await allowed.close();
    expect(answers.filter(([, answer]) => answer !== 'EgressRefused')).toEqual([]);
    expect(answers.length).toBeGreaterThan(80);
  });
});

describe('the canary', () => {
  test.each(loopbacks)('the canary counts a hit at %s', async (host) => {
    const before = canary.connections;
    const socket = connect({ host, port: canary.port });
    await once(socket, 'connect');
    socket.end().resume();
    await once(socket, 'close');
    expect(canary.connections).toBe(before + 1);
  });
});

function latin(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}
