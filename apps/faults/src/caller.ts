import { setTimeout as pause } from 'node:timers/promises';
import type { Product } from './product.ts';

export interface Reply {
  status: number;
  body: any; // oxlint-disable-line typescript/no-explicit-any -- read member by member where the status says what it is
  /** When a refused call may be sent again, as the answer says. */
  retryAfterMs?: number;
}

/** A call carries JSON, or the text of a CSV file, and may have a key. */
export interface SentCall {
  body?: object | string;
  idempotencyKey?: string;
}

const givesUpAfterMs = 240_000;

/** A caller that repeats what was not answered, as a careful client does, and asks one API after the other. */
export class Caller {
  /** The refusals of a call by a limit, by its Idempotency-Key. */
  readonly limited = new Map<string, number>();
  /** Calls that were answered as if they had met a fault in the program. A part that is away is no such fault. */
  readonly failed: string[] = [];
  private attempts = 0;

  /** `patienceMs` is added to the time after which it gives up. */
  constructor(
    private readonly product: Product,
    private readonly key: string,
    private readonly patienceMs = 0,
  ) {}

  /** Resolves to the first reply below 500. Rejects when none came within four minutes. */
  async call(method: string, path: string, sent: SentCall = {}): Promise<Reply> {
    const deadline = performance.now() + givesUpAfterMs + this.patienceMs;
    for (;;) {
      const reply = await this.attempt(method, path, sent).catch(() => null);
      // 409 with this code: the first attempt is still under way.
      const busy = reply?.body?.code === 'IDEMPOTENCY_IN_FLIGHT' || reply?.status === 429;
      if (reply?.status === 500) this.failed.push(`${method} ${path} was answered with 500.`);
      if (reply?.status === 429) this.count(sent.idempotencyKey ?? path);
      if (reply && reply.status < 500 && !busy) return reply;
      if (performance.now() > deadline) {
        const last = reply && `${reply.status} ${JSON.stringify(reply.body)}`;
        throw new Error(`${method} ${path} was not answered in time, but ${last}.`);
      }
      // A caller who asks a limit again at once takes the tokens that the next one waits for.
      await pause(reply?.status === 429 ? Math.min(5000, reply.retryAfterMs ?? 200) : 200);
    }
  }

  private count(key: string): void {
    this.limited.set(key, (this.limited.get(key) ?? 0) + 1);
  }

  private async attempt(method: string, path: string, { body, idempotencyKey }: SentCall): Promise<Reply> {
    const { urls } = this.product;
    const url = urls[this.attempts++ % urls.length] ?? '';
    const isFile = typeof body === 'string';
    const response = await fetch(url + path, {
      method,
      headers: {
        'x-api-key': this.key,
        'content-type': isFile ? 'text/csv' : 'application/json',
        ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
      },
      body: isFile ? body : body && JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    const retryAfterMs = Number(response.headers.get('retry-after') ?? 0) * 1000;
    return { status: response.status, body: await response.json(), retryAfterMs };
  }
}
