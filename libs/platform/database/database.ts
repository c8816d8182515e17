import { AsyncLocalStorage } from 'node:async_hooks';
import type { OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { DataSource, type EntityManager, type ObjectLiteral } from 'typeorm';
import { noteDatabaseTime } from '#libs/platform/clock/database-clock';
import { builtInRows, rowsByPlan } from '#libs/platform/settings/plans';
import { Settings } from '#libs/platform/settings/settings';
import { actorContext, actorSetting } from './actor-context.ts';
import { DatabasePool } from './connections.ts';
import { KeyedSemaphore } from '#libs/platform/semaphore/keyed-semaphore';
import { appRole, systemRole } from './policies.ts';
import { rowsAs, buildSelect, type Statement } from './statements.ts';
import { SyncedBatch } from './synced-batch.ts';
import { preambleStatement, transactionPreamble } from './transaction-preamble.ts';
import { ConnectionsTaken } from './violations.ts';

export { allowStatements, find, indexOrder, send, setLocal, type Statement } from './statements.ts';

const plainSystemPreamble = preambleStatement(systemRole);
const systemPreamble = () =>
  actorContext.getStore() ? preambleStatement(systemRole, actorSetting()) : plainSystemPreamble;
// The commit returns before the data is on disk. It is only for rows whose loss breaks no promise.
const asyncCommitPreamble = preambleStatement(systemRole, { synchronous_commit: 'off' });

/**
 * The start option that gives a new connection its role, for statements outside of a transaction. A connection pooler may drop
 * the option, so each transaction also sets the role in its preamble.
 */
export const roleAtStart = (role: string) => `-c role=${role}`;

/** Runs the preamble and the statements in one transaction and one round trip. No statement may need the result of another. */
async function inOneTrip<Row extends object>(
  client: pg.PoolClient,
  preamble: Statement,
  statements: Statement[],
): Promise<Row[][]> {
  const [, ...results] = await SyncedBatch.run(client, [preamble, ...statements]);
  return results as Row[][];
}

const afterCommits = new WeakMap<EntityManager, (() => void)[]>();

/** Calls the function once the transaction of `Database.within` has committed. After a rollback it is never called. */
export function afterCommit(tx: EntityManager, call: () => void): void {
  afterCommits.set(tx, [...(afterCommits.get(tx) ?? []), call]);
}

/** True within work that may wait for a lock of its tenant. Such work uses no processor while it waits. */
const lockWait = new AsyncLocalStorage<true>();

/** Runs work whose transactions may wait for a lock. A long transaction of this work does not count as slow. */
export function waitingForLock<T>(work: () => Promise<T>): Promise<T> {
  return lockWait.run(true, work);
}

/** A tenant counts as slow after a transaction that held its connection for longer than this, in milliseconds. */
const slowAfterMs = 250;

/** The share of one workspace in the connections for calls, and the size of each pool that serves all workspaces. */
const halfOf = (poolMax: number) => Math.max(2, Math.ceil(poolMax / 2));

/** Returns how many connections a process takes at most: its three pools, the one that listens, the one of its lease, and one to spare. */
export const connectionsOfProcess = (poolMax: number): number => poolMax + 2 * halfOf(poolMax) + 3;

const databaseTime = 'select extract(epoch from clock_timestamp()) * 1000 as now_ms';

/** At most so many transactions of one workspace wait in this process. Later ones would get their connection too late. */
const waitingMax = 2000;

/** A selection of whole rows of an entity's table. `rest` is the SQL after the table, whose alias is `t`: `where t.id = $1`. */
export interface Selection<E extends ObjectLiteral> {
  entity: new () => E;
  rest: string;
  values: unknown[];
}

/** The state of a pool: its numbers of connections, and of callers that wait for one. */
export interface PoolState {
  name: string;
  inUse: number;
  idle: number;
  waiting: number;
  max: number;
}

/**
 * All access to the stored data. Each transaction begins with a preamble, which sets its role. With the role of the app, row-level
 * security allows only the workspaces that the preamble names. With the role of the system, it allows only the tables that
 * serve all tenants at once.
 */
export class Database implements OnApplicationShutdown {
  private readonly systemPool: pg.Pool;
  private readonly asyncCommitPool: pg.Pool;
  /** Gives one workspace, or one set of workspaces, at most half of the connections. So slow work of one tenant does not block others. */
  private readonly shares: KeyedSemaphore;
  /** Settings of Postgres that the preamble adds. Empty with the built-in defaults, because the statements contain these. */
  private readonly configured: Record<string, string> = {};

  private constructor(
    private readonly source: DataSource,
    settings: Settings,
  ) {
    const rows = JSON.stringify(rowsByPlan(settings));
    if (rows !== JSON.stringify(builtInRows)) this.configured = { 'holdfast.rows_by_plan': rows };
    this.shares = new KeyedSemaphore({
      most: halfOf(settings.databasePoolMax),
      waitMs: settings.databaseWaitMs,
      waitingMax,
      slow: {
        most: Math.max(1, Math.floor(settings.databasePoolMax / 8)),
        afterMs: slowAfterMs,
        forMs: 2000,
      },
      refuse: () => new ConnectionsTaken(),
    });
    const config: pg.PoolConfig = {
      connectionString: settings.databaseUrl,
      connectionTimeoutMillis: settings.databaseWaitMs,
      max: halfOf(settings.databasePoolMax),
      pipeline: true,
      options: roleAtStart(systemRole),
    };
    this.systemPool = new DatabasePool(config);
    this.asyncCommitPool = new DatabasePool(config);
    for (const pool of [this.systemPool, this.asyncCommitPool]) {
      pool.on('error', () => undefined); // A dropped idle connection is replaced at the next use.
      pool.on('connect', (client) => client.on('error', () => undefined)); // A dropped connection in use fails its statements.
    }
  }

  /** Learns the time of the database before anybody has it, because the clock of this machine may be wrong. */
  static async open(source: DataSource, settings: Settings): Promise<Database> {
    const database = new Database(source, settings);
    const sentMs = Date.now();
    const [read] = await database.system<{ now_ms: string }>(databaseTime);
    if (read) noteDatabaseTime(Number(read.now_ms), sentMs, Date.now());
    return database;
  }

  /**
   * Runs `work` in one transaction that reaches only these workspaces. Commits and resolves to its result, or rolls back and rejects
   * with its error. Throws `ConnectionsTaken` when too many transactions of these workspaces wait.
   */
  within<T>(workspaces: string | string[], work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.transaction(workspaces, this.buildPreamble(workspaces), work);
  }

  /** Runs reads in one read-only transaction. All of them see the data as it was at the first read. */
  atOneMoment<T>(workspaces: string | string[], work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.transaction(
      workspaces,
      `set transaction isolation level repeatable read, read only; ${this.buildPreamble(workspaces)}`,
      work,
    );
  }

  private buildPreamble(workspaces: string | string[]): string {
    return transactionPreamble(appRole, this.buildSettings(workspaces));
  }

  private buildSettings(workspaces: string | string[]): Record<string, string> {
    return { 'holdfast.reach': [workspaces].flat().join(','), ...this.configured, ...actorSetting() };
  }

  private transaction<T>(
    workspaces: string | string[],
    preamble: string,
    work: (tx: EntityManager) => Promise<T>,
  ): Promise<T> {
    const isPatient = lockWait.getStore() === true;
    return this.shares.run(String(workspaces), () => this.connected(preamble, work), { isPatient });
  }

  private async connected<T>(preamble: string, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const runner = this.source.createQueryRunner();
    try {
      const client: pg.PoolClient = await runner.connect();
      await runner.startTransaction();
      // The connection keeps the order of statements, so `work` need not wait for the result of the preamble.
      const [, result] = await Promise.all([client.query(preamble), work(runner.manager)]);
      await runner.commitTransaction();
      for (const call of afterCommits.get(runner.manager) ?? []) call();
      return result;
    } catch (error) {
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    } finally {
      await runner.release();
    }
  }

  /**
   * Runs statements in one transaction and one round trip, for hot paths. No statement may need the result of another. Resolves to
   * the rows of each statement, in order.
   */
  batch<Row extends object = Record<string, unknown>>(
    workspaces: string | string[],
    statements: Statement[],
  ): Promise<Row[][]> {
    return this.shares.run(String(workspaces), async () => {
      const runner = this.source.createQueryRunner();
      try {
        const preamble = preambleStatement(appRole, this.buildSettings(workspaces));
        return await inOneTrip<Row>(await runner.connect(), preamble, statements);
      } finally {
        await runner.release();
      }
    });
  }

  /** Runs one statement in a transaction of its own, in one round trip. */
  async statement<Row extends object = Record<string, unknown>>(
    workspaces: string | string[],
    ...statement: Statement
  ): Promise<Row[]> {
    const [rows = []] = await this.batch<Row>(workspaces, [statement]);
    return rows;
  }

  /** Selects whole rows of an entity's table. Its alias in `rest` is `t`: `where t.id = $1`. */
  async entities<E extends ObjectLiteral>(
    workspaces: string | string[],
    entity: new () => E,
    rest: string,
    values: unknown[],
  ): Promise<E[]> {
    const metadata = this.source.getMetadata(entity);
    return rowsAs(entity, metadata, await this.statement(workspaces, buildSelect(metadata, rest), values));
  }

  /** Selects rows of two entities in one transaction and one round trip. */
  async bothEntities<A extends ObjectLiteral, B extends ObjectLiteral>(
    workspaces: string | string[],
    ...selections: [Selection<A>, Selection<B>]
  ): Promise<[A[], B[]]> {
    const [a, b] = selections;
    const [ofA, ofB] = [this.source.getMetadata(a.entity), this.source.getMetadata(b.entity)];
    const [rowsOfA = [], rowsOfB = []] = await this.batch(workspaces, [
      [buildSelect(ofA, a.rest), a.values],
      [buildSelect(ofB, b.rest), b.values],
    ]);
    return [rowsAs(a.entity, ofA, rowsOfA), rowsAs(b.entity, ofB, rowsOfB)];
  }

  /** Runs one statement in a transaction of its own, as the system. */
  system<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return this.alone<Row>(this.systemPool, systemPreamble(), [sql, values]);
  }

  /**
   * Runs one statement as the system, and does not wait for the disk. A crash of the machine may lose its effect. So use it only
   * for data that may be lost: a rate bucket, or the mark of a delivery that can be repeated.
   */
  systemUnflushed<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return this.alone<Row>(this.asyncCommitPool, asyncCommitPreamble, [sql, values]);
  }

  /** Runs `work` in one transaction as the system. Rolls back when `work` throws. */
  async systemTransaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.systemPool.connect();
    try {
      const [, result] = await Promise.all([
        client.query(`begin; ${transactionPreamble(systemRole, actorSetting())}`),
        work(client),
      ]);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
  }

  private async alone<Row extends object>(
    pool: pg.Pool,
    preamble: Statement,
    statement: Statement,
  ): Promise<Row[]> {
    const client = await pool.connect();
    try {
      const [rows = []] = await inOneTrip<Row>(client, preamble, [statement]);
      return rows;
    } finally {
      client.release();
    }
  }

  /** The load of this process's connections. */
  get pools(): PoolState[] {
    const { master } = this.source.driver as unknown as { master: pg.Pool };
    const pools = { app: master, system: this.systemPool, async_commit: this.asyncCommitPool };
    return Object.entries(pools).map(([name, { totalCount, idleCount, waitingCount, options }]) => ({
      name,
      inUse: totalCount - idleCount,
      idle: idleCount,
      waiting: waitingCount,
      max: options.max,
    }));
  }

  /** Nest calls this after the requests in flight have been answered. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.systemPool.end(), this.asyncCommitPool.end()]);
  }
}
