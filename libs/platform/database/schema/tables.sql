create function count_tables_delete() returns trigger language plpgsql as $$
begin
  insert into storage_changes (workspace_id, kind, bytes)
  select workspace_id, 'tables', sum(bytes) from (select workspace_id, -(octet_length(t.data::text)) as bytes from gone t) c group by workspace_id having sum(bytes) <> 0;
  return null;
end $$;

create function count_tables_insert() returns trigger language plpgsql as $$
begin
  insert into storage_changes (workspace_id, kind, bytes)
  select workspace_id, 'tables', sum(bytes) from (select workspace_id, octet_length(t.data::text) as bytes from added t) c group by workspace_id having sum(bytes) <> 0;
  return null;
end $$;

create function count_tables_update() returns trigger language plpgsql as $$
begin
  insert into storage_changes (workspace_id, kind, bytes)
  select workspace_id, 'tables', sum(bytes) from (select workspace_id, octet_length(t.data::text) as bytes from added t union all select workspace_id, -(octet_length(t.data::text)) as bytes from gone t) c group by workspace_id having sum(bytes) <> 0;
  return null;
end $$;

create function table_key(cell jsonb) returns bytea language sql stable parallel safe
as $$
  select case when octet_length(t) <= 200 then '\x00'::bytea || convert_to(t, 'UTF8')
    else '\x01'::bytea || sha256(convert_to(t, 'UTF8')) end
  from (select case when jsonb_typeof(cell) = 'number' then trim_scale(cell::numeric)::text else cell #>> '{}' end) as k(t)
$$;

create function table_sort_key(cell jsonb) returns text language sql stable parallel safe
as $$
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

create table tables (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  -- A short id of the table for its many rows.
  no bigint not null generated always as identity unique,
  name text not null,
  description text not null,
  columns jsonb not null,
  -- The number of the next column. Ids of columns are never used again, because rows may still contain cells of a deleted column.
  next_column int not null,
  -- Counts the changes of the columns. A writer that has read the columns writes only if this number is unchanged.
  schema_version bigint not null default 1,
  -- The row limit that its author set. The plan of the workspace may allow fewer rows.
  max_rows bigint,
  row_count bigint not null default 0,
  next_position bigint not null default 0,
  -- Counts the changes of the rows. A writer locks this row to increment it, so versions are committed in order.
  version bigint not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- Rows of table_deletions up to this version may be missing, because old rows are deleted.
  changes_from bigint not null default 0,
  -- The next slot for numbers. A slot is never used again, because rows may still contain cells of a deleted column.
  next_number int not null default 1,
  -- The next slot for texts.
  next_text int not null default 1
) with (fillfactor='50');
comment on table tables is 'A table of a workspace: its columns, its counters and its version.';
create unique index tables_name on tables (workspace_id, lower(name));
create constraint trigger audit after insert or delete or update of name, description, columns, max_rows on tables deferrable initially deferred for each row execute function audit_row('table', 'id', 'name,description,columns,max_rows', 'created,updated,deleted');
call pg_temp.system_rows('tables');
call pg_temp.tenant_rows('tables');
grant select, insert, delete, update on tables to holdfast_app;
grant select, update on tables to holdfast_system;

create table table_rows (
  id uuid not null,
  table_no bigint not null,
  position bigint not null,
  version bigint not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  workspace_id text not null,
  -- The execution that last wrote the row. It may be deleted by now. Null when a call wrote the row.
  execution_id text,
  -- The cells by the ids of their columns. An empty cell has no key.
  data jsonb not null,
  primary key (table_no, id)
) partition by hash (table_no);
comment on table table_rows is 'The rows of all tables, in 16 partitions. Its slots n1 to s4 are typed copies of cells.';
-- The slots of the first columns with numbers and texts. A slot stores a number exactly if it has up to 18 digits before its point and
-- 12 after it. Otherwise it stores a number between the neighbours, with 13 digits after the point, or an infinity, so the order stays right.
-- A slot stores a text of up to 40 characters. For a longer text, and for a text that begins with U+0001, it stores only U+0001.
do $$
declare
  cell text;
begin
  for n in 1..4 loop
    cell := format('(data -> %L)::numeric', 'n' || n);
    execute format('alter table table_rows add column %I numeric generated always as (case when jsonb_typeof(data -> %L) = ''number'' then
      case when abs(%s) >= 1e18 then sign(%s) * ''Infinity''::numeric
        when min_scale(%s) > 12 then trunc(%s, 12) + sign(%s) * 0.0000000000005
        else %s end end) stored', 'n' || n, 'n' || n, cell, cell, cell, cell, cell, cell);
  end loop;
  for n in 1..4 loop
    cell := format('(data ->> %L)', 's' || n);
    execute format('alter table table_rows add column %I text collate "C" generated always as (case when jsonb_typeof(data -> %L) = ''string'' then
      case when char_length(%s) > 40 or starts_with(%s, E''\x01'') then E''\x01'' else %s end end) stored', 's' || n, 's' || n, cell, cell, cell);
  end loop;
end $$;
create index table_rows_position on table_rows (table_no, position);
create index table_rows_version on table_rows (table_no, version);
create index table_rows_slots on table_rows (table_no, workspace_id, position) include (n1, n2, n3, n4, s1, s2, s3, s4);
create trigger count_storage_delete after delete on table_rows referencing old table as gone for each statement execute function count_tables_delete();
create trigger count_storage_insert after insert on table_rows referencing new table as added for each statement execute function count_tables_insert();
create trigger count_storage_update after update on table_rows referencing old table as gone new table as added for each statement execute function count_tables_update();
call pg_temp.tenant_rows('table_rows');
grant select, insert, delete, update on table_rows to holdfast_app;

call pg_temp.sixteen_partitions('table_rows', ', autovacuum_vacuum_insert_scale_factor = 0.02');

create table table_keys (
  table_no bigint not null,
  row_id uuid not null,
  column_id text not null,
  key bytea not null,
  workspace_id text not null,
  primary key (table_no, column_id, key)
);
comment on table table_keys is 'The cells of unique columns. The primary key refuses a repeated value.';
create index table_keys_row on table_keys (table_no, row_id);
call pg_temp.tenant_rows('table_keys');
grant select, insert, delete, update on table_keys to holdfast_app;

create table table_index (
  table_no bigint not null,
  position bigint not null,
  row_id uuid not null,
  column_id text not null,
  key text collate pg_catalog."C" not null,
  workspace_id text not null,
  primary key (row_id, column_id, table_no)
) with (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_insert_scale_factor='0.02', autovacuum_analyze_scale_factor='0.01');
comment on table table_index is 'The cells of indexed columns.';
create index table_index_key on table_index (table_no, column_id, key, position) include (row_id, workspace_id);
call pg_temp.tenant_rows('table_index');
grant select, insert, delete, update on table_index to holdfast_app;

create table table_index_builds (
  table_no bigint not null,
  column_id text not null,
  position bigint not null default '-1'::int,
  workspace_id text not null,
  primary key (table_no, column_id)
);
comment on table table_index_builds is 'How far the index of a column is built.';
call pg_temp.system_rows('table_index_builds');
call pg_temp.tenant_rows('table_index_builds');
grant select, insert, delete, update on table_index_builds to holdfast_app;
grant select on table_index_builds to holdfast_system;

create table table_deletions (
  table_no bigint not null,
  version bigint not null,
  row_id uuid not null,
  deleted_at timestamptz(3) not null default now(),
  workspace_id text not null,
  primary key (table_no, version, row_id)
);
comment on table table_deletions is 'The ids of deleted rows by version, for readers of changes.';
create index table_deletions_age on table_deletions (deleted_at);
call pg_temp.system_rows('table_deletions');
call pg_temp.tenant_rows('table_deletions');
grant select, insert, delete, update on table_deletions to holdfast_app;
grant select, delete on table_deletions to holdfast_system;

create table table_orphans (
  table_no bigint primary key,
  workspace_id text not null,
  deleted_at timestamptz(3) not null default now()
);
comment on table table_orphans is 'Deleted tables whose rows a worker still has to remove.';
call pg_temp.system_rows('table_orphans');
call pg_temp.tenant_rows('table_orphans');
grant select, insert, delete, update on table_orphans to holdfast_app;
grant select on table_orphans to holdfast_system;

create table table_column_orphans (
  table_no bigint not null,
  column_id text not null,
  -- The position of the last row whose cell was removed.
  position bigint not null default '-1'::int,
  workspace_id text not null,
  deleted_at timestamptz(3) not null default now(),
  primary key (table_no, column_id)
);
comment on table table_column_orphans is 'Deleted columns whose cells a worker still has to remove.';
call pg_temp.system_rows('table_column_orphans');
call pg_temp.tenant_rows('table_column_orphans');
grant select, insert, delete, update on table_column_orphans to holdfast_app;
grant select on table_column_orphans to holdfast_system;

create table table_imports (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  table_id text not null references tables (id) on delete cascade,
  format text not null,
  mode text not null,
  size bigint not null,
  status text not null default 'pending',
  error text,
  -- The number of processed lines. In the mode 'good' it is committed together with the rows of these lines.
  line_count bigint not null default 0,
  inserted_count bigint not null default 0,
  refused_count bigint not null default 0,
  -- The first refused lines.
  refused jsonb not null default '[]',
  -- Attempts in a row that made no progress and did not end normally.
  tries smallint not null default 0,
  next_delivery_at timestamptz(3) not null default now() + interval '00:00:02',
  created_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  completed_at timestamptz(3)
);
comment on table table_imports is 'The imports of files into tables, with their progress.';
create index table_imports_list on table_imports (table_id, created_at desc, id desc);
create index table_imports_old on table_imports (completed_at) where completed_at is not null;
create index table_imports_due_by_workspace on table_imports (workspace_id, next_delivery_at) where status in ('pending', 'processing');
create index table_imports_due on table_imports (next_delivery_at) where status in ('pending', 'processing');
create constraint trigger audit after insert on table_imports deferrable initially deferred for each row when ((COALESCE(current_setting('holdfast.acting', true), '') <> '')) execute function audit_row('table_import', 'id', 'table_id,format,mode,size', 'created,,');
create constraint trigger audit_cancel after update of status on table_imports deferrable initially deferred for each row when (((COALESCE(current_setting('holdfast.acting', true), '') <> '') and (new.status = 'cancelled'))) execute function audit_row('table_import', 'id', 'status', ',cancelled,');
call pg_temp.system_rows('table_imports');
call pg_temp.tenant_rows('table_imports');
grant select, insert, delete, update on table_imports to holdfast_app;
grant select, delete, update on table_imports to holdfast_system;
alter table files add foreign key (import_id) references table_imports (id) on delete cascade;

create table import_reports (
  -- The id that belongs to the Idempotency-Key of the call.
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  report json not null,
  created_at timestamptz(3) not null default now()
);
comment on table import_reports is 'The lines that an import refused.';
create index import_reports_age on import_reports (created_at);
call pg_temp.system_rows('import_reports');
call pg_temp.tenant_rows('import_reports');
grant select, insert, delete, update on import_reports to holdfast_app;
grant select, delete, update on import_reports to holdfast_system;
