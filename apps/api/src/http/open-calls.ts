import type { ServerResponse } from 'node:http';
import { TooMany } from '#libs/platform/errors/errors';

/** Counts the calls that each caller has open: those that wait for a result and streams hold memory as long as they last. */
export class OpenCalls {
  private readonly counts = new Map<string, number>();

  constructor(private readonly most: number) {}

  /** Counts the call until its response is closed. Throws when the owner has as many open as one may have. */
  admit(owner: string, response: ServerResponse): void {
    const count = this.counts.get(owner) ?? 0;
    if (count >= this.most)
      throw new TooMany(
        `So many calls of this caller are open in this process: ${this.most}. End some, or read jobs without \`wait\`.`,
        1,
        'TOO_MANY_OPEN_CALLS',
      );
    this.counts.set(owner, count + 1);
    response.once('close', () => this.leave(owner));
  }

  private leave(owner: string): void {
    const left = (this.counts.get(owner) ?? 1) - 1;
    if (left > 0) this.counts.set(owner, left);
    else this.counts.delete(owner);
  }
}
