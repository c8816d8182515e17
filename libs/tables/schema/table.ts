import type { EntityManager } from 'typeorm';
import { type Database, send } from '#libs/platform/database/database';
import { exactJson, exactParse } from '#libs/platform/json/exact-json';
import { NotFound } from '#libs/platform/errors/errors';
import { builtInRows } from '#libs/platform/settings/plans';
import type { Column } from './columns.ts';
import type { NextIds } from './slots.ts';

/** A table as it is at one moment. */
export interface Table {
  id: string;
  /** The number by which rows refer to the table, as decimal text. */
  no: string;
  name: string;
  description: string;
  columns: Column[];
  next: NextIds;
  schemaVersion: string;
  maxRows: number;
  rowCount: number;
  /** Rises with each change of rows. Decimal text. */
  version: string;
  createdAt: Date;
  updatedAt: Date;
}

/** SQL: the maximum number of rows by plan name, as JSON. `Database` sets `holdfast.rows_by_plan` when the installation has its own plans. */
const byPlan = `coalesce(nullif(current_setting('holdfast.rows_by_plan', true), ''), '${JSON.stringify(builtInRows)}')::jsonb`;

/** SQL: the maximum number of rows of the table `t` in the workspace `w`. It is computed each time, because the plan may change. */
export const maxRowsOf = `least(t.max_rows, coalesce(${byPlan} ->> w.plan, ${byPlan} ->> '')::bigint)`;

const columnsOfTable = `t.id, t.no, t.name, t.description, t.columns::text as columns, t.next_column, t.next_number, t.next_text, t.schema_version,
  ${maxRowsOf} as max_rows, t.row_count, t.version, t.created_at, t.updated_at`;

export const selectTables = `select ${columnsOfTable} from tables t join workspaces w on w.id = t.workspace_id`;

const one = `${selectTables} where t.workspace_id = $1 and t.id = $2`;
const locked = `${one} for no key update of t`;

/** The table as it is now. Throws `NotFound`. */
export async function readTable(database: Database, workspaceId: string, id: string): Promise<Table> {
  const [row] = await database.statement(workspaceId, one, [workspaceId, id]);
  if (!row) throw new NotFound('table');
  return toTable(row);
}

/** Reads and locks the table. No other transaction changes its columns or its rows before this transaction ends. Throws `NotFound`. */
export async function lockTable(tx: EntityManager, workspaceId: string, id: string): Promise<Table> {
  const [row] = await send(tx, locked, [workspaceId, id]);
  if (!row) throw new NotFound('table');
  return toTable(row);
}

/** Locks a table by its number. Returns null when the table is deleted. */
export async function lockNumbered(
  tx: EntityManager,
  workspaceId: string,
  no: string,
): Promise<Table | null> {
  const [found] = await send(tx, 'select id from tables where no = $1', [no]);
  const [row] = found ? await send(tx, locked, [workspaceId, found['id']]) : [];
  return row ? toTable(row) : null;
}

export function toTable(row: Record<string, unknown>): Table {
  return {
    id: String(row['id']),
    no: String(row['no']),
    name: String(row['name']),
    description: String(row['description']),
    columns: exactParse(String(row['columns'])) as unknown as Column[],
    next: {
      column: Number(row['next_column']),
      number: Number(row['next_number']),
      text: Number(row['next_text']),
    },
    schemaVersion: String(row['schema_version']),
    maxRows: Number(row['max_rows']),
    rowCount: Number(row['row_count']),
    version: String(row['version']),
    createdAt: row['created_at'] as Date,
    updatedAt: row['updated_at'] as Date,
  };
}

/** Writes the columns, and raises the schema version. From now on, a statement that names the old schema version changes and finds nothing. */
export async function writeColumns(
  tx: EntityManager,
  table: Table,
  columns: Column[],
  { column, number, text } = table.next,
): Promise<void> {
  await send(
    tx,
    `update tables set columns = $2, next_column = $3, next_number = $4, next_text = $5, schema_version = schema_version + 1,
      updated_at = now() where id = $1`,
    [table.id, exactJson(columns), column, number, text],
  );
}
