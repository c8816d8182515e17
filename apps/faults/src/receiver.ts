import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { shutStep, slowStep } from './kinds.ts';

/** One call of a block, with the number of its deliveries. */
export interface Receipt {
  /** The number of the run, and the step that made the call. */
  run: number;
  step: string;
  deliveries: number;
  firstAtMs: number;
  lastAtMs: number;
}

/** What the receiver says in each answer: a text that no row and no message of Temporal can hold. */
const hostile = 'sorry, Anna\u{1F44D} \ud83d\0';

/** The lead of the receiver's clock. It must not matter. */
const aheadMs = 3_600_000;
const putOffForMs = 1000;

/**
 * Takes the calls of all runs, like another company's server. Its clock is an hour ahead. It keeps one receipt for each
 * Idempotency-Key. It refuses one step of each run until it is opened for the run. It puts off the first call of some keys to a time of its own clock.
 */
export class Receiver {
  readonly receipts = new Map<string, Receipt>();
  /** Keys that came again with another body. */
  readonly changed: string[] = [];
  readonly putOff = new Set<string>();
  /** The runs whose refused step is taken now. */
  readonly opened = new Set<number>();
  private readonly server: Server;

  /** Without a place it listens at a free port of this machine alone. */
  static async start(place?: { port: number; url: string }): Promise<Receiver> {
    const receiver = new Receiver(place?.url);
    receiver.server.listen(place?.port ?? 0, place ? '0.0.0.0' : '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  private constructor(private readonly outsideUrl?: string) {
    this.server = createServer((request, response) => {
      // The sender may be killed at any moment.
      this.take(request, response).catch(() => response.destroy());
    });
  }

  /** The address at which the product reaches it. */
  get url(): string {
    if (this.outsideUrl) return this.outsideUrl;
    const address = this.server.address();
    if (typeof address !== 'object' || !address) throw new Error('The receiver does not listen.');
    return `http://127.0.0.1:${address.port}/`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private date(laterMs = 0): string {
    return new Date(Date.now() + aheadMs + laterMs).toUTCString();
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { run, step }: { run: number; step: string } = JSON.parse(Buffer.concat(chunks).toString());
    const key = String(request.headers['idempotency-key']);
    const now = performance.now();
    const receipt = this.receipts.get(key);
    response.setHeader('date', this.date());
    if (step === shutStep && !this.opened.has(run)) {
      response.writeHead(422).end(hostile);
      return;
    }
    if (!receipt && run % 5 === 0 && step !== slowStep.name && !this.putOff.has(key)) {
      this.putOff.add(key);
      response.writeHead(503, { 'retry-after': this.date(putOffForMs) }).end(hostile);
      return;
    }
    if (!receipt) this.receipts.set(key, { run, step, deliveries: 1, firstAtMs: now, lastAtMs: now });
    else {
      receipt.deliveries += 1;
      receipt.lastAtMs = now;
      if (receipt.run !== run || receipt.step !== step) this.changed.push(key);
    }
    if (step === slowStep.name) await pause(slowStep.answersAfterMs);
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ step, said: hostile }));
  }
}
