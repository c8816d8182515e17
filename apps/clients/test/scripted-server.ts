import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One call that the server has received. */
export interface ReceivedCall {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Answers one call, or leaves it without an answer. */
export type Reaction = (response: ServerResponse, call: ReceivedCall) => void;

/** A server that reacts to its first call with the first reaction, and so on; the last one serves all that follow. */
export class ScriptedServer {
  readonly calls: ReceivedCall[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(...reactions: [Reaction, ...Reaction[]]): Promise<ScriptedServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const scripted = new ScriptedServer(server, `http://127.0.0.1:${port}`);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        // A probe of a server that had this port before is no call of a client.
        if (url === '/health/ready') return response.writeHead(404).end();
        const call = { method, url, headers, body: Buffer.concat(chunks).toString() };
        scripted.calls.push(call);
        const reaction = reactions[Math.min(scripted.calls.length, reactions.length) - 1] ?? reactions[0];
        return reaction(response, call);
      });
    });
    return scripted;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reaction =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Reaction =>
  json(status, { error: 'It is refused.', code, requestId: 'req_1' }, headers);

/** Breaks the connection without an answer. */
export const cut: Reaction = (response) => response.destroy();

/** Never answers. */
export const hang: Reaction = () => {};
