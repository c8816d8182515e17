import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** One call that blocks made, however often it was delivered. */
export interface Receipt {
  /** The number of the campaign's run, and the step of its workflow that made the call. */
  run: number;
  step: string;
  deliveries: number;
  firstAtMs: number;
  lastAtMs: number;
}

/** Takes the calls of all runs, as somebody else's system would. It keeps one receipt for each Idempotency-Key. */
export class Receiver {
  readonly receipts = new Map<string, Receipt>();
  /** Calls that came under a known key with another body. */
  readonly changed: string[] = [];
  private readonly server: Server;

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  private constructor() {
    this.server = createServer((request, response) => {
      // The sender may be killed at any moment.
      this.take(request, response).catch(() => response.destroy());
    });
  }

  get url(): string {
    const address = this.server.address();
    if (typeof address !== 'object' || !address) throw new Error('The receiver does not listen.');
    return `http://127.0.0.1:${address.port}/`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { run, step }: { run: number; step: string } = JSON.parse(Buffer.concat(chunks).toString());
    const key = String(request.headers['idempotency-key']);
    const now = performance.now();
    const known = this.receipts.get(key);
    if (!known) this.receipts.set(key, { run, step, deliveries: 1, firstAtMs: now, lastAtMs: now });
    else {
      known.deliveries += 1;
      known.lastAtMs = now;
      if (known.run !== run || known.step !== step) this.changed.push(key);
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ step }));
  }
}
