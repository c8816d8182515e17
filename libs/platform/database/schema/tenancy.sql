-- The procedures of a migration. They last as long as its connection.

-- Every table of a tenant gets one of these two policies, or both. They are forced, so the owner of the schema is bound as well.

-- The rows are visible and writable only in the workspaces that the transaction is bound to.
create or replace procedure pg_temp.tenant_rows(rows_of text, workspace_column text default 'workspace_id') language plpgsql as $$
begin
  execute format('alter table %s enable row level security', rows_of);
  execute format('alter table %s force row level security', rows_of);
  -- The sub-select makes the reach an init plan: Postgres computes it once a statement, and indexes stay usable.
  execute format('create policy tenant on %s to holdfast_app using (%I = any ((select holdfast_reach())::text[]))
    with check (%I = any ((select holdfast_reach())::text[]))', rows_of, workspace_column, workspace_column);
end $$;

-- The rows are visible to the part of this system that serves all workspaces at once.
create or replace procedure pg_temp.system_rows(rows_of text) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', rows_of);
  execute format('alter table %s force row level security', rows_of);
  execute format('create policy system on %s to holdfast_system using (true) with check (true)', rows_of);
end $$;

-- Sixteen partitions of a table. None has a grant, so the rows are reached through the whole table alone.
create or replace procedure pg_temp.sixteen_partitions(whole text, more_options text default '') language plpgsql as $$
begin
  for n in 0..15 loop
    execute format('create table %s_%s partition of %s for values with (modulus 16, remainder %s)
      with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.01%s)', whole, n, whole, n, more_options);
    call pg_temp.tenant_rows(whole || '_' || n);
  end loop;
end $$;
