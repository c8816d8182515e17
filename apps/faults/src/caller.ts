import { setTimeout as pause } from 'node:timers/promises';
import type { Target } from './target.ts';

export interface Reply {
  status: number;
  body: any; // oxlint-disable-line typescript/no-explicit-any -- read member by member where the status says what it is
  /** The time before a refused call may be repeated, from the response. */
  retryAfterMs?: number;
}

/** The body is JSON, or the text of a CSV file. */
export interface SentCall {
  body?: object | string;
  idempotencyKey?: string;
}

const givesUpAfterMs = 240_000;

/** A caller that repeats unanswered calls, like a careful client, and uses the APIs in turn. */
export class Caller {
  /** By Idempotency-Key: the number of refusals by a limit. */
  readonly limited = new Map<string, number>();
  /** Calls that were answered with 500, as after a bug. An unavailable part of the system must not cause that. */
  readonly failed: string[] = [];
  private attempts = 0;

  /** `patienceMs` extends the time after which a call gives up. */
  constructor(
    private readonly target: Target,
    private readonly key: string,
    private readonly patienceMs = 0,
  ) {}

  /** Resolves to the first final reply below 500. Rejects after four minutes without one. */
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
        throw new Error(`${method} ${path} got no final answer in time; the last one was ${last}.`);
      }
      // A caller that repeats a limited call at once would take the tokens for which the next caller waits.
      await pause(reply?.status === 429 ? Math.min(5000, reply.retryAfterMs ?? 200) : 200);
    }
  }

  private count(key: string): void {
    this.limited.set(key, (this.limited.get(key) ?? 0) + 1);
  }

  private async attempt(method: string, path: string, { body, idempotencyKey }: SentCall): Promise<Reply> {
    const { urls } = this.target;
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
