import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy, systemPolicy } from '../policies.ts';
import { pauses } from './0001-pauses.ts';

/** Workspaces, people, keys; workflows and their versions; executions, pauses and all that hangs on them. */
export class Foundation1700000000001 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(people);
    await db.query(workflows);
    await db.query(executions);
    await db.query(pauses);
    await db.query(limits);
    for (const table of tenantTables) await db.query(tenantPolicy(table));
    for (const table of systemTables) await db.query(systemPolicy(table));
    await db.query(memberOnlyUsers);
    await db.query(grants);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

// Times have the precision of JavaScript's: a cursor that loses digits on the way would repeat or skip rows.
const people = /* sql */ `
create table workspaces (
  id text primary key,
  name text not null,
  plan text not null default 'self_hosted',
  personal_keys_allowed boolean not null default true,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create table users (
  id text primary key,
  email text not null,
  name text not null,
  created_at timestamptz(3) not null default now()
);
create unique index users_email on users (lower(email));
create table memberships (
  workspace_id text not null references workspaces on delete cascade,
  user_id text not null references users on delete cascade,
  role text not null check (role in ('admin', 'editor', 'viewer')),
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, user_id)
);
create index memberships_user on memberships (user_id);
create table api_keys (
  id text primary key,
  -- Null for a personal key: it reaches every workspace of its user.
  workspace_id text references workspaces on delete cascade,
  user_id text references users on delete cascade,
  kind text not null check (kind in ('personal', 'workspace')),
  role text not null check (role in ('admin', 'editor', 'viewer')),
  name text not null,
  digest text not null unique,
  hint text not null,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  check ((kind = 'workspace') = (workspace_id is not null)),
  check ((kind = 'personal') = (user_id is not null))
);
create index api_keys_workspace on api_keys (workspace_id);
create index api_keys_user on api_keys (user_id);
create table data_keys (
  workspace_id text not null references workspaces on delete cascade,
  version integer not null,
  wrapped text not null,
  primary key (workspace_id, version)
);
create table secrets (
  workspace_id text not null references workspaces on delete cascade,
  name text not null,
  sealed text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, name)
);`;

const workflows = /* sql */ `
create table workflows (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  name text not null,
  description text not null default '',
  definition json not null,
  definition_hash text not null,
  live_version integer,
  deployed_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (workspace_id, id)
);
create unique index workflows_name on workflows (workspace_id, lower(name));
create index workflows_page on workflows (workspace_id, created_at, id);
create table plans (
  workspace_id text not null references workspaces on delete cascade,
  hash text not null,
  plan json not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, hash)
);
create table deployments (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  workflow_id text not null,
  version integer not null,
  name text not null default '',
  description text not null default '',
  definition json not null,
  definition_hash text not null,
  plan_hash text not null,
  warnings json not null default '[]',
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  unique (workflow_id, version),
  foreign key (workspace_id, workflow_id) references workflows (workspace_id, id) on delete cascade
);
-- The history of the live pointer: rollback without a version goes back along it, never by number.
create table activations (
  id bigint generated always as identity primary key,
  workspace_id text not null references workspaces on delete cascade,
  workflow_id text not null,
  version integer,
  actor text not null,
  created_at timestamptz(3) not null default now(),
  foreign key (workspace_id, workflow_id) references workflows (workspace_id, id) on delete cascade
);
create index activations_workflow on activations (workflow_id, id);`;

