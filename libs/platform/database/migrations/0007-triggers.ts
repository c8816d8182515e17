import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole, systemRole } from '../policies.ts';
import { migrationProcedures } from '../schema-files.ts';

/** Makes the tables of triggers and of their deliveries. */
export class Triggers1700000000007 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(migrationProcedures());
    await db.query(triggers);
    await db.query(deliveries);
    await db.query(`
      call pg_temp.tenant_rows('triggers');
      call pg_temp.system_rows('triggers');
      call pg_temp.tenant_rows('trigger_deliveries');
      call pg_temp.system_rows('trigger_deliveries');
      grant select, insert, update, delete on triggers, trigger_deliveries to ${appRole};
      grant select, update on triggers to ${systemRole};
      grant select, delete on trigger_deliveries to ${systemRole};`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const triggers = /* sql */ `
create table triggers (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  workflow_id text not null,
  kind text not null check (kind in ('webhook', 'schedule', 'form', 'event')),
  name text not null,
  status text not null default 'active' check (status in ('active', 'paused', 'disabled')),
  -- Why it is paused or disabled, in words.
  note text,
  -- Who made or changed it last. Its executions act for this principal.
  actor json not null,
  -- The template of the inputs; null: the body of the event is the inputs.
  inputs json,
  -- An expression over the event; nothing starts when it is false.
  filter text,
  -- The settings of a webhook, or of a schedule.
  webhook json,
  schedule json,
  -- The keyed hashes of the token in the address. The former one is valid until its end.
  token_digest text unique,
  former_token_digest text unique,
  former_token_until timestamptz(3),
  -- The sealed secrets that prove a sender. The former one is valid until its end.
  secret text,
  former_secret text,
  former_secret_until timestamptz(3),
  -- Changes with each change of the row that a delivery must know.
  revision int not null default 1,
  rotated_at timestamptz(3),
  -- Forged deliveries since the last accepted one.
  forgeries int not null default 0,
  -- Of a schedule: the next moment, null after the last one; when a worker next looks at it; moments that wait for a run; the runs so far.
  next_at timestamptz(3),
  due_at timestamptz(3),
  waiting json not null default '[]',
  runs int not null default 0,
  -- Until this time a worker has it in hand.
  claimed_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint triggers_name unique (workflow_id, name),
  constraint triggers_workflow foreign key (workspace_id, workflow_id) references workflows (workspace_id, id) on delete cascade
);
comment on table triggers is 'What starts a workflow by itself: an address for webhooks, or a schedule.';
create index triggers_page on triggers (workflow_id, created_at, id);
create index triggers_workspace on triggers (workspace_id);
create index triggers_due on triggers (due_at) where kind = 'schedule' and status = 'active';
create constraint trigger audit after insert or delete or update of name, status, note, actor, inputs, filter, webhook, schedule, rotated_at on triggers
  deferrable initially deferred for each row
  execute function audit_row('trigger', 'id', 'workflow_id,kind,name,status,note,actor,inputs,filter,webhook,schedule,rotated_at', 'created,updated,deleted');`;

const deliveries = /* sql */ `
create table trigger_deliveries (
  id text primary key,
  workspace_id text not null,
  trigger_id text not null references triggers (id) on delete cascade,
  source text not null check (source in ('sender', 'test', 'replay')),
  verdict text not null,
  -- Why it started nothing; null for an accepted delivery.
  error json,
  -- It outlives the execution, so it has no foreign key.
  execution_id text,
  -- The sender's id of the delivery; null when the sender gives none.
  sender_id text,
  -- The hash of query and body of a delivery without an id.
  content_hash text,
  headers json not null,
  query json not null,
  body text not null,
  bytes int generated always as (octet_length(body)) stored,
  content_type text,
  replay_of text,
  received_at timestamptz(3) not null default clock_timestamp()
);
comment on table trigger_deliveries is 'The log of what came to a trigger, and what it started. An accepted delivery is committed with its execution.';
-- One delivery starts one execution.
create unique index trigger_deliveries_once on trigger_deliveries (trigger_id, sender_id) where verdict = 'accepted' and sender_id is not null;
create index trigger_deliveries_content on trigger_deliveries (trigger_id, content_hash, received_at) where content_hash is not null;
create index trigger_deliveries_page on trigger_deliveries (trigger_id, id);
create index trigger_deliveries_verdict on trigger_deliveries (trigger_id, verdict, id);
create index trigger_deliveries_old on trigger_deliveries (received_at);
create index trigger_deliveries_replays on trigger_deliveries (replay_of) where replay_of is not null;
-- A small body costs less than the row that would count it.
create trigger count_storage after insert on trigger_deliveries for each row when (new.bytes > 4096) execute function count_payloads();
create trigger count_storage_gone after delete on trigger_deliveries for each row when (old.bytes > 4096) execute function count_payloads();`;
