import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { DatabaseClient } from './connections.ts';
import type { EntityManager, EntityMetadata, ObjectLiteral } from 'typeorm';

/** A statement with its values. With `shaped by a caller` it is not prepared: Postgres plans it for its values at each call. */
export type Statement = [sql: string, values?: unknown[], shape?: 'shaped by a caller'];

/**
 * The names of prepared statements, by their text. There are only as many as statements in the code. A name contains a hash of the
 * text: behind a connection pooler, processes share connections, so equal names must mean equal statements.
 */
const names = new Map<string, string>();
const namesMax = 1000;

/** Finds statements that may return `*`. They are not prepared, because Postgres refuses them after a migration adds a column. */
const wholeRows = /(select|returning|\.)\s*\*/i;

/** Makes the query for a statement. Postgres prepares it once for each connection, because on hot paths planning takes longer than execution. */
export function prepared([text, values, shape]: Statement): pg.QueryConfig {
  if (!values || shape || wholeRows.test(text)) return { text, values };
  const name = names.get(text) ?? (names.size < namesMax ? nameOf(text) : undefined);
  if (name) names.set(text, name);
  return { name, text, values };
}

const nameOf = (text: string) => `holdfast_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;

/**
 * Run this before a statement that reads the first rows of a long list, so that Postgres reads them in the order of an index. The
 * query and the row policy both filter by workspace, and the planner multiplies the two. So it expects few rows, and would read and
 * sort all of them. The setting ends with the transaction.
 */
export const indexOrder = `select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)`;

/** A statement that changes a setting of Postgres until the end of the transaction. */
export const setLocal = (name: string, value: string): Statement => [
  `select set_config('${name}', '${value}', true)`,
];

/** Lets each later statement of the open transaction take so many milliseconds. */
export async function allowStatements(tx: EntityManager, longestMs: number): Promise<void> {
  const client: DatabaseClient = await tx.queryRunner?.connect();
  client.waitLonger(longestMs);
  await send(tx, ...setLocal('statement_timeout', String(longestMs)));
}

/** Runs one statement in the open transaction. Resolves to its rows. It is the only way to send SQL there, because it prepares. */
export async function send<Row extends object = Record<string, unknown>>(
  tx: EntityManager,
  ...statement: Statement
): Promise<Row[]> {
  const client: pg.PoolClient = await tx.queryRunner?.connect();
  const { rows } = await client.query<Row & pg.QueryResultRow>(prepared(statement));
  return rows;
}

/** Selects whole rows of an entity's table in the open transaction. The alias of the table in `rest` is `t`. */
export async function find<E extends ObjectLiteral>(
  tx: EntityManager,
  entity: new () => E,
  rest: string,
  values: unknown[],
): Promise<E[]> {
  const metadata = tx.connection.getMetadata(entity);
  return rowsAs(entity, metadata, await send(tx, buildSelect(metadata, rest), values));
}

/** SQL that selects an entity's rows. It names every column, so a prepared statement still works after a migration adds a column. */
export function buildSelect({ tableName, columns }: EntityMetadata, rest: string): string {
  return `select ${columns.map(({ databaseName }) => `t.${databaseName}`).join(', ')} from ${tableName} t ${rest}`;
}

export function rowsAs<E extends ObjectLiteral>(
  entity: new () => E,
  { columns }: EntityMetadata,
  rows: Record<string, unknown>[],
): E[] {
  return rows.map((row) =>
    Object.assign(
      new entity(),
      Object.fromEntries(columns.map((column) => [column.propertyName, row[column.databaseName]])),
    ),
  );
}
