import { Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import pg from 'pg';
import { DataSource, type EntityManager, type ObjectLiteral } from 'typeorm';
import { Settings } from '#libs/settings/settings';
import { appRole, systemRole } from './policies.ts';
import { prepared, rowsAs, selectOf, type Statement } from './statements.ts';

export { find, send, type Statement } from './statements.ts';

/** How long a query of a caller may take, and how long it may wait for a lock. */
const guards = '-c statement_timeout=10000 -c lock_timeout=5000 -c idle_in_transaction_session_timeout=15000';

/** How long a caller waits for a connection while all are taken; then the call is refused, and does no harm by waiting. */
const connectionTimeoutMillis = 10_000;

const bind = `select set_config('holdfast.reach', $1, true)`;

const reachOf = (workspaces: string | string[]) =>
  (Array.isArray(workspaces) ? workspaces : [workspaces]).join(',');

/**
 * All access to the stored data. Every statement runs either bound to the workspaces that the caller reaches,
 * where row-level security refuses all others, or as the system, which sees only what serves all tenants at once.
 */
@Injectable()
export class Database implements OnApplicationShutdown {
  private readonly systemPool: pg.Pool;
  private readonly forgetfulPool: pg.Pool;

  constructor(
    private readonly source: DataSource,
    settings: Settings,
  ) {
    this.systemPool = new pg.Pool({
      connectionString: settings.databaseUrl,
      connectionTimeoutMillis,
      max: Math.max(2, Math.ceil(settings.databasePoolMax / 2)),
      options: `-c role=${systemRole} ${guards}`,
    });
    // A commit here returns before it is on disk. Only what no promise depends on is written through it.
    this.forgetfulPool = new pg.Pool({
      connectionString: settings.databaseUrl,
      connectionTimeoutMillis,
      max: Math.max(2, Math.ceil(settings.databasePoolMax / 2)),
      options: `-c role=${systemRole} -c synchronous_commit=off ${guards}`,
    });
    for (const pool of [this.systemPool, this.forgetfulPool]) pool.on('error', () => undefined); // A dropped idle connection is replaced at the next use.
  }

  /** One transaction, bound to one workspace or to all that a personal key reaches. */
  async within<T>(workspaces: string | string[], work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const runner = this.source.createQueryRunner();
    try {
      const client: pg.PoolClient = await runner.connect();
      await runner.startTransaction();
      // The connection keeps the order, so the first statement need not wait until the binding has returned.
      const binding = client.query(prepared([bind, [reachOf(workspaces)]]));
      const [, result] = await Promise.all([binding, work(runner.manager)]);
      await runner.commitTransaction();
      return result;
    } catch (error) {
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    } finally {
      await runner.release();
    }
  }

  /** Runs statements that do not need each other's results in one bound transaction and one round trip, for hot paths. */
  async batch<Row extends pg.QueryResultRow = Record<string, unknown>>(
    workspaces: string | string[],
    statements: Statement[],
  ): Promise<Row[][]> {
    const runner = this.source.createQueryRunner();
    try {
      const client: pg.PoolClient = await runner.connect();
      const all: Statement[] = [['begin'], [bind, [reachOf(workspaces)]], ...statements, ['commit']];
      const sent = all.map((statement) => client.query<Row>(prepared(statement)));
      // Once a statement has failed, Postgres turns the commit into a rollback, so no check is needed here.
      await Promise.allSettled(sent);
      const results = await Promise.all(sent);
      return results.slice(2, -1).map(({ rows }) => rows);
    } finally {
      await runner.release();
    }
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

  /** One statement as the system. */
  async system<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
    const { rows } = await this.systemPool.query<Row>(prepared([sql, values]));
    return rows;
  }

  /**
   * One statement as the system that may be lost when the machine crashes: a rate bucket, or the mark that something was
   * told already, which is told again without it. It does not wait for the disk.
   */
  async forgetful<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
    const { rows } = await this.forgetfulPool.query<Row>(prepared([sql, values]));
    return rows;
  }

  /** Several statements as the system, in one transaction. */
  async systemTransaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.systemPool.connect();
    try {
      await client.query('begin');
      const result = await work(client);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
  }

  /** Nest calls this after the requests in flight have been answered. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.systemPool.end(), this.forgetfulPool.end()]);
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
          connectionTimeoutMillis,
          pipeline: true,
          options: `-c role=${appRole} ${guards}`,
        },
      }),
    }),
  ],
  providers: [Database],
  exports: [Database],
})
export class DatabaseModule {}
