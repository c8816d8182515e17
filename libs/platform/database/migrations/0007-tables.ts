import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole, systemPolicy, systemRole, tenantPolicy } from '../policies.ts';

const partitions = 16;

/** Tables of users: their columns, their rows, the values of unique columns, and what was deleted. */
export class Tables1700000000007 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(tables);
    for (let n = 0; n < partitions; n++) await db.query(partition(n));
    for (const table of ['tables', 'table_rows', 'table_keys', 'table_deletions', 'table_leftovers']) {
      await db.query(tenantPolicy(table));
      await db.query(`grant select, insert, update, delete on ${table} to ${appRole}`);
    }
    await db.query(systemPolicy('table_leftovers'));
    await db.query(`grant select on table_leftovers to ${systemRole}`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

/** A partition has no grant, so its rows are reached through the whole alone; its own policy stands behind that. */
function partition(n: number): string {
  const name = `table_rows_${n}`;
  return `create table ${name} partition of table_rows for values with (modulus ${partitions}, remainder ${n})
      with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.01);
    ${tenantPolicy(name)}`;
}

const tables = /* sql */ `
create table tables (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  -- Stands for the table in its rows, which are many.
  no bigint not null generated always as identity unique,
  name text not null,
  description text not null,
  columns jsonb not null,
  -- The number of the next column. Ids of columns are never used again: rows may still hold cells of a deleted one.
  next_column integer not null,
  -- Counts the changes of the columns. Whoever has read the columns writes only while it is the same.
  schema_version bigint not null default 1,
  -- What its author allows; the plan of the workspace may allow less.
  max_rows bigint,
  row_count bigint not null default 0,
  next_position bigint not null default 0,
  -- Counts the changes of the rows. It is raised under the lock of this line, so versions are committed in their order.
  version bigint not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
) with (fillfactor = 50);
create unique index tables_name on tables (workspace_id, lower(name));

create table table_rows (
  id uuid not null,
  table_no bigint not null,
  position bigint not null,
  version bigint not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  workspace_id text not null,
  -- The cells by the ids of their columns. An empty cell has no key.
  data jsonb not null,
  primary key (table_no, id)
) partition by hash (table_no);
create index table_rows_position on table_rows (table_no, position);
create index table_rows_version on table_rows (table_no, version);

-- The one form of a value in which two are the same value of a unique column.
create function table_key(cell jsonb) returns bytea language sql stable parallel safe as $$
  select case when octet_length(t) <= 200 then '\\x00'::bytea || convert_to(t, 'UTF8')
    else '\\x01'::bytea || sha256(convert_to(t, 'UTF8')) end
  from (select case when jsonb_typeof(cell) = 'number' then trim_scale(cell::numeric)::text else cell #>> '{}' end) as k(t)
$$;

create table table_keys (
  table_no bigint not null,
  row_id uuid not null,
  column_id text not null,
  key bytea not null,
  workspace_id text not null,
  primary key (table_no, column_id, key)
);
create index table_keys_row on table_keys (table_no, row_id);

-- Rows that were deleted, for those who follow the changes of a table.
create table table_deletions (
  table_no bigint not null,
  version bigint not null,
  row_id uuid not null,
  deleted_at timestamptz(3) not null default now(),
  workspace_id text not null,
  primary key (table_no, version, row_id)
);

-- What a deleted table leaves behind, until a worker has removed it.
create table table_leftovers (
  table_no bigint primary key,
  workspace_id text not null,
  deleted_at timestamptz(3) not null default now()
);`;
