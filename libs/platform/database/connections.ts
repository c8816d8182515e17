import type { Socket } from 'node:net';
import pg from 'pg';
import { statementMsMax } from './transaction-preamble.ts';

/** The system asks after so many milliseconds whether the other end of an idle connection is still there. */
export const keptAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** An answer may come later than its statement may take by so many milliseconds. */
const spareMs = 5000;

export interface ClientConfig extends pg.ClientConfig {
  /** Without an answer for so many milliseconds, a connection counts as broken. */
  silentMsMax?: number;
}

/** No connection was made, or it ended before the answer. Then nobody knows whether the statement was carried out. */
export class DatabaseOutage extends Error {
  override readonly name = 'DatabaseOutage';

  constructor(cause: Error) {
    // An error of several addresses has no message of its own.
    super(cause instanceof AggregateError ? String(cause.errors[0]) : cause.message, { cause });
    // The code and the address tell an operator what cannot be reached.
    Object.assign(this, cause);
  }
}

/** Makes an outage of what the driver says of a broken connection. What Postgres itself says stays as it is. */
export const toOutage = (error: Error): Error =>
  error instanceof pg.DatabaseError ? error : new DatabaseOutage(error);

/** A connection whose statements fail with `DatabaseOutage` once it is broken, or Postgres has not answered them in time. */
export class DatabaseClient extends pg.Client {
  /** False once the connection is broken. The types of the package lack it. */
  declare private readonly _queryable: boolean;
  private readonly silentMsMax: number;
  private longerMs = 0;
  private silence: NodeJS.Timeout | undefined;

  constructor({ silentMsMax = statementMsMax + spareMs, ...config }: ClientConfig = {}) {
    super({ ...keptAlive, ...config });
    this.silentMsMax = silentMsMax;
    // All statements are answered.
    this.on('drain', () => {
      clearTimeout(this.silence);
      this.silence = undefined;
    });
  }

  /** Waits for an answer as long as a statement may take that has its own time limit; 0 for the usual one. */
  waitLonger(forStatementsMs: number): void {
    this.longerMs = forStatementsMs === 0 ? 0 : forStatementsMs + spareMs;
  }

  // The package declares seven forms of this method, and all of them stay.
  override readonly query = ((...statement: Parameters<pg.Client['query']>) => {
    this.silence ??= this.awaitBytes();
    const answer: unknown = super.query(...statement);
    if (!(answer instanceof Promise)) return answer;
    return answer.catch((error: Error) => {
      const { _queryable: works } = this;
      // An error on a connection that works is of the statement, for example a value that cannot be sent.
      throw works ? error : toOutage(error);
    });
  }) as pg.Client['query'];

  override readonly end = ((...done: Parameters<pg.Client['end']>) => {
    // A silent connection is not closed by the other end, and would keep the process alive.
    this.silence ??= this.awaitBytes();
    return super.end(...done);
  }) as pg.Client['end'];

  /** Breaks the connection when nothing comes for too long. Then the statements under way fail, and nobody knows their outcome. */
  private awaitBytes(): NodeJS.Timeout {
    // The types of the package say less than it gives.
    const stream = this.connection.stream as Socket;
    const { bytesRead } = stream;
    const waitMs = Math.max(this.silentMsMax, this.longerMs);
    const judge = () => {
      if (this.silence !== timer) return;
      this.silence = undefined;
      if (stream.bytesRead > bytesRead) this.silence = this.awaitBytes();
      else stream.destroy(new Error(`Postgres has not answered for ${waitMs} ms.`));
    };
    // Reads first what came while this process stood still.
    const timer = setTimeout(() => setImmediate(judge), waitMs).unref();
    return timer;
  }
}

/** A pool of such connections. To get none is an outage too. */
export class DatabasePool extends pg.Pool {
  constructor(config: pg.PoolConfig & ClientConfig) {
    super({ ...config, Client: DatabaseClient });
    this.on('release', (_, client) => {
      if (client instanceof DatabaseClient) client.waitLonger(0);
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Parameters<pg.Pool['connect']>[0]): void;
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): Promise<pg.PoolClient> | void {
    if (callback)
      return super.connect((error, client, release) => callback(error && toOutage(error), client, release));
    return super.connect().catch((error: Error) => {
      throw toOutage(error);
    });
  }
}
