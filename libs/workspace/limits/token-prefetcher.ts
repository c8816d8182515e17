import { batchLoader } from '#libs/platform/database/batch-loader';

/** A prefetched token may be used for this time, in milliseconds. */
const aheadMs = 100;

/** A request of one statement to a bucket. */
export interface TokenRequest {
  wanted: number;
  /** Tokens to prefetch for calls that will come soon. The bucket may give fewer. */
  ahead: number;
  /** Tokens that were prefetched before and not used. They go back into the bucket. */
  unused: number;
}

/** The result of one statement for one of its calls. */
export interface TakenTokens<Row> {
  row: Row;
  allowed: boolean;
  /** Tokens that the statement took for calls after this call. */
  later: number;
}

/**
 * Takes tokens from one bucket. Calls that arrive while a statement runs share the next statement. With `ahead` it also prefetches
 * tokens for a busy bucket: as many as it used in the last `aheadMs`. So one statement serves many calls.
 */
export class TokenPrefetcher<Row extends { granted: number }> {
  private readonly together = batchLoader((calls: string[]) => this.takeTogether(calls));
  private calls = 0;
  private last: Row | undefined;
  private unused = 0;
  private askedAtMs = -Infinity;
  private served = 0;

  constructor(
    private readonly query: (input: TokenRequest) => Promise<Row>,
    private readonly may: { ahead: boolean },
  ) {}

  async takeTokens(): Promise<TakenTokens<Row>> {
    if (this.last && this.unused > 0 && performance.now() - this.askedAtMs < aheadMs) {
      this.served++;
      return { row: this.last, allowed: true, later: --this.unused };
    }
    const taken = await this.together(String(this.calls++));
    if (!taken) throw new Error('The limiter left out a call.');
    return taken;
  }

  private async takeTogether(calls: string[]): Promise<Map<string, TakenTokens<Row>>> {
    const [now, { unused }] = [performance.now(), this];
    const ahead = this.may.ahead ? this.expected(now - this.askedAtMs) : 0;
    [this.askedAtMs, this.served, this.unused] = [now, calls.length, 0];
    const row = await this.query({ wanted: calls.length, ahead, unused });
    [this.last, this.unused] = [row, Math.max(0, row.granted - calls.length)];
    return new Map(
      calls.map((call, i) => [
        call,
        { row, allowed: i < row.granted, later: Math.max(0, row.granted - 1 - i) },
      ]),
    );
  }

  /** Estimates the calls of the next `aheadMs`: as many as before. `sinceMs` is the time since the last statement. */
  private expected(sinceMs: number): number {
    return sinceMs < 2 * aheadMs ? Math.floor(this.served * Math.min(1, aheadMs / sinceMs)) : 0;
  }
}
