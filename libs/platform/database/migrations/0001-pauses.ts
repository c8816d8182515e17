/** The tables of pauses and of the people who are asked. */
export const pauses = /* sql */ `
create table paused_executions (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  workflow_id text not null,
  execution_id text not null unique references executions on delete cascade,
  status text not null default 'paused'
    check (status in ('paused', 'partially_resumed', 'fully_resumed', 'expired', 'cancelled')),
  total_pause_count integer not null default 0,
  resumed_count integer not null default 0,
  paused_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  metadata json,
  snapshot json
);
create index paused_workflow on paused_executions (workflow_id, paused_at desc, id desc);
create index paused_workspace on paused_executions (workspace_id, paused_at desc, id desc);
create table pause_points (
  context_id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  -- The run that asks, and the outermost run, under which people find it.
  execution_id text not null references executions on delete cascade,
  root_id text not null references executions on delete cascade,
  paused_execution_id text not null references paused_executions on delete cascade,
  path text not null,
  block_id text not null,
  resume_status text not null default 'paused'
    check (resume_status in ('paused', 'queued', 'resuming', 'resumed', 'expired', 'cancelled', 'failed')),
  display json not null,
  form json not null,
  -- Who is asked and told, and what the votes must come to; null where whoever may execute may answer.
  asking json,
  registered_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  -- When the run, by its own clock, recorded that it opened and that it closed.
  recorded_at timestamptz(3) not null default now(),
  closed_at timestamptz(3),
  unique (execution_id, path)
);
create index pause_points_paused on pause_points (paused_execution_id);
create index pause_points_root on pause_points (root_id);
create index pause_points_asking on pause_points (workspace_id, registered_at, context_id)
  where resume_status = 'paused' and asking is not null;
create index pause_points_open on pause_points (workspace_id, registered_at, context_id) where resume_status = 'paused';
create table resume_entries (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  execution_id text not null references executions on delete cascade,
  paused_execution_id text not null references paused_executions on delete cascade,
  new_execution_id text not null unique,
  context_id text not null references pause_points on delete cascade,
  resume_input json,
  status text not null default 'pending' check (status in ('pending', 'claimed', 'completed', 'failed')),
  mode text not null check (mode in ('sync', 'async')),
  actor json not null,
  -- Who answered a request that only certain people may answer: id and names.
  person json,
  queued_at timestamptz(3) not null default now(),
  claimed_at timestamptz(3),
  completed_at timestamptz(3),
  failure_reason text,
  relay_after timestamptz(3) not null default now() + interval '3 seconds'
);
-- An open or done answer of a pause is the only one, or the only one of its person: of two who answer at once one is accepted.
create unique index resume_entries_once on resume_entries (context_id, coalesce(person ->> 'id', '')) where status <> 'failed';
create index resume_entries_pending on resume_entries (relay_after) where status = 'pending';
-- These two for the deletion of what they refer to.
create index resume_entries_context on resume_entries (context_id);
create index resume_entries_paused on resume_entries (paused_execution_id);
create index resume_entries_execution on resume_entries (execution_id, queued_at);
-- Whoever may answer hands the request to another, who answers in their place.
create table delegations (
  context_id text not null references pause_points on delete cascade,
  workspace_id text not null references workspaces on delete cascade,
  from_id text not null,
  from_names text[] not null,
  to_name text not null,
  note text not null default '',
  actor json not null,
  created_at timestamptz(3) not null default now(),
  primary key (context_id, from_id, to_name)
);
-- What people and systems are told of a pause: committed with it, sent after it, again until it is taken.
create table notices (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  context_id text not null references pause_points on delete cascade,
  occasion text not null,
  channel text not null check (channel in ('email', 'webhook')),
  target text not null,
  status text not null default 'pending' check (status in ('pending', 'sent', 'dropped', 'failed')),
  attempts integer not null default 0,
  last_error text,
  created_at timestamptz(3) not null default now(),
  sent_at timestamptz(3),
  due_at timestamptz(3) not null default now(),
  unique (context_id, occasion, channel, target)
);
create index notices_due on notices (due_at) where status = 'pending';`;
