import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One call that a receiver got. */
export interface Received {
  path: string;
  key: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A real server for the calls of blocks. It keeps each call and answers as the test decides, or not at all. */
export class Receiver {
  readonly received: Received[] = [];

  private constructor(private readonly server: Server) {}

  static async start(
    answer: (call: Received, response: ServerResponse) => void = (_, response) => void response.end('{}'),
  ): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    server.on('request', (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const key = request.headers['idempotency-key'];
        const call = {
          path: request.url ?? '',
          key: Array.isArray(key) ? key[0] : key,
          headers: request.headers,
          body: Buffer.concat(parts).toString('utf8'),
        };
        receiver.received.push(call);
        response.setHeader('content-type', 'application/json');
        answer(call, response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  url(path = '/'): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
