import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { EntityManager, EntityMetadata, ObjectLiteral } from 'typeorm';

/** A statement whose text depends on what a caller asks is planned each time, with its values. */
export type Statement = [sql: string, values?: unknown[], shape?: 'shaped by a caller'];

/**
 * The names of prepared statements by their text. There is one for each place in the code that runs one. A name says what is
 * in it: behind a pooler processes share connections, and none may run what another has prepared under the same name.
 */
const names = new Map<string, string>();
const namesMax = 1000;

/** Statements that may return whole rows are not prepared: after a migration Postgres refuses them. */
const wholeRows = /(select|returning|\.)\s*\*/i;

/** Runs a statement that is planned once for each connection: on the hot paths planning takes longer than the work. */
export function prepared([text, values, shape]: Statement): pg.QueryConfig {
  if (!values || shape || wholeRows.test(text)) return { text, values };
  const name = names.get(text) ?? (names.size < namesMax ? nameOf(text) : undefined);
  if (name) names.set(text, name);
  return { name, text, values };
}

const nameOf = (text: string) => `holdfast_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;

/**
 * To send before the first rows of a long list are read, in the order of an index. The planner counts the workspace twice,
 * by the query and by the policy of the rows, and so expects a few rows where there are thousands: it would read and sort
 * them all instead of the first ones. It holds until the transaction ends.
 */
export const indexOrder = `select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)`;

/** Runs one statement within a transaction that is open. */
export async function send(tx: EntityManager, ...statement: Statement): Promise<Record<string, unknown>[]> {
  const client: pg.PoolClient = await tx.queryRunner?.connect();
  const { rows } = await client.query<Record<string, unknown>>(prepared(statement));
  return rows;
}

/** Whole rows of an entity's table within a transaction; `rest` calls the table `t`. */
export async function find<E extends ObjectLiteral>(
  tx: EntityManager,
  entity: new () => E,
  rest: string,
  values: unknown[],
): Promise<E[]> {
  const metadata = tx.connection.getMetadata(entity);
  return rowsAs(entity, metadata, await send(tx, selectOf(metadata, rest), values));
}

/** Names every column, so that a prepared statement still works after a migration that adds one. */
export function selectOf({ tableName, columns }: EntityMetadata, rest: string): string {
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
