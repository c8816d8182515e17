import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

interface Asked {
  model: string;
  input: string[];
}

/** A test server with the embeddings API of OpenAI. The first component of a vector is the length of its text. */
export class EmbeddingServer {
  readonly calls: { authorization?: string; path?: string; body: Asked; at: number }[] = [];
  /** Responses for the next calls in place of vectors, in order. */
  readonly replies: Reply[] = [];
  /** Runs before each response; the response waits for its end. */
  before: (input: string[]) => Promise<void> = async () => {};

  private constructor(
    private readonly server: Server,
    readonly dimension: number,
  ) {}

  static async start(dimension = 8): Promise<EmbeddingServer> {
    const server = createServer((request, response) => void own.answer(request, response));
    const own = new EmbeddingServer(server, dimension);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return own;
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get baseUrl(): string {
    return `http://${this.host}/v1`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse(await readText(request)) as Asked;
    const { authorization } = request.headers;
    this.calls.push({ authorization, path: request.url, body, at: performance.now() });
    await this.before(body.input);
    const { status = 200, headers = {}, body: answer } = this.replies.shift() ?? {};
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? this.vectorsFor(body)));
  }

  /** The vectors in reverse order. A client must use `index` to find the text of a vector. */
  private vectorsFor({ model, input }: Asked): unknown {
    const data = input.map((text, index) => {
      const embedding = Array.from({ length: this.dimension }, (_, at) => (at === 0 ? text.length : 1));
      return { object: 'embedding', index, embedding };
    });
    return { object: 'list', model, data: data.toReversed(), usage: { prompt_tokens: 1, total_tokens: 1 } };
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
