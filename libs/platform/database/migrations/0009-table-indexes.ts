import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole, systemPolicy, systemRole, tenantPolicy } from '../policies.ts';

/** Indexes of columns, their building, and how far back the changes of a table are known. */
export class TableIndexes1700000000009 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(indexes);
    for (const table of ['table_index', 'table_index_builds']) {
      await db.query(tenantPolicy(table));
      await db.query(`grant select, insert, update, delete on ${table} to ${appRole}`);
    }
    for (const table of ['table_index_builds', 'table_deletions', 'tables'])
      await db.query(systemPolicy(table));
    await db.query(`grant select on table_index_builds to ${systemRole}`);
    await db.query(`grant select, delete on table_deletions to ${systemRole}`);
    await db.query(`grant select, update on tables to ${systemRole}`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const indexes = /* sql */ `
-- Queries of tenants may use several processes: the reach is a setting, and those are handed on.
alter function holdfast_reach() parallel safe;

alter table tables add column changes_from bigint not null default 0;
comment on column tables.changes_from is 'Deletions up to this version may be forgotten.';
create index table_deletions_age on table_deletions (deleted_at);

-- A text for each cell that sorts under "C" as the cells do. Of a text, its first 200 characters.
create function table_sort_key(cell jsonb) returns text language sql stable parallel safe as $$
  select case jsonb_typeof(cell)
    when 'number' then (
      select case
        when n = 0 then '1'
        when n > 0 then '2' || lpad((e + 5000)::text, 4, '0') || d
        else '0' || lpad((4999 - e)::text, 4, '0') || translate(d, '0123456789', '9876543210') || '~' end
      from (
        select n, case when whole <> '0' then length(whole) else length(ltrim(fraction, '0')) - length(fraction) end as e,
          rtrim(ltrim(whole || fraction, '0'), '0') as d
        from (
          select n, split_part(t, '.', 1) as whole, split_part(t, '.', 2) as fraction
          from (select cell::numeric as n, trim_scale(abs(cell::numeric))::text as t) as a
        ) as b
      ) as c)
    else left(cell #>> '{}', 200) end
$$;

-- The cells of indexed columns. Equality and order of texts are known not to leak, so Postgres lets them use the index
-- in spite of the policy; those of JSON and of exact numbers are not.
create table table_index (
  table_no bigint not null,
  position bigint not null,
  row_id uuid not null,
  column_id text not null,
  key text collate "C" not null,
  workspace_id text not null,
  primary key (table_no, column_id, row_id)
);
create index table_index_key on table_index (table_no, column_id, key, position) include (row_id, workspace_id);

-- Indexes that are being built, and up to which row.
create table table_index_builds (
  table_no bigint not null,
  column_id text not null,
  position bigint not null default -1,
  workspace_id text not null,
  primary key (table_no, column_id)
);`;
