import type { IncomingMessage, ServerResponse } from 'node:http';
import { LocalServer } from './local-server.ts';

/** A report as the workflow delivers it. */
export interface DeliveredReport {
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
export class ReportReceiver extends LocalServer {
  /** Requests that were understood, the repeated ones too. */
  deliveries = 0;
  private readonly stored = new Map<string, Stored>();
  private held: Promise<void> = Promise.resolve();

  static start(): Promise<ReportReceiver> {
    return new ReportReceiver().listen();
  }

  get url(): string {
    return `http://${this.address}/reports`;
  }

  get reports(): DeliveredReport[] {
    return [...this.stored.values()].map(({ text }): DeliveredReport => JSON.parse(text));
  }

  /** From now on reports are stored, but nobody is answered before the function that this gives is called. */
  holdAnswers(): () => void {
    let release = () => {};
    this.held = new Promise((resolve) => (release = resolve));
    return release;
  }

  protected async answer(request: IncomingMessage, response: ServerResponse, text: string): Promise<void> {
    const { status, body } = this.store(request.headers['idempotency-key'], text);
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
