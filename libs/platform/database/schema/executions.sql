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
  -- A transaction that commits an answer locks this row, so this waits for it.
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
  -- For a child run: its parent, its outermost run, and how many runs are above it.
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
  -- Only records of this Temporal run are valid. A reset makes another Temporal run with the same workflow id.
  temporal_run text,
  -- When the outbox next tries to deliver this row to Temporal.
  next_delivery_at timestamptz(3) not null default now() + interval '00:00:03',
  delivery_attempts int not null default 0,
  -- Until this time a caller in another process waits until the execution has settled. Otherwise no notice is sent.
  awaited_until timestamptz(3),
  duration_ms bigint generated always as (((extract(epoch from (completed_at - started_at)) * (1000)::numeric))::bigint) stored,
  -- The request id and trace of the call that started the execution; null without a call.
  origin json,
  -- Set before the first rows of the execution are deleted. After this, a reset must not reopen it.
  forgotten_at timestamptz(3),
  active_ms_max int check (active_ms_max > 0)
) with (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_insert_scale_factor='0.02');
comment on table executions is 'One execution from its acceptance to its end. The API answers from this row, never from Temporal.';
-- The index of the outbox. Few open executions are in it.
create index executions_due_by_workspace on executions (workspace_id, next_delivery_at) where (status in ('queued', 'running', 'paused')) and ((status = 'queued') or (cancel_requested_at is not null));
create index executions_due on executions (next_delivery_at) where (status in ('queued', 'running', 'paused')) and ((status = 'queued') or (cancel_requested_at is not null));
-- For retention: ended executions, the oldest first.
create index executions_ended on executions (completed_at) where status in ('completed', 'failed', 'cancelled');
create index executions_forgotten on executions (forgotten_at) where forgotten_at is not null;
create index executions_list_duration on executions (workspace_id, duration_ms) include (created_at, id) where duration_ms is not null;
create index executions_list_status on executions (workspace_id, status, created_at desc, id desc) include (trigger, duration_ms, workflow_id) where status in ('paused', 'failed', 'cancelled');
create index executions_list_trigger on executions (workspace_id, trigger, created_at desc, id desc) include (status, duration_ms, workflow_id) where trigger <> 'api';
create index executions_log_failed on executions (workflow_id, created_at desc, id desc) where status = 'failed';
-- For the reconciler. It checks paused executions less often than these.
create index executions_moving on executions (updated_at) where status in ('queued', 'running');
create index executions_parent on executions (parent_id) where parent_id is not null;
create index executions_paused on executions (updated_at) where status = 'paused';
-- For the deletion of a root. Without this index, each deletion reads the whole table to find the children.
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

create table child_line (
  execution_id text primary key references executions (id) on delete cascade,
  workspace_id text not null,
  root_id text not null,
  next_delivery_at timestamptz(3) not null default now()
);
comment on table child_line is 'The runs that wait until another child of theirs may begin. A run is in it once, however many of its children wait.';
create index child_line_due on child_line (next_delivery_at);
call pg_temp.tenant_rows('child_line');
call pg_temp.system_rows('child_line');
grant select, insert, delete, update on child_line to holdfast_app;
grant select, delete, update on child_line to holdfast_system;

create table visits (
  execution_id text not null references executions (id) on delete cascade,
  path text not null,
  -- The workspace of the execution. It has no foreign key, because its check took a fifth of the time of a record.
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
  -- When the run first and last recorded this visit, by the run's own clock. Null while it has only begun.
  first_recorded_at timestamptz(3),
  recorded_at timestamptz(3),
  model text generated always as ( case when (type = 'llm') then left((output ->> 'model'), 200) end) stored,
  logs json,
  -- How many workers failed when an attempt at this visit had just ended.
  worker_ends smallint not null default 0,
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
  -- The Temporal run and the visit of the effect. All attempts of a visit have the same value.
  call text not null,
  workspace_id text not null,
  -- Null only during the transaction that carries out the effect.
  output json,
  -- The Temporal run and the first visit of the effect chain; null for an effect that has its own activity.
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
  -- The activity of the call. Each retry of the block has its own activity; a retry by Temporal has the same.
  call text not null,
  workspace_id text not null,
  -- The attempt that sends the call.
  sender text not null,
  primary key (execution_id, call)
);
comment on table call_claims is 'Calls that must not be repeated. The attempt that claims a row may send its call once.';
call pg_temp.tenant_rows('call_claims');
grant select, insert, delete, update on call_claims to holdfast_app;

create table inline_start_outbox (
  execution_id text primary key references executions (id) on delete cascade,
  workspace_id text not null,
  -- True when the execution has ended. Then Temporal gets it only so that its UI shows it.
  ended boolean not null,
  -- The input of the Temporal run, apart from the values in the row of the execution.
  start_input json not null,
  due_at timestamptz(3) not null
);
comment on table inline_start_outbox is 'The outbox of executions that ran inline in the API. Each row waits until Temporal has the execution.';
create index inline_start_outbox_open on inline_start_outbox (workspace_id, due_at) where not ended;
create index inline_start_outbox_ended on inline_start_outbox (workspace_id, due_at) where ended;
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
