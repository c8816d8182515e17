import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** A report as the workflow delivers it. */
export interface Report {
  run: string;
  verdict: string;
  note: string | null;
  total: number;
  allowed: number;
  licences: { licence: string; packages: number }[];
  inQuestion: { package: string; version: string; licence: string; why: string }[];
}

interface Stored {
  id: string;
  text: string;
}

/**
 * Takes reports over HTTP, as somebody else's system would. A report is stored once under its Idempotency-Key: the same
 * one again gets the same answer, another one under that key is refused (422), and so is one without a key (400).
 */
export class Receiver {
  /** Requests that were understood, the repeated ones too. */
  deliveries = 0;
  private readonly stored = new Map<string, Stored>();
  private readonly server: Server;
  private held: Promise<void> = Promise.resolve();

  /** Listens on a free port of this machine. */
  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  private constructor() {
    this.server = createServer((request, response) => {
      // The sender may be killed at any moment; then there is nobody to answer.
      this.take(request, response).catch(() => response.destroy());
    });
  }

  /** `127.0.0.1:port`, as `EGRESS_ALLOW` wants it. */
  get address(): string {
    const address = this.server.address();
    if (typeof address !== 'object' || !address) throw new Error('The receiver does not listen.');
    return `${address.address}:${address.port}`;
  }

  get url(): string {
    return `http://${this.address}/reports`;
  }

  get reports(): Report[] {
    return [...this.stored.values()].map(({ text }): Report => JSON.parse(text));
  }

  /** From now on reports are stored, but nobody is answered before the function that this gives is called. */
  holdAnswers(): () => void {
    let release = () => {};
    this.held = new Promise((resolve) => (release = resolve));
    return release;
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { status, body } = this.store(request.headers['idempotency-key'], Buffer.concat(chunks).toString());
    await this.held;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  private store(key: string | string[] | undefined, text: string): { status: number; body: object } {
    if (typeof key !== 'string') return { status: 400, body: { error: 'An Idempotency-Key is required.' } };
    this.deliveries += 1;
    const known = this.stored.get(key);
    if (known && known.text !== text)
      return { status: 422, body: { error: 'Another report has this Idempotency-Key.' } };
    const { id } = known ?? { id: `report-${this.stored.size + 1}` };
    this.stored.set(key, { id, text });
    return { status: known ? 200 : 201, body: { id } };
  }
}
