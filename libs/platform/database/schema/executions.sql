create function count_payloads() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into storage_changes (workspace_id, kind, bytes) values (new.workspace_id, 'payloads', new.bytes);
  end if;
  if tg_op <> 'INSERT' then
    insert into storage_changes (workspace_id, kind, bytes) values (old.workspace_id, 'payloads', -(old.bytes));
  end if;
  return null;
end $$;

create function require_caught_up(execution text, claimed text[]) returns void language plpgsql as $$
begin
  -- An answer that is being committed holds this row.
  perform 1 from executions where id = execution for no key update;
  if exists (select from paused_executions where execution_id = execution and applied_inline is not null and not applied_inline = any (claimed)) then
    raise exception 'the rows of % are ahead of this record', execution using errcode = 'HF003';
  end if;
end $$;

create function require_run(execution text, run text) returns void language plpgsql as $$
declare
  current_run text;
begin
  select temporal_run into current_run from executions where id = execution;
  if not found then
    raise exception 'there is no execution %', execution using errcode = 'HF002';
  elsif current_run <> run then
    raise exception 'the execution % is written by another run', execution using errcode = 'HF001';
  end if;
end $$;

create table executions (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  workflow_id text not null,
  workflow_name text not null,
  version int not null,
  plan_hash text not null,
  mode text not null check (mode in ('sync', 'async')),
  trigger text not null,
  actor json not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'paused', 'completed', 'failed', 'cancelled')),
  -- A child run: who began it, under which outermost run, and how many runs lie above it.
  parent_id text references executions (id) on delete cascade,
  root_id text references executions (id) on delete cascade,
  depth int not null default 0,
  inputs json not null,
  output json,
  failure json,
  response json,
  created_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  completed_at timestamptz(3),
  updated_at timestamptz(3) not null default now(),
  cancel_requested_at timestamptz(3),
  -- The one Temporal run whose records count; a reset makes another one of the same workflow id.
  temporal_run text,
  -- When the outbox may look again at a row that the engine did not take.
  next_delivery_at timestamptz(3) not null default now() + interval '00:00:03',
  delivery_attempts int not null default 0,
  -- Until when a caller in another process waits for the execution to settle: nobody is notified of the others.
  awaited_until timestamptz(3),
  duration_ms bigint generated always as (((extract(epoch from (completed_at - started_at)) * (1000)::numeric))::bigint) stored,
  -- The call that started the execution, as its trace names it; null when it belongs to none.
  origin json,
  -- Set before the first part of an execution is deleted apart from it: no reset may open it again.
  forgotten_at timestamptz(3),
  active_ms_max int check (active_ms_max > 0)
) with (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_insert_scale_factor='0.02');
comment on table executions is 'One execution from its acceptance to its end. The API answers from this row, never from Temporal.';
-- The outbox has few rows beside the open executions.
create index executions_due on executions (next_delivery_at) where (status in ('queued', 'running', 'paused')) and ((status = 'queued') or (cancel_requested_at is not null));
-- What may be forgotten, oldest first.
create index executions_ended on executions (completed_at) where status in ('completed', 'failed', 'cancelled');
create index executions_forgotten on executions (forgotten_at) where forgotten_at is not null;
create index executions_list_duration on executions (workspace_id, duration_ms) include (created_at, id) where duration_ms is not null;
create index executions_list_status on executions (workspace_id, status, created_at desc, id desc) include (trigger, duration_ms, workflow_id) where status in ('paused', 'failed', 'cancelled');
create index executions_list_trigger on executions (workspace_id, trigger, created_at desc, id desc) include (status, duration_ms, workflow_id) where trigger <> 'api';
create index executions_log_failed on executions (workflow_id, created_at desc, id desc) where status = 'failed';
-- The reconciler looks at what is paused less often than at what should move.
create index executions_moving on executions (updated_at) where status in ('queued', 'running');
create index executions_parent on executions (parent_id) where parent_id is not null;
create index executions_paused on executions (updated_at) where status = 'paused';
-- For the deletion of a root: without it each one reads the whole table for its children.
create index executions_root on executions (root_id) where root_id is not null;
create index executions_under_way on executions (workspace_id) where status in ('queued', 'running');
create index executions_waiting on executions (workflow_id, version, created_at) where status = 'paused';
create index executions_workflow on executions (workflow_id, created_at desc, id desc);
create index executions_workspace on executions (workspace_id, created_at desc, id desc);
create constraint trigger audit after update of cancel_requested_at on executions deferrable initially deferred for each row when (((old.cancel_requested_at is null) and (new.cancel_requested_at is not null))) execute function audit_row('execution', 'id', 'cancel_requested_at', ',cancel_requested,');
call pg_temp.system_rows('executions');
call pg_temp.tenant_rows('executions');
grant select, insert, delete, update on executions to holdfast_app;
grant select, delete, update on executions to holdfast_system;

