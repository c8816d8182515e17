import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** A server of the demo on this machine. Its callers may be killed at any moment; then there is nobody to answer. */
export abstract class LocalServer {
  private readonly server: Server = createServer((request, response) => {
    readBody(request)
      .then((body) => this.answer(request, response, body))
      .catch(() => response.destroy());
  });

  /** Listens on a free port. */
  protected async listen(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  protected abstract answer(request: IncomingMessage, response: ServerResponse, body: string): unknown;

  /** `127.0.0.1:port`, as `EGRESS_ALLOW` wants it. */
  get address(): string {
    const address = this.server.address();
    if (typeof address !== 'object' || !address) throw new Error('The server does not listen.');
    return `${address.address}:${address.port}`;
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
