import type { EventEmitter } from 'node:events';
import pg from 'pg';
import { toOutage } from './connections.ts';
import { prepared, type Statement } from './statements.ts';

/** The part of the client's protocol that a query uses. The types of the package lack it. */
interface Wire extends EventEmitter {
  stream: { writable: boolean; cork(): void; uncork(): void };
  parsedStatements: Record<string, string | undefined>;
  parse(message: { name: string | undefined; text: string }): void;
  bind(message: object): void;
  describe(message: { type: 'P'; name: string }): void;
  execute(message: { portal: string }): void;
  close(message: { type: 'S'; name: string }): void;
  sync(): void;
}

interface ResultBuilder {
  rows: Record<string, unknown>[];
  addFields(fields: unknown[]): void;
  parseRow(fields: unknown[]): Record<string, unknown>;
  addRow(row: Record<string, unknown>): void;
}

const { Query, Result } = pg as unknown as {
  Query: new (config: { text: string }) => object;
  Result: new () => ResultBuilder;
};
const { prepareValue } = (pg as unknown as { utils: { prepareValue(this: void, value: unknown): unknown } })
  .utils;

/** The connections that carry a batch. */
const carrying = new WeakSet<pg.ClientBase>();

/**
 * Statements that end in one sync of the protocol. Without a sync between them, Postgres runs them as one transaction and commits at
 * the sync, so neither `begin` nor `commit` is sent and answered. An error of any statement, or of the commit, rejects the whole batch.
 */
export class SyncedBatch extends Query {
  private readonly queries: pg.QueryConfig[];
  private readonly results: ResultBuilder[];
  private done = 0;
  private failure: Error | undefined;
  private connection: Wire | undefined;
  /** The statements that this batch prepares, each with its place in it. */
  private readonly fresh = new Map<string, number>();
  callback: (() => void) | null = null;
  /** The client sets the parsers of its connection here. */
  readonly _result: { _types?: unknown } = {};

  private constructor(
    statements: Statement[],
    private readonly settle: {
      resolve: (rows: Record<string, unknown>[][]) => void;
      reject: (error: Error) => void;
    },
  ) {
    super({ text: '' });
    // A value that has no form on the wire throws here, before anything is sent.
    this.queries = statements.map((statement) => {
      const { name, text, values = [] } = prepared(statement);
      return { name, text, values: values.map((value) => prepareValue(value)) };
    });
    this.results = statements.map(() => new Result());
  }

  /**
   * Runs the statements in one transaction. Resolves to the rows of each. Rejects while the connection carries another batch, because
   * nobody knows yet what that one has prepared.
   */
  static async run(client: pg.ClientBase, statements: Statement[]): Promise<Record<string, unknown>[][]> {
    if (carrying.has(client)) throw new Error('This connection carries another batch.');
    carrying.add(client);
    try {
      return await new Promise((resolve, reject) => {
        const batch = new SyncedBatch(statements, { resolve, reject });
        (client as unknown as { query(batch: SyncedBatch): void }).query(batch);
      });
    } finally {
      carrying.delete(client);
    }
  }

  /** The client calls this when it is the turn of the batch to be sent. */
  submit(connection: Wire): Error | null {
    this.connection = connection;
    connection.stream.cork();
    try {
      for (const [place, query] of this.queries.entries()) this.send(connection, query, place);
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
    return null;
  }

  private send(connection: Wire, { name, text, values = [] }: pg.QueryConfig, place: number): void {
    const isPrepared = name !== undefined && connection.parsedStatements[name] !== undefined;
    if (!isPrepared) connection.parse({ name, text });
    if (!isPrepared && name !== undefined) {
      connection.parsedStatements[name] = text;
      this.fresh.set(name, place);
    }
    connection.bind({ portal: '', statement: name, values, binary: false });
    connection.describe({ type: 'P', name: '' });
    connection.execute({ portal: '' });
  }

  private get present(): ResultBuilder | undefined {
    return this.results[this.done];
  }

  handleRowDescription({ fields }: { fields: unknown[] }): void {
    const { present } = this;
    if (!present) return;
    const { _result: parsers } = this;
    Object.assign(present, parsers);
    present.addFields(fields);
  }

  handleDataRow({ fields }: { fields: unknown[] }): void {
    try {
      const { present } = this;
      if (present && !this.failure) present.addRow(present.parseRow(fields));
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error));
    }
  }

  handleCommandComplete(): void {
    this.done++;
  }

  handleEmptyQuery(): void {
    this.done++;
  }

  /** A failure of a statement, of the commit, or of the connection. Postgres skips the rest up to the sync. */
  handleError(error: Error): void {
    const { connection } = this;
    const failure = toOutage(error);
    if (!connection?.stream.writable) return this.settle.reject(failure);
    // Nobody knows whether the statement that failed, or one behind it, was prepared. Whoever sends it next prepares it.
    for (const [name, place] of this.fresh) {
      if (place < this.done) continue;
      delete connection.parsedStatements[name];
      connection.close({ type: 'S', name });
    }
    // The connection is free again, or known to be broken, when Postgres has answered the sync or has closed it.
    const settle = () => {
      connection.off('readyForQuery', settle).off('end', settle);
      this.settle.reject(failure);
    };
    connection.on('readyForQuery', settle).on('end', settle);
  }

  handleReadyForQuery(): void {
    if (this.failure) this.settle.reject(this.failure);
    else this.settle.resolve(this.results.map(({ rows }) => rows));
  }
}
