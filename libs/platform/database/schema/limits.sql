create function add_usage() returns trigger language plpgsql as $$
begin
  insert into usage_totals as t (workspace_id, period, slot, cost)
  select workspace_id, date_trunc('month', created_at at time zone 'utc'), mod(id, 16), sum(cost)
  from added group by 1, 2, 3 order by 1, 2, 3
  on conflict (workspace_id, period, slot) do update set cost = t.cost + excluded.cost;
  insert into usage_members as t (workspace_id, period, actor, slot, cost) 
select workspace_id, date_trunc('month', created_at at time zone 'utc'), actor, mod(id, 16), sum(cost) from added where actor like 'usr\_%' group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (workspace_id, actor, period, slot) do update set cost = t.cost + excluded.cost;
  insert into usage_days as t (workspace_id, day, workflow_id, actor, kind, slot, cost, entries)
  select workspace_id, (created_at at time zone 'utc')::date, coalesce(workflow_id, ''), actor, kind, mod(id, 16), sum(cost), count(*)
  from added group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
  on conflict (workspace_id, day, workflow_id, actor, kind, slot)
    do update set cost = t.cost + excluded.cost, entries = t.entries + excluded.entries;
  insert into execution_costs as t (execution_id, workspace_id, workflow_id, created_at, cost_micros) 
select e.id, e.workspace_id, e.workflow_id, e.created_at, sum((u.cost * 1000000)::bigint)
from added u join executions e on e.id = coalesce(u.execution_id, u.during_execution) group by e.id order by e.id
  on conflict (execution_id) do update set cost_micros = t.cost_micros + excluded.cost_micros;
  return null;
end $$;

create table rate_buckets (
  owner text not null,
  kind text not null check (kind in ('sync', 'async', 'api', 'mail', 'outside_mail')),
  tokens double precision not null,
  updated_at timestamptz(3) not null,
  -- The number of tokens that the last statement took, for all of its calls together.
  granted int not null default 0,
  primary key (owner, kind)
);
comment on table rate_buckets is 'Token buckets of callers, and of the mails of a workspace.';
call pg_temp.system_rows('rate_buckets');
grant select, insert, delete, update on rate_buckets to holdfast_system;

create table usage_entries (
  id bigint primary key generated always as identity,
  workspace_id text not null references workspaces (id) on delete cascade,
  execution_id text unique references executions (id) on delete set null,
  actor text not null,
  cost numeric(14,6) not null,
  created_at timestamptz(3) not null default now(),
  cost_micros bigint generated always as (((cost * (1000000)::numeric))::bigint) stored,
  workflow_id text,
  -- The kind of cost: an execution, or embedding.
  kind text not null default 'execution',
  -- The execution during which a call caused this cost. The column execution_id is set for the price of a whole execution.
  during_execution text references executions (id) on delete set null,
  -- The model of the call, or the type of its block.
  subject text,
  -- The path of the visit that caused the cost; null for a whole execution.
  visit_path text
);
comment on table usage_entries is 'What each execution and hosted call cost, and who pays. Triggers add it to the totals.';
create index usage_entries_age on usage_entries (created_at);
create index usage_entries_during on usage_entries (during_execution) where during_execution is not null;
create index usage_period on usage_entries (workspace_id, created_at);
create trigger add_usage after insert on usage_entries referencing new table as added for each statement execute function add_usage();
call pg_temp.system_rows('usage_entries');
call pg_temp.tenant_rows('usage_entries');
grant select, insert, delete, update on usage_entries to holdfast_app;
grant select, delete, update on usage_entries to holdfast_system;

create table execution_costs (
  execution_id text primary key references executions (id) on delete cascade,
  workspace_id text not null,
  workflow_id text not null,
  -- When the execution was accepted. Lists have this order.
  created_at timestamptz(3) not null,
  cost_micros bigint not null
);
comment on table execution_costs is 'The cost of each execution, for logs.';
-- Lists find the executions of a page with an index-only scan.
create index execution_costs_list on execution_costs (workspace_id, cost_micros) include (created_at, execution_id, workflow_id);
-- For lists of one workflow: they read only the costs of this workflow.
create index execution_costs_workflow on execution_costs (workflow_id, cost_micros) include (created_at, execution_id, workspace_id);
call pg_temp.tenant_rows('execution_costs');
grant select, insert, delete, update on execution_costs to holdfast_app;