const executions = /* sql */ `
create table executions (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  workflow_id text not null,
  workflow_name text not null,
  version integer not null,
  plan_hash text not null,
  mode text not null check (mode in ('sync', 'async')),
  trigger text not null,
  actor json not null,
  status text not null default 'queued'
    check (status in ('queued', 'running', 'paused', 'completed', 'failed', 'cancelled')),
  -- A child run: who began it, under which outermost run, and how many runs lie above it.
  parent_id text references executions on delete cascade,
  root_id text references executions on delete cascade,
  depth integer not null default 0,
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
  -- When the relay may look again at a row that the engine did not take.
  relay_after timestamptz(3) not null default now() + interval '3 seconds',
  relayed integer not null default 0
);
create index executions_workspace on executions (workspace_id, created_at desc, id desc);
create index executions_workflow on executions (workflow_id, created_at desc, id desc);
-- The relay and the reconciler read only rows that are still open.
create index executions_open on executions (updated_at) where status in ('queued', 'running', 'paused');
-- What the relay has to hand over is little beside what is open.
create index executions_due on executions (relay_after)
  where status in ('queued', 'running', 'paused') and (status = 'queued' or cancel_requested_at is not null);
create index executions_waiting on executions (workflow_id, version, created_at) where status = 'paused';
create index executions_parent on executions (parent_id) where parent_id is not null;
-- What may be forgotten, oldest first.
create index executions_ended on executions (completed_at) where status in ('completed', 'failed', 'cancelled');
create table payloads (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  execution_id text not null references executions on delete cascade,
  body json not null,
  bytes integer not null,
  created_at timestamptz(3) not null default now()
);
create index payloads_execution on payloads (execution_id);
create table visits (
  execution_id text not null references executions on delete cascade,
  path text not null,
  -- That of its execution, with which it goes. A key to check for each row took a fifth of a record's time.
  workspace_id text not null,
  seq integer not null,
  block_id text not null,
  name text not null,
  type text not null,
  status text not null,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  attempts integer not null default 1,
  output json,
  failure json,
  port text,
  -- When the run, by its own clock, first and last recorded this visit; null while it was only begun.
  first_recorded_at timestamptz(3),
  recorded_at timestamptz(3),
  primary key (execution_id, path)
);
-- Raised inside the transaction of a record, so that nothing of a run that was replaced is written.
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
end $$;`;

const limits = /* sql */ `
create table rate_buckets (
  owner text not null,
  kind text not null check (kind in ('sync', 'async', 'api')),
  tokens double precision not null,
  updated_at timestamptz(3) not null,
  primary key (owner, kind)
);
create table usage_entries (
  id bigint generated always as identity primary key,
  workspace_id text not null references workspaces on delete cascade,
  execution_id text references executions on delete set null,
  actor text not null,
  cost numeric(14, 6) not null,
  created_at timestamptz(3) not null default now(),
  unique (execution_id)
);
create index usage_period on usage_entries (workspace_id, created_at);
create table idempotency_keys (
  workspace_id text not null references workspaces on delete cascade,
  route text not null,
  key text not null,
  fingerprint text not null,
  -- The id that the first request was given: a repeat after a crash makes the same thing, not a second one.
  resource_id text not null,
  status integer,
  answer json,
  locked_until timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, route, key)
);
create index idempotency_age on idempotency_keys (created_at);`;

const tenantTables = [
  'workspaces:id',
  'memberships',
  'api_keys',
  'data_keys',
  'secrets',
  'workflows',
  'plans',
  'deployments',
  'activations',
  'executions',
  'payloads',
  'visits',
  'paused_executions',
  'pause_points',
  'resume_entries',
  'delegations',
  'notices',
  'usage_entries',
  'idempotency_keys',
];

/** What the key lookup, the limiter, the relay and the reconciler must see across workspaces, and nothing else. */
const systemTables = [
  'workspaces',
  'users',
  'memberships',
  'api_keys',
  'executions',
  'paused_executions',
  'resume_entries',
  'notices',
  'rate_buckets',
  'usage_entries',
  'idempotency_keys',
];

const memberOnlyUsers = /* sql */ `
create policy members on users to holdfast_app
  using (exists (select 1 from memberships where memberships.user_id = users.id));`;

const grants = /* sql */ `
grant select, insert, update, delete on all tables in schema public to holdfast_app;
revoke all on rate_buckets, users, migrations from holdfast_app;
grant select on users to holdfast_app;
grant usage on all sequences in schema public to holdfast_app, holdfast_system;
grant select, insert, update, delete on workspaces, users, memberships, api_keys, rate_buckets to holdfast_system;
grant select, update on executions, paused_executions, resume_entries, notices to holdfast_system;
grant delete on executions to holdfast_system;
grant select on usage_entries to holdfast_system;
grant select, delete on idempotency_keys to holdfast_system;`;
