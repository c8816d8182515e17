import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { countProcess, registry } from './metrics.ts';

/** Temporal's SDK answers on the loopback address; a scrape that has waited so long goes on without it. */
const sdkMsMax = 1000;

export interface MetricsPlace {
  port: number;
  host: string;
  token: string | null;
  /** The address of the SDK's own metrics, as `127.0.0.1:9000`. */
  sdkAddress: string;
}

/**
 * `GET /metrics` on a port of its own, which is never that of the API: what counts here is the operator's business alone.
 * Temporal's SDK counts in native code and serves by itself, so its text is added, and one port has everything.
 */
export function serveMetrics({ port, host, token, sdkAddress }: MetricsPlace): Promise<Server> {
  countProcess();
  const server = createServer((request, response) => {
    void answer(request, token, sdkAddress).then(({ status, body }) =>
      response.writeHead(status, { 'content-type': registry.contentType }).end(body),
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

/** The address that a server has got, for the log. */
export function addressOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return family === 'IPv6' ? `[${address}]:${port}` : `${address}:${port}`;
}

/** A port of this machine that nobody uses, for a server that cannot choose one by itself. */
export function freeAddress(): Promise<string> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = addressOf(server);
      server.close(() => resolve(address));
    });
  });
}

async function answer(request: IncomingMessage, token: string | null, sdkAddress: string) {
  if (token !== null && !isBearer(request, token))
    return { status: 401, body: 'The bearer token is wrong.\n' };
  if (request.url !== '/metrics') return { status: 404, body: 'There is /metrics here.\n' };
  if (request.method !== 'GET') return { status: 405, body: 'Metrics are only read.\n' };
  try {
    const [own, sdk] = await Promise.all([registry.metrics(), sdkMetrics(sdkAddress)]);
    return { status: 200, body: own + sdk };
  } catch (error) {
    return { status: 500, body: `${String(error)}\n` };
  }
}

async function sdkMetrics(address: string): Promise<string> {
  try {
    const response = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(sdkMsMax) });
    return await response.text();
  } catch {
    return '';
  }
}

function isBearer({ headers }: IncomingMessage, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`));
}