create table visits (
  execution_id text not null references executions (id) on delete cascade,
  path text not null,
  -- That of its execution, with which it goes. A key to check for each row took a fifth of a record's time.
  workspace_id text not null,
  seq int not null,
  block_id text not null,
  name text not null,
  type text not null,
  status text not null,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  attempts int not null default 1,
  output json,
  failure json,
  port text,
  -- When the run, by its own clock, first and last recorded this visit; null while it was only begun.
  first_recorded_at timestamptz(3),
  recorded_at timestamptz(3),
  model text generated always as ( case when (type = 'llm') then left((output ->> 'model'), 200) end) stored,
  logs json,
  primary key (execution_id, path)
) with (autovacuum_vacuum_scale_factor='0.02');
comment on table visits is 'The block log: one row for each visit of a block by an execution.';
create index visits_log_model on visits (workspace_id, model, execution_id) where model is not null;
call pg_temp.tenant_rows('visits');
grant select, insert, delete, update on visits to holdfast_app;

create table payloads (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  execution_id text not null references executions (id) on delete cascade,
  body json not null,
  bytes int not null,
  created_at timestamptz(3) not null default now()
) with (autovacuum_vacuum_scale_factor='0.02');
comment on table payloads is 'Values that are too large to travel with a run. References in it name them.';
create index payloads_execution on payloads (execution_id);
create trigger count_storage after insert or delete or update of workspace_id, bytes on payloads for each row execute function count_payloads();
call pg_temp.tenant_rows('payloads');
grant select, insert, delete, update on payloads to holdfast_app;

create table effect_checkpoints (
  execution_id text not null references executions (id) on delete cascade,
  -- The Temporal run that asked for it, and the visit: all attempts of one visit have the same.
  call text not null,
  workspace_id text not null,
  -- Null only within the transaction that carries the effect out.
  output json,
  -- The Temporal run and the first visit of the chain; null for an effect with an activity of its own.
  chain text,
  committed_at timestamptz not null default now(),
  primary key (execution_id, call)
);
comment on table effect_checkpoints is 'The committed output of each effect, so that no attempt carries it out a second time.';
create index effect_checkpoints_chain on effect_checkpoints (execution_id, chain) where chain is not null;
call pg_temp.tenant_rows('effect_checkpoints');
grant select, insert, delete, update on effect_checkpoints to holdfast_app;

create table call_claims (
  execution_id text not null references executions (id) on delete cascade,
  -- The activity that carries the call: another one for each attempt that the block asks for, the same for Temporal's.
  call text not null,
  workspace_id text not null,
  -- The attempt that sends it.
  sender text not null,
  primary key (execution_id, call)
);
comment on table call_claims is 'Calls that must not be repeated: who claimed a row may send, once.';
call pg_temp.tenant_rows('call_claims');
grant select, insert, delete, update on call_claims to holdfast_app;

create table inline_start_outbox (
  execution_id text primary key references executions (id) on delete cascade,
  workspace_id text not null,
  -- True when the execution has ended: Temporal only shows it.
  ended boolean not null,
  -- What the Temporal run begins with, beside what the row of the execution says.
  start_input json not null,
  due_at timestamptz(3) not null
);
comment on table inline_start_outbox is 'The outbox of executions that ran inline in the API. Each row waits until Temporal has the execution.';
create index inline_start_outbox_due on inline_start_outbox (ended, due_at);
call pg_temp.system_rows('inline_start_outbox');
call pg_temp.tenant_rows('inline_start_outbox');
grant select, insert, delete, update on inline_start_outbox to holdfast_app;
grant select, delete, update on inline_start_outbox to holdfast_system;

create table deferrals (
  kind text not null,
  item text not null,
  failures int not null default 1,
  due_at timestamptz(3) not null,
  primary key (kind, item)
);
comment on table deferrals is 'Work that failed and was put off, with its next attempt.';
create index deferrals_due on deferrals (due_at);
call pg_temp.system_rows('deferrals');
grant select, insert, delete, update on deferrals to holdfast_system;
