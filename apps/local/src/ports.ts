import { createServer } from 'node:net';

/** A free port: the preferred one, else the next free above it; any free one when none is preferred. */
export async function freePort(preferred = 0, host = '127.0.0.1'): Promise<number> {
  for (let port = preferred; port <= preferred + 100; port += 1) {
    const found = await claim(port, host);
    if (found !== undefined) return found;
  }
  throw new Error(`No port between ${preferred} and ${preferred + 100} is free on ${host}.`);
}

/** Opens the port for a moment; a process that listens on all addresses keeps it from opening too. */
function claim(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const open = typeof address === 'object' && address ? address.port : port;
      server.close(() => resolve(open));
    });
  });
}

/** A server did not start, because another process has its port by now. */
export class PortTaken extends Error {}

const startsMax = 3;

/**
 * Does a start that chooses free ports for its servers. Another process may take one before the server does: then the start is done
 * again, which chooses others.
 */
export async function withFreePorts<T>(start: () => Promise<T>): Promise<T> {
  for (let starts = 1; ; starts++) {
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof PortTaken) || starts === startsMax) throw error;
    }
  }
}
