import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const site = 'dist/apps/console';
const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

/**
 * Serves the built console under the policy that the API sends with it, and hands every other call on to an API with a key in its
 * header. It stands where the sign-in will be.
 */
export class ConsoleServer {
  private constructor(
    readonly url: string,
    private readonly close: () => Promise<void>,
  ) {}

  static async start(apiUrl: () => string, key: string): Promise<ConsoleServer> {
    const policy = policyOf(readFileSync(join(site, 'console.html'), 'utf8'));
    const server = createServer((asked, answer) => {
      const { pathname } = new URL(asked.url ?? '/', 'http://localhost');
      if (pathname === '/console' || pathname.startsWith('/console/')) serveFile(pathname, policy, answer);
      else forward(apiUrl(), key, asked, answer);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return new ConsoleServer(`http://127.0.0.1:${port}`, async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
  }

  async stop(): Promise<void> {
    await this.close();
  }
}

function policyOf(page: string): string {
  const scripts = [...page.matchAll(/<script>([^]*?)<\/script>/g)].map(
    ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  );
  return [
    `default-src 'none'`,
    `script-src 'self' ${scripts.join(' ')}`,
    `style-src 'self'`,
    `img-src 'self' data: blob:`,
    `connect-src 'self'`,
    `font-src 'self'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}

function serveFile(pathname: string, policy: string, answer: ServerResponse): void {
  const name = normalize(pathname.slice('/console'.length));
  const isFile = extname(name) !== '' && !name.includes('..');
  try {
    const file = join(site, isFile ? name : 'console.html');
    answer.writeHead(200, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
    });
    answer.end(readFileSync(file));
  } catch {
    answer.writeHead(404).end();
  }
}

function forward(apiUrl: string, key: string, asked: IncomingMessage, answer: ServerResponse): void {
  const headers = { ...asked.headers, 'x-api-key': key };
  const onward = request(apiUrl + (asked.url ?? '/'), { method: asked.method, headers }, (given) => {
    answer.writeHead(given.statusCode ?? 502, given.headers);
    given.pipe(answer);
  });
  onward.on('error', () => {
    if (!answer.headersSent) answer.writeHead(502);
    answer.end();
  });
  answer.on('close', () => onward.destroy());
  asked.pipe(onward);
}
