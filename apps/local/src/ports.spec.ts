import { createServer } from 'node:net';
import { once } from 'node:events';
import { freePort } from './ports.ts';

describe('freePort', () => {
  test('gives the preferred port when it is free', async () => {
    const port = await freePort();
    await expect(freePort(port)).resolves.toBe(port);
  });

  test.each(['127.0.0.1', '0.0.0.0'])(
    'goes on to a higher port when somebody listens on %s',
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
