import { setTimeout as pause } from 'node:timers/promises';
import type { Product } from './product.ts';

export interface Reply {
  status: number;
  body: any; // oxlint-disable-line typescript/no-explicit-any -- read member by member where the status says what it is
}

const givesUpAfterMs = 240_000;

/** A caller that repeats what was not answered, as a careful client does. */
export class Caller {
  constructor(private readonly product: Product) {}

  /** Resolves to the first reply below 500. Rejects when none came within four minutes. */
  async call(method: string, path: string, body?: object, idempotencyKey?: string): Promise<Reply> {
    const deadline = performance.now() + givesUpAfterMs;
    for (;;) {
      const reply = await this.attempt(method, path, body, idempotencyKey).catch(() => null);
      // 409 with this code: the first attempt is still under way.
      const busy = reply?.body?.code === 'IDEMPOTENCY_IN_FLIGHT' || reply?.status === 429;
      if (reply && reply.status < 500 && !busy) return reply;
      if (performance.now() > deadline) throw new Error(`${method} ${path} was not answered in time.`);
      await pause(200);
    }
  }

  private async attempt(method: string, path: string, body?: object, key?: string): Promise<Reply> {
    const response = await fetch(this.product.url + path, {
      method,
      headers: {
        'x-api-key': this.product.key,
        'content-type': 'application/json',
        ...(key ? { 'idempotency-key': key } : {}),
      },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    return { status: response.status, body: await response.json() };
  }
}
