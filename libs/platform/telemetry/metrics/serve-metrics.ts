import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { countProcess, registry } from './metrics.ts';

/** The longest wait for the metrics of Temporal's SDK, in milliseconds. After it, a scrape answers without them. */
const sdkMsMax = 1000;

export interface MetricsPlace {
  port: number;
  host: string;
  token: string | null;
  /** The address of the SDK's own metrics, as `127.0.0.1:9000`. */
  sdkAddress: string;
}

/**
 * Serves `GET /metrics` on its own port, never on the port of the API, because metrics are only for the operator. Temporal's SDK
 * serves its metrics itself, from native code. This server adds their text, so one port serves all metrics.
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

/** The address on which a server listens, for the log. */
export function formatAddress(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return family === 'IPv6' ? `[${address}]:${port}` : `${address}:${port}`;
}

/** The address of a free port of this machine, for a server that cannot choose a port itself. */
export function freeAddress(): Promise<string> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = formatAddress(server);
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
