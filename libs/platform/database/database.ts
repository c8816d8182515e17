import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import pg from 'pg';
import { DataSource, type EntityManager, type ObjectLiteral } from 'typeorm';
import { builtInRows, rowsByPlan } from '#libs/platform/settings/plans';
import { Settings } from '#libs/platform/settings/settings';
import { actorContext, actorSetting } from './actor-context.ts';
import { KeyedSemaphore } from '#libs/platform/semaphore/keyed-semaphore';
import { appRole, systemRole } from './policies.ts';
import { prepared, rowsAs, selectOf, type Statement } from './statements.ts';
import { transactionPreamble } from './transaction-preamble.ts';
import { ConnectionsTaken } from './violations.ts';

export { find, indexOrder, send, type Statement } from './statements.ts';

const plainSystemPreamble = transactionPreamble(systemRole);
const systemPreamble = () =>
  actorContext.getStore() ? transactionPreamble(systemRole, actorSetting()) : plainSystemPreamble;
// Its commit returns before it is on disk. Only what no promise depends on is written in it.
const asyncCommitPreamble = transactionPreamble(systemRole, { synchronous_commit: 'off' });

/** A stray statement outside of a transaction finds no more than its role may see. A pooler may drop this: every transaction is seated. */
const roleAtStart = (role: string) => `-c role=${role}`;

/** Sends all that `work` sends in one write to the socket: a write costs more than the statement in it, on both sides. */
function corked<T>(client: pg.PoolClient, work: () => T): T {
  const { stream } = (client as pg.PoolClient & { connection: pg.Connection }).connection;
  stream.cork();
  try {
    return work();
  } finally {
    stream.uncork();
  }
}

/** Runs statements that do not need each other's results in one transaction and one round trip. */
async function inOneTrip<Row extends pg.QueryResultRow>(
  client: pg.PoolClient,
  seated: string,
  statements: Statement[],
): Promise<Row[][]> {
  const all: Statement[] = [[`begin; ${seated}`], ...statements, ['commit']];
  const sent = corked(client, () => all.map((statement) => client.query<Row>(prepared(statement))));
  // Once a statement has failed, Postgres turns the commit into a rollback, so no check is needed here.
  await Promise.allSettled(sent);
  const results = await Promise.all(sent);
  return results.slice(1, -1).map(({ rows }) => rows);
}

const afterCommits = new WeakMap<EntityManager, (() => void)[]>();

/** Calls the function once the transaction of `Database.within` has committed. After a rollback it is never called. */
export function afterCommit(tx: EntityManager, call: () => void): void {
  afterCommits.set(tx, [...(afterCommits.get(tx) ?? []), call]);
}

/** True within work that may wait for a lock of its tenant, during which it takes no processor. */
const lockWait = new AsyncLocalStorage<true>();

/** Does work whose transactions may wait for a lock: they do not make their tenant slow. */
export function waitingForLock<T>(work: () => Promise<T>): Promise<T> {
  return lockWait.run(true, work);
}

/** A transaction that holds its connection for longer makes its tenant slow. */
const slowAfterMs = 250;

/** Statements of one workspace that wait in this process; a longer line would only be answered too late. */
const waitingMax = 2000;

/** Whole rows of an entity's table, which `rest` calls `t`. */
export interface Selection<E extends ObjectLiteral> {
  entity: new () => E;
  rest: string;
  values: unknown[];
}

/** A pool of connections; who waits has none yet. */
export interface PoolState {
  name: string;
  inUse: number;
  idle: number;
  waiting: number;
  max: number;
}

/**
 * All access to the stored data. Every statement runs either bound to the workspaces that the caller reaches,
 * where row-level security refuses all others, or as the system, which sees only what serves all tenants at once.
 */
@Injectable()
export class Database implements OnApplicationShutdown {
  private readonly systemPool: pg.Pool;
  private readonly asyncCommitPool: pg.Pool;
  /** The connections of one workspace, or of what a personal key reaches: half of them at most, so that slow work of one tenant leaves others theirs. */
  private readonly shares: KeyedSemaphore;
  /** Settings of Postgres for statements; empty with the built-in defaults, which the statements know. */
  private readonly configured: Record<string, string> = {};

