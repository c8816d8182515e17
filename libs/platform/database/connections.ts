import pg from 'pg';

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

/** A connection whose statements fail with `DatabaseOutage` once it is broken. */
export class DatabaseClient extends pg.Client {
  /** False once the connection is broken. The types of the package lack it. */
  declare private readonly _queryable: boolean;

  // The package declares seven forms of this method, and all of them stay.
  override readonly query = ((...statement: Parameters<pg.Client['query']>) => {
    const answer: unknown = super.query(...statement);
    if (!(answer instanceof Promise)) return answer;
    return answer.catch((error: Error) => {
      const { _queryable: works } = this;
      // An error on a connection that works is of the statement, for example a value that cannot be sent.
      throw works ? error : toOutage(error);
    });
  }) as pg.Client['query'];
}

/** A pool of such connections. To get none is an outage too. */
export class DatabasePool extends pg.Pool {
  constructor(config: pg.PoolConfig) {
    super({ ...config, Client: DatabaseClient });
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
