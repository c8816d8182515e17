import { batchLoader } from '#libs/platform/database/batch-loader';

/** The time for which a token may be taken before its call comes. */
const aheadMs = 100;

/** The tokens that one statement takes from a bucket. */
export interface TokenRequest {
  wanted: number;
  /** More for the calls that will come soon; it may take fewer of these. */
  ahead: number;
  /** Tokens that were taken ahead and nobody has used. They go back. */
  unused: number;
}

/** The answer of one statement to one of the calls that it took tokens for. */
export interface TakenTokens<Row> {
  row: Row;
  allowed: boolean;
  /** Tokens of the same statement that are for calls after this one. */
  later: number;
}

/**
 * The tokens of one bucket that this process takes. Calls that come while a statement is under way take theirs together, in the next
 * one. With `ahead` a bucket that is busy is asked once for many calls: as many as came in the last moment are taken for the next one.
 */
export class TokenPrefetcher<Row extends { granted: number }> {
  private readonly together = batchLoader((calls: string[]) => this.takeTogether(calls));
  private calls = 0;
  private last: Row | undefined;
  private unused = 0;
  private askedAtMs = -Infinity;
  private served = 0;

  constructor(
    private readonly query: (wish: TokenRequest) => Promise<Row>,
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

  /** An estimate: the next moment brings as many calls as the one before. */
  private expected(sinceMs: number): number {
    return sinceMs < 2 * aheadMs ? Math.floor(this.served * Math.min(1, aheadMs / sinceMs)) : 0;
  }
}
