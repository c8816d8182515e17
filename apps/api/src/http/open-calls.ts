import type { ServerResponse } from 'node:http';
import { TooMany } from '#libs/platform/errors/errors';

/** Limits the open calls of each caller. A call that waits for a result, or a stream, holds memory while it is open. */
export class OpenCalls {
  private readonly counts = new Map<string, number>();

  constructor(private readonly openMax: number) {}

  /** Counts the call until its response is closed. Throws when the owner has too many open calls. */
  admit(owner: string, response: ServerResponse): void {
    const count = this.counts.get(owner) ?? 0;
    if (count >= this.openMax)
      throw new TooMany(
        `This caller has ${this.openMax} open calls in this process, the most that are allowed. End some, or read jobs without \`wait\`.`,
        1,
        'TOO_MANY_OPEN_CALLS',
      );
    this.counts.set(owner, count + 1);
    response.once('close', () => this.leave(owner));
  }

  private leave(owner: string): void {
    const remaining = (this.counts.get(owner) ?? 1) - 1;
    if (remaining > 0) this.counts.set(owner, remaining);
    else this.counts.delete(owner);
  }
}
