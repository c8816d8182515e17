-- Every table of a tenant gets one of these two policies, or both. They are forced, so the owner of the schema is bound as well.

-- The rows are visible and writable only in the workspaces that the transaction is bound to.
create procedure pg_temp.tenant_rows(rows_of text, workspace_column text default 'workspace_id') language plpgsql as $$
begin
  execute format('alter table %s enable row level security', rows_of);
  execute format('alter table %s force row level security', rows_of);
  -- The sub-select makes the reach an init plan: Postgres computes it once a statement, and indexes stay usable.
  execute format('create policy tenant on %s to holdfast_app using (%I = any ((select holdfast_reach())::text[]))
    with check (%I = any ((select holdfast_reach())::text[]))', rows_of, workspace_column, workspace_column);
end $$;

-- The rows are visible to the part of this system that serves all workspaces at once.
create procedure pg_temp.system_rows(rows_of text) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', rows_of);
  execute format('alter table %s force row level security', rows_of);
  execute format('create policy system on %s to holdfast_system using (true) with check (true)', rows_of);
end $$;