create table usage_totals (
  workspace_id text not null references workspaces (id) on delete cascade,
  -- The first day of the month, in UTC.
  period date not null,
  -- From 0 to 15. Executions that end at the same time add to different rows, so they do not wait for each other's commits.
  slot smallint not null,
  cost numeric(20,6) not null,
  primary key (workspace_id, period, slot)
);
comment on table usage_totals is 'The cost of each workspace and month, in 16 parts so that writers do not wait for each other.';
call pg_temp.system_rows('usage_totals');
call pg_temp.tenant_rows('usage_totals');
grant select, insert, delete, update on usage_totals to holdfast_app;
grant select on usage_totals to holdfast_system;

create table usage_days (
  workspace_id text not null references workspaces (id) on delete cascade,
  day date not null,
  -- Empty for cost without a workflow.
  workflow_id text not null,
  actor text not null,
  kind text not null,
  -- From 0 to 15. Executions that end at the same time add to different rows, so they do not wait for each other's commits.
  slot smallint not null,
  cost numeric(20,6) not null,
  entries bigint not null,
  primary key (workspace_id, day, workflow_id, actor, kind, slot)
);
comment on table usage_days is 'Cost and number of entries by day, workflow, member and kind, in 16 parts.';
call pg_temp.tenant_rows('usage_days');
grant select, insert, delete, update on usage_days to holdfast_app;

create table usage_members (
  workspace_id text not null references workspaces (id) on delete cascade,
  -- The first day of the month, in UTC.
  period date not null,
  actor text not null,
  -- From 0 to 15. Executions that end at the same time add to different rows, so they do not wait for each other's commits.
  slot smallint not null,
  cost numeric(20,6) not null,
  primary key (workspace_id, actor, period, slot)
);
comment on table usage_members is 'The cost of each member and month, in 16 parts.';
call pg_temp.system_rows('usage_members');
call pg_temp.tenant_rows('usage_members');
grant select, insert, delete, update on usage_members to holdfast_app;
grant select on usage_members to holdfast_system;

create table member_caps (
  workspace_id text not null,
  user_id text not null,
  monthly_cost numeric(20,6) not null check (monthly_cost >= (0)::numeric),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, user_id),
  constraint member_caps_workspace_id_user_id_fkey foreign key (workspace_id, user_id) references memberships(workspace_id, user_id) on delete cascade
);
comment on table member_caps is 'The most that the executions of a member may cost in a month.';
create constraint trigger audit after insert or delete or update of monthly_cost on member_caps deferrable initially deferred for each row execute function audit_row('member_cap', 'user_id', 'monthly_cost', 'created,updated,deleted');
call pg_temp.system_rows('member_caps');
call pg_temp.tenant_rows('member_caps');
grant select, insert, delete, update on member_caps to holdfast_app;
grant select on member_caps to holdfast_system;

create table storage_changes (
  id bigint primary key generated always as identity,
  workspace_id text not null,
  kind text not null,
  bytes bigint not null
);
comment on table storage_changes is 'Changes of the stored bytes that nobody has added to the totals yet.';
create index storage_changes_workspace on storage_changes (workspace_id);
call pg_temp.system_rows('storage_changes');
call pg_temp.tenant_rows('storage_changes');
grant select, insert, delete, update on storage_changes to holdfast_app;
grant select, insert, delete, update on storage_changes to holdfast_system;

create table storage_totals (
  workspace_id text not null references workspaces (id) on delete cascade,
  kind text not null,
  bytes bigint not null,
  primary key (workspace_id, kind)
);
comment on table storage_totals is 'The stored bytes of each workspace by kind.';
call pg_temp.system_rows('storage_totals');
call pg_temp.tenant_rows('storage_totals');
grant select, insert, delete, update on storage_totals to holdfast_app;
grant select, insert, delete, update on storage_totals to holdfast_system;
grant usage on sequence usage_entries_id_seq to holdfast_app, holdfast_system;
