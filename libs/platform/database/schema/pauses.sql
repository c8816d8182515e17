create function count_pauses() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.resume_status = new.resume_status then return null; end if;
  update paused_executions set
    total_pause_count = total_pause_count + (new.resume_status <> 'failed')::int
      - coalesce((old.resume_status <> 'failed')::int, 0),
    resumed_count = resumed_count + (new.resume_status = 'resumed')::int - coalesce((old.resume_status = 'resumed')::int, 0),
    cancelled_count = cancelled_count + (new.resume_status = 'cancelled')::int
      - coalesce((old.resume_status = 'cancelled')::int, 0)
  where id = new.paused_execution_id;
  return null;
end $$;

create function note_asked_people() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then delete from asked_people where context_id = new.context_id; end if;
  if new.resume_status = 'paused' and new.asking is not null then
    insert into asked_people (context_id, workspace_id, name, registered_at)
    select new.context_id, new.workspace_id, name, new.registered_at from (
      select lower(jsonb_array_elements_text(coalesce(new.asking::jsonb #> '{approvals,assignees}', '[]'))) as name
      union select 'role:' || jsonb_array_elements_text(coalesce(new.asking::jsonb #> '{approvals,roles}', '[]'))
      union select to_name from delegations where context_id = new.context_id
    ) asked;
  end if;
  return null;
end $$;

create function note_delegate() returns trigger language plpgsql as $$
begin
  insert into asked_people (context_id, workspace_id, name, registered_at)
  select context_id, workspace_id, new.to_name, registered_at from pause_points
  where context_id = new.context_id and resume_status = 'paused'
  on conflict do nothing;
  return null;
end $$;

create table paused_executions (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  workflow_id text not null,
  execution_id text not null unique references executions (id) on delete cascade,
  status text not null default 'paused' check (status in ('paused', 'partially_resumed', 'fully_resumed', 'expired', 'cancelled')),
  total_pause_count int not null default 0,
  resumed_count int not null default 0,
  paused_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  metadata json,
  snapshot json,
  cancelled_count int not null default 0,
  -- The resume point. It is set only while the run waits for one answer and nothing else.
  resume_point json,
  -- The answer that the API applied inline, without the Temporal run. Null once the Temporal run has recorded it.
  applied_inline text
);
comment on table paused_executions is 'One row for each execution that ever paused, with counters over its pause points.';
create index paused_workflow on paused_executions (workflow_id, paused_at desc, id desc);
create index paused_workspace on paused_executions (workspace_id, paused_at desc, id desc);
call pg_temp.system_rows('paused_executions');
call pg_temp.tenant_rows('paused_executions');
grant select, insert, delete, update on paused_executions to holdfast_app;
grant select, update on paused_executions to holdfast_system;

create table pause_points (
  context_id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  -- The run that asks, and its outermost run. People find the pause under the outermost run.
  execution_id text not null references executions (id) on delete cascade,
  root_id text not null references executions (id) on delete cascade,
  paused_execution_id text not null references paused_executions (id) on delete cascade,
  path text not null,
  block_id text not null,
  resume_status text not null default 'paused' check (resume_status in ('paused', 'queued', 'resuming', 'resumed', 'expired', 'cancelled', 'failed')),
  display json not null,
  form json not null,
  -- The people who are asked and notified, and the required votes. Null: everybody who may execute may answer.
  asking json,
  registered_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  -- When the run recorded that the pause opened, and that it closed, by the run's own clock.
  recorded_at timestamptz(3) not null default now(),
  closed_at timestamptz(3),
  -- The size of the pause as a person sees it, so that a list can end before it is too large.
  bytes int not null default 0,
  constraint pause_points_execution_id_path_key unique (execution_id, path)
);
comment on table pause_points is 'One open or closed question to people. Its context id is in every link to it.';
create index pause_points_asking on pause_points (workspace_id, registered_at, context_id) where (resume_status = 'paused') and (asking is not null);
create index pause_points_open on pause_points (workspace_id, registered_at, context_id) where resume_status = 'paused';
create index pause_points_paused on pause_points (paused_execution_id);
create index pause_points_root on pause_points (root_id);
create index pause_points_unresolved on pause_points (root_id, registered_at, context_id) where resume_status in ('paused', 'queued', 'resuming');
create trigger count_closed after update of resume_status on pause_points for each row when (((new.resume_status in ('resumed', 'cancelled', 'failed')) or (old.resume_status in ('resumed', 'cancelled', 'failed')))) execute function count_pauses();
create trigger count_opened after insert on pause_points for each row execute function count_pauses();
create trigger note_asked_people after insert or update of resume_status, asking on pause_points for each row execute function note_asked_people();
call pg_temp.tenant_rows('pause_points');
grant select, insert, delete, update on pause_points to holdfast_app;

create table resume_entries (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  execution_id text not null references executions (id) on delete cascade,
  paused_execution_id text not null references paused_executions (id) on delete cascade,
  new_execution_id text not null unique,
  context_id text not null references pause_points (context_id) on delete cascade,
  resume_input json,
  status text not null default 'pending' check (status in ('pending', 'claimed', 'completed', 'failed')),
  mode text not null check (mode in ('sync', 'async')),
  actor json not null,
  -- The person who answered a pause that only certain people may answer: id and names.
  person json,
  queued_at timestamptz(3) not null default now(),
  claimed_at timestamptz(3),
  completed_at timestamptz(3),
  failure_reason text,
  next_delivery_at timestamptz(3) not null default now() + interval '00:00:03',
  acknowledged_at timestamptz(3),
  -- When the API applied this answer inline; null when the Temporal run did.
  applied_at timestamptz(3)
);
comment on table resume_entries is 'One answer to a pause. It is committed before the run learns of it.';
-- These two indexes are for the deletion of pauses and executions.
create index resume_entries_context on resume_entries (context_id);
create index resume_entries_execution on resume_entries (execution_id, queued_at);
-- A pause accepts one answer, or one answer from each person. A failed answer does not count. When two answers arrive at once,
-- one is accepted.
create unique index resume_entries_once on resume_entries (context_id, COALESCE((person ->> 'id'), '')) where status <> 'failed';
create index resume_entries_paused on resume_entries (paused_execution_id);
create index resume_entries_pending on resume_entries (next_delivery_at) where status = 'pending';
create index resume_entries_unsent on resume_entries (workspace_id, next_delivery_at) where acknowledged_at is null and status <> 'failed';
create index resume_entries_unacknowledged on resume_entries (next_delivery_at) where acknowledged_at is null;
create constraint trigger audit after insert on resume_entries deferrable initially deferred for each row execute function audit_row('answer', 'id', 'execution_id,context_id,mode', 'given,,');
call pg_temp.system_rows('resume_entries');
call pg_temp.tenant_rows('resume_entries');
grant select, insert, delete, update on resume_entries to holdfast_app;
grant select, update on resume_entries to holdfast_system;

create table delegations (
  context_id text not null references pause_points (context_id) on delete cascade,
  workspace_id text not null references workspaces (id) on delete cascade,
  from_id text not null,
  from_names text[] not null,
  to_name text not null,
  note text not null default '',
  actor json not null,
  created_at timestamptz(3) not null default now(),
  primary key (context_id, from_id, to_name)
);
comment on table delegations is 'Delegations: one person gave a pause to another.';
create trigger note_delegate after insert on delegations for each row execute function note_delegate();
call pg_temp.tenant_rows('delegations');
grant select, insert, delete, update on delegations to holdfast_app;

create table asked_people (
  context_id text not null references pause_points (context_id) on delete cascade,
  workspace_id text not null references workspaces (id) on delete cascade,
  name text not null,
  registered_at timestamptz(3) not null,
  primary key (context_id, name)
);
comment on table asked_people is 'The people whom an open pause asks, for the inbox.';
create index asked_people_inbox on asked_people (workspace_id, name, registered_at, context_id);
call pg_temp.tenant_rows('asked_people');
grant select, insert, delete, update on asked_people to holdfast_app;

create table notices (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  context_id text not null references pause_points (context_id) on delete cascade,
  occasion text not null,
  channel text not null check (channel in ('email', 'webhook')),
  target text not null,
  status text not null default 'pending' check (status in ('pending', 'sent', 'dropped', 'failed')),
  attempts int not null default 0,
  last_error text,
  created_at timestamptz(3) not null default now(),
  sent_at timestamptz(3),
  due_at timestamptz(3) not null default now(),
  constraint notices_context_id_occasion_channel_target_key unique (context_id, occasion, channel, target)
);
comment on table notices is 'The outbox of messages about pauses: one row for each receiver and occasion.';
create index notices_due on notices (workspace_id, due_at) where status = 'pending';
call pg_temp.system_rows('notices');
call pg_temp.tenant_rows('notices');
grant select, insert, delete, update on notices to holdfast_app;
grant select, update on notices to holdfast_system;
