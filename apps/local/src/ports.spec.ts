import { createServer } from 'node:net';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, PortTaken, withFreePorts } from './ports.ts';
import { removePostgres, startPostgres, stopPostgres } from './postgres.ts';
import { startTemporal, stopTemporal } from './temporal.ts';

describe('freePort', () => {
  test('freePort gives the preferred port when it is free', async () => {
    const port = await freePort();
    await expect(freePort(port)).resolves.toBe(port);
  });

  test.each(['127.0.0.1', '0.0.0.0'])(
    'freePort goes on to a higher port when somebody listens on %s',
    async (host) => {
      const server = createServer().listen(0, host);
      await once(server, 'listening');
      const address = server.address();
      const taken = typeof address === 'object' && address ? address.port : 0;

      await expect(freePort(taken)).resolves.toBeGreaterThan(taken);
      server.close();
      await once(server, 'close');
    },
  );
});

describe('a server whose port another process takes after it was chosen', () => {
  let folder: string;
  /** The other process: it takes connections and never answers. */
  const other = createServer();

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'holdfast-ports-'));
  });

  afterEach(async () => {
    other.close();
    await once(other, 'close');
    removePostgres(join(folder, 'postgres'));
    rmSync(folder, { recursive: true, force: true });
  });

  /** Chooses a port as a start does; the first one is taken before the server can have it. */
  async function chosenPort(): Promise<number> {
    const port = await freePort();
    if (other.listening) return port;
    other.listen(port, '127.0.0.1');
    await once(other, 'listening');
    return port;
  }

  const temporal = (port: number, uiPort?: number) =>
    startTemporal({ port, uiPort, namespace: 'default', log: join(folder, 'temporal.log') });

  const servers = {
    Temporal: async () => {
      const { child, address } = await temporal(await chosenPort());
      return { child, address, stop: stopTemporal };
    },
    "Temporal's web interface": async () => {
      const uiPort = await chosenPort();
      const { child } = await temporal(await freePort(), uiPort);
      return { child, address: `127.0.0.1:${uiPort}`, stop: stopTemporal };
    },
    Postgres: async () => {
      const port = await chosenPort();
      const { child } = await startPostgres({
        folder: join(folder, 'postgres'),
        port,
        log: join(folder, 'postgres.log'),
        password: 'holdfast',
        durable: false,
        database: 'postgres',
      });
      return { child, address: `127.0.0.1:${port}`, stop: stopPostgres };
    },
  };

  test.each(Object.entries(servers))('%s starts on another port', async (_, start) => {
    let starts = 0;
    const { child, address, stop } = await withFreePorts(() => {
      starts += 1;
      return start();
    });
    const taken = other.address();
    await stop(child.pid ?? 0);

    // A test beside this one may take the second port as well.
    expect(starts).toBeGreaterThanOrEqual(2);
    expect(address).not.toBe(`127.0.0.1:${typeof taken === 'object' && taken?.port}`);
  });

  test('a server whose port another process takes after it was chosen fails with its own message when the port cannot change', async () => {
    const port = await chosenPort();
    await expect(withFreePorts(() => temporal(port))).rejects.toThrow(PortTaken);
    await expect(withFreePorts(() => temporal(port))).rejects.toThrow('address already in use');
  });
});
