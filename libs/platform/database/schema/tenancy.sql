-- Procedures for migrations. They exist until the connection closes.

-- Every table with data of a tenant gets one of these two policies, or both. They are forced, so they apply to the owner of the schema too.

-- A transaction can read and write only rows of the workspaces that its preamble names.
create or replace procedure pg_temp.tenant_rows(rows_of text, workspace_column text default 'workspace_id') language plpgsql as $$
begin
  execute format('alter table %s enable row level security', rows_of);
  execute format('alter table %s force row level security', rows_of);
  -- Because of the sub-select, Postgres computes the workspaces once for each statement (an init plan), and can still use indexes.
  execute format('create policy tenant on %s to holdfast_app using (%I = any ((select holdfast_reach())::text[]))
    with check (%I = any ((select holdfast_reach())::text[]))', rows_of, workspace_column, workspace_column);
end $$;

-- The system role can read and write all rows. It serves all workspaces at once.
create or replace procedure pg_temp.system_rows(rows_of text) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', rows_of);
  execute format('alter table %s force row level security', rows_of);
  execute format('create policy system on %s to holdfast_system using (true) with check (true)', rows_of);
end $$;

-- Creates sixteen partitions of a table. No role has a grant on a partition, so statements must use the whole table.
create or replace procedure pg_temp.sixteen_partitions(whole text, more_options text default '') language plpgsql as $$
begin
  for n in 0..15 loop
    execute format('create table %s_%s partition of %s for values with (modulus 16, remainder %s)
      with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.01%s)', whole, n, whole, n, more_options);
    call pg_temp.tenant_rows(whole || '_' || n);
  end loop;
end $$;
