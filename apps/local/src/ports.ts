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