  constructor(
    private readonly source: DataSource,
    settings: Settings,
  ) {
    const rows = JSON.stringify(rowsByPlan(settings));
    if (rows !== JSON.stringify(builtInRows)) this.configured = { 'holdfast.rows_by_plan': rows };
    this.shares = new KeyedSemaphore({
      most: Math.max(2, Math.ceil(settings.databasePoolMax / 2)),
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
      max: Math.max(2, Math.ceil(settings.databasePoolMax / 2)),
      pipeline: true,
      options: roleAtStart(systemRole),
    };
    this.systemPool = new pg.Pool(config);
    this.asyncCommitPool = new pg.Pool(config);
    for (const pool of [this.systemPool, this.asyncCommitPool]) {
      pool.on('error', () => undefined); // A dropped idle connection is replaced at the next use.
      pool.on('connect', (client) => client.on('error', () => undefined)); // One that is in use fails its statements.
    }
  }

  /** One transaction, bound to one workspace or to all that a personal key reaches. */
  within<T>(workspaces: string | string[], work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.transaction(workspaces, this.seatOf(workspaces), work);
  }

  /** Runs reads alone, in a transaction that sees the moment of the first one. */
  atOneMoment<T>(workspaces: string | string[], work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.transaction(
      workspaces,
      `set transaction isolation level repeatable read, read only; ${this.seatOf(workspaces)}`,
      work,
    );
  }

  private seatOf(workspaces: string | string[]): string {
    const reach = [workspaces].flat().join(',');
    return transactionPreamble(appRole, { 'holdfast.reach': reach, ...this.configured, ...actorSetting() });
  }

  private transaction<T>(
    workspaces: string | string[],
    seated: string,
    work: (tx: EntityManager) => Promise<T>,
  ): Promise<T> {
    const isPatient = lockWait.getStore() === true;
    return this.shares.run(String(workspaces), () => this.connected(seated, work), { isPatient });
  }

  private async connected<T>(seated: string, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const runner = this.source.createQueryRunner();
    try {
      const client: pg.PoolClient = await runner.connect();
      await runner.startTransaction();
      // The connection keeps the order, so the first statement need not wait until the binding has returned.
      const [, result] = await Promise.all([client.query(seated), work(runner.manager)]);
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

  /** Runs statements that do not need each other's results in one bound transaction and one round trip, for hot paths. */
  batch<Row extends pg.QueryResultRow = Record<string, unknown>>(
    workspaces: string | string[],
    statements: Statement[],
  ): Promise<Row[][]> {
    return this.shares.run(String(workspaces), async () => {
      const runner = this.source.createQueryRunner();
      try {
        return await inOneTrip<Row>(await runner.connect(), this.seatOf(workspaces), statements);
      } finally {
        await runner.release();
      }
    });
  }

  async statement<Row extends pg.QueryResultRow = Record<string, unknown>>(
    workspaces: string | string[],
    ...statement: Statement
  ): Promise<Row[]> {
    const [rows = []] = await this.batch<Row>(workspaces, [statement]);
    return rows;
  }

  /** Selects whole rows of an entity's table, which `rest` calls `t`: `where t.id = $1`. */
  async entities<E extends ObjectLiteral>(
    workspaces: string | string[],
    entity: new () => E,
    rest: string,
    values: unknown[],
  ): Promise<E[]> {
    const metadata = this.source.getMetadata(entity);
    return rowsAs(entity, metadata, await this.statement(workspaces, selectOf(metadata, rest), values));
  }

  /** Reads two entities that do not need each other's rows, in one round trip. */
  async bothEntities<A extends ObjectLiteral, B extends ObjectLiteral>(
    workspaces: string | string[],
    ...selections: [Selection<A>, Selection<B>]
  ): Promise<[A[], B[]]> {
    const [a, b] = selections;
    const [ofA, ofB] = [this.source.getMetadata(a.entity), this.source.getMetadata(b.entity)];
    const [rowsOfA = [], rowsOfB = []] = await this.batch(workspaces, [
      [selectOf(ofA, a.rest), a.values],
      [selectOf(ofB, b.rest), b.values],
    ]);
    return [rowsAs(a.entity, ofA, rowsOfA), rowsAs(b.entity, ofB, rowsOfB)];
  }

  /** One statement as the system. */
  system<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return this.alone<Row>(this.systemPool, systemPreamble(), [sql, values]);
  }

  /**
   * One statement as the system that may be lost when the machine crashes: a rate bucket, or the mark that something was
   * told already, which is told again without it. It does not wait for the disk.
   */
  systemUnflushed<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return this.alone<Row>(this.asyncCommitPool, asyncCommitPreamble, [sql, values]);
  }

  /** Several statements as the system, in one transaction. */
  async systemTransaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.systemPool.connect();
    try {
      const [, result] = await Promise.all([client.query(`begin; ${systemPreamble()}`), work(client)]);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
  }

  private async alone<Row extends pg.QueryResultRow>(
    pool: pg.Pool,
    seated: string,
    statement: Statement,
  ): Promise<Row[]> {
    const client = await pool.connect();
    try {
      const [rows = []] = await inOneTrip<Row>(client, seated, [statement]);
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

@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Settings],
      useFactory: (settings: Settings) => ({
        type: 'postgres' as const,
        url: settings.databaseUrl,
        autoLoadEntities: true,
        extra: {
          max: settings.databasePoolMax,
          connectionTimeoutMillis: settings.databaseWaitMs,
          pipeline: true,
          options: roleAtStart(appRole),
        },
      }),
    }),
  ],
  providers: [Database],
  exports: [Database],
})
export class DatabaseModule {}
