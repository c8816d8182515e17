import type pg from 'pg';
import type { EntityManager, EntityMetadata, ObjectLiteral } from 'typeorm';

export type Statement = [sql: string, values?: unknown[]];

/** By text, the names under which connections keep their plans. There are as many as places in the code. */
const names = new Map<string, string>();
const namesMax = 1000;

/** A migration gives these other columns, which Postgres refuses to a plan that it has kept. */
const wholeRows = /(select|returning|\.)\s*\*/i;

/** Planned once a connection: for the statements of the hot paths that takes longer than their work. */
export function prepared([text, values]: Statement): pg.QueryConfig {
  if (!values || wholeRows.test(text)) return { text, values };
  const name = names.get(text) ?? (names.size < namesMax ? `holdfast_${names.size}` : undefined);
  if (name) names.set(text, name);
  return { name, text, values };
}

/** One statement within a transaction that is under way. */
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

/** Every column by its name: a plan outlives a migration that adds one. */
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
