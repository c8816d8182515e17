import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole, systemRole } from '../policies.ts';
import { migrationProcedures } from '../schema-files.ts';

/**
 * Makes the tables of events for other servers, and the triggers that write them in the transaction of what they tell of. A trigger
 * costs an installation without endpoints one look-up.
 */
export class EventsOut1700000000008 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(migrationProcedures());
    await db.query(tables);
    const policies = ['endpoints', 'events', 'event_deliveries'].map(
      (table) => `call pg_temp.tenant_rows('${table}'); call pg_temp.system_rows('${table}');
        grant select, insert, update, delete on ${table} to ${appRole};`,
    );
    await db.query(policies.join('\n'));
    await db.query(`
      grant select, update on endpoints to ${systemRole};
      grant select, insert, update, delete on events, event_deliveries to ${systemRole};`);
    await db.query(functions);
    await db.query(triggers);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const tables = /* sql */ `
alter table executions
  -- The address that hears of this one execution, chosen by its caller.
  add column callback_url text;
create table endpoints (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  url text not null,
  description text not null default '',
  -- Empty: events of every type, and of every workflow.
  types text[] not null default '{}',
  workflow_ids text[] not null default '{}',
  enabled boolean not null default true,
  -- Why it is disabled: by a person, because the receiver is gone, or because it failed for days.
  disabled_reason text,
  -- The secrets are sealed. Both sign for a day after a rotation.
  secret text not null,
  former_secret text,
  rotated_at timestamptz(3),
  -- Since when no delivery has succeeded; null after a success.
  failing_since timestamptz(3),
  -- The receiver asked for no call before this time.
  slowed_until timestamptz(3),
  last_delivered_at timestamptz(3),
  last_failed_at timestamptz(3),
  last_error text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
comment on table endpoints is 'Servers of users that hear of events of a workspace.';
create index endpoints_workspace on endpoints (workspace_id, created_at, id);
create constraint trigger audit after insert or delete or update of url, description, types, workflow_ids, enabled on endpoints deferrable initially deferred for each row execute function audit_row('endpoint', 'id', 'url,description,types,workflow_ids,enabled,disabled_reason', 'created,updated,deleted');
create constraint trigger audit_rotation after update of rotated_at on endpoints deferrable initially deferred for each row execute function audit_row('endpoint', 'id', 'rotated_at', ',secret_rotated,');

create table events (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  type text not null,
  workflow_id text,
  -- The outermost execution. It has no foreign key, because an event may be sent after its execution is deleted.
  execution_id text,
  -- The place among the events of the execution, from 1. It is set when the transaction ends.
  sequence int,
  -- The order of events that one transaction writes about one execution.
  rank smallint not null default 0,
  callback_url text,
  data json not null,
  at timestamptz(3) not null default clock_timestamp()
);
comment on table events is 'What happened in a workspace with an endpoint. A row is committed together with what it tells of.';
create unique index events_sequence on events (execution_id, sequence) where execution_id is not null;
create index events_replay on events (workspace_id, at, id);
create index events_old on events (at);

create table event_deliveries (
  id text primary key,
  workspace_id text not null,
  -- Null for the callback of one execution.
  endpoint_id text references endpoints (id) on delete cascade,
  event_id text not null references events (id) on delete cascade,
  url text,
  execution_id text,
  sequence int,
  -- The deliveries of one execution to one receiver follow each other.
  lane text generated always as (coalesce(endpoint_id, '') || ' ' || execution_id) stored,
  status text not null default 'pending' check (status in ('pending', 'held', 'delivered', 'failed')),
  attempts int not null default 0,
  due_at timestamptz(3) not null default now(),
  last_status int,
  last_error text,
  -- The latest attempts, the oldest first.
  log jsonb not null default '[]',
  created_at timestamptz(3) not null default clock_timestamp(),
  settled_at timestamptz(3)
);
comment on table event_deliveries is 'The outbox of events: one row for each receiver of an event, with its attempts.';
create unique index event_deliveries_once on event_deliveries (endpoint_id, event_id);
create index event_deliveries_event on event_deliveries (event_id);
create index event_deliveries_due on event_deliveries (workspace_id, due_at) where status = 'pending';
create index event_deliveries_lane on event_deliveries (lane, sequence) where status = 'pending';
create index event_deliveries_list on event_deliveries (workspace_id, created_at desc, id desc);
create index event_deliveries_endpoint on event_deliveries (endpoint_id, created_at desc, id desc);`;

/**
 * `record_event` writes an event when an endpoint or a callback wants it. `place_event` runs at the end of the transaction: it numbers
 * the events of an execution in the order of commits, and makes the deliveries.
 */
const functions = /* sql */ `
create function wants_event(endpoint endpoints, event_type text, of_workflow text) returns boolean language sql immutable as $$
  select (cardinality(endpoint.types) = 0 or event_type = any (endpoint.types))
    and (cardinality(endpoint.workflow_ids) = 0 or of_workflow is null or of_workflow = any (endpoint.workflow_ids))
$$;

create function record_event(of_workspace text, event_type text, of_workflow text, of_execution text, event_rank int, callback text, event_data json, event_id text default null) returns void language plpgsql as $$
begin
  insert into events (id, workspace_id, type, workflow_id, execution_id, rank, callback_url, data)
  select coalesce(event_id, 'evt_' || replace(gen_random_uuid()::text, '-', '')), of_workspace, event_type, of_workflow, of_execution,
    event_rank, callback, event_data
  where callback is not null
    or exists (select from endpoints e where e.workspace_id = of_workspace and wants_event(e, event_type, of_workflow))
  on conflict (id) do nothing;
end $$;

create function place_event() returns trigger language plpgsql as $$
begin
  if new.execution_id is not null then
    perform pg_advisory_xact_lock(hashtextextended('events of ' || new.execution_id, 0));
    update events v set sequence = placed.sequence from (
      select u.id, coalesce((select max(w.sequence) from events w where w.execution_id = new.execution_id), 0)
        + row_number() over (order by u.rank, u.at, u.id) as sequence
      from events u where u.execution_id = new.execution_id and u.sequence is null
    ) placed where v.id = placed.id;
  end if;
  insert into event_deliveries (id, workspace_id, endpoint_id, event_id, url, execution_id, sequence, due_at)
  select 'dlv_' || replace(gen_random_uuid()::text, '-', ''), v.workspace_id, receiver.id, v.id, receiver.url, v.execution_id, v.sequence,
    greatest(now(), receiver.slowed_until)
  from events v, lateral (
    select e.id, null as url, e.slowed_until from endpoints e
    where e.workspace_id = v.workspace_id and e.enabled and wants_event(e, v.type, v.workflow_id)
    union all select null, v.callback_url, null where v.callback_url is not null
  ) receiver where v.id = new.id;
  return null;
end $$;
create constraint trigger place after insert on events deferrable initially deferred for each row when (new.type <> 'endpoint.tested') execute function place_event();

create function event_time(moment timestamptz) returns text language sql stable as $$
  select to_char(moment at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

create function tell_execution() returns trigger language plpgsql as $$
declare
  run json;
begin
  if new.callback_url is null and not exists (select from endpoints e where e.workspace_id = new.workspace_id) then return null; end if;
  run := json_build_object('executionId', new.id, 'workflowId', new.workflow_id, 'workflowName', new.workflow_name, 'version', new.version,
    'status', new.status, 'mode', new.mode, 'trigger', new.trigger, 'startedAt', event_time(new.started_at),
    'completedAt', event_time(new.completed_at), 'durationMs', new.duration_ms,
    'failure', case when new.status = 'failed' then json_build_object('code', new.failure ->> 'code',
      'message', left(new.failure ->> 'message', 1000), 'blockId', new.failure ->> 'blockId') end);
  if tg_op = 'UPDATE' and (new.status = 'running' or (old.status = 'paused' and new.status <> 'cancelled')) then
    perform record_event(new.workspace_id, 'execution.resumed', new.workflow_id, new.id, 2, new.callback_url, run);
  end if;
  if new.status <> 'running' then
    perform record_event(new.workspace_id, 'execution.' || new.status, new.workflow_id, new.id, 4, new.callback_url, run);
  end if;
  return null;
end $$;

create function tell_pause(pause pause_points, event_type text, event_rank int, more json default null, event_id text default null) returns void language plpgsql as $$
declare
  run record;
begin
  select e.workflow_id, e.workflow_name, e.version, e.callback_url into run from executions e where e.id = pause.root_id;
  if run.callback_url is null and not exists (select from endpoints e where e.workspace_id = pause.workspace_id) then return; end if;
  perform record_event(pause.workspace_id, event_type, run.workflow_id, pause.root_id, event_rank,
    case when event_type like 'execution.%' then run.callback_url end,
    json_build_object('executionId', pause.root_id, 'workflowId', run.workflow_id, 'workflowName', run.workflow_name, 'version', run.version,
      'contextId', pause.context_id, 'blockId', pause.block_id, 'title', left(pause.display ->> 'title', 300),
      'pausedAt', event_time(pause.registered_at), 'expiresAt', event_time(pause.expires_at), 'occasion', more),
    event_id);
end $$;

create function tell_pause_point() returns trigger language plpgsql as $$
begin
  if new.resume_status = 'paused' then perform tell_pause(new, 'execution.paused', 3);
  elsif new.resume_status = 'resumed' then perform tell_pause(new, 'pause.answered', 1);
  else perform tell_pause(new, 'pause.expired', 1);
  end if;
  return null;
end $$;

-- A reminder has a notice for each person, and one event.
create function tell_reminder() returns trigger language plpgsql as $$
declare
  pause pause_points;
begin
  select * into pause from pause_points p where p.context_id = new.context_id;
  perform tell_pause(pause, 'pause.reminded', 1, to_json(new.occasion), 'evt_' || md5(new.context_id || ' ' || new.occasion));
  return null;
end $$;

create function tell_document() returns trigger language plpgsql as $$
begin
  if not exists (select from endpoints e where e.workspace_id = new.workspace_id) then return null; end if;
  perform record_event(new.workspace_id, case new.status when 'completed' then 'document.processed' else 'document.failed' end, null, null, 0, null,
    json_build_object('documentId', new.id, 'knowledgeBaseId', (select b.id from knowledge_bases b where b.no = new.base_no),
      'filename', left(new.filename, 300), 'status', new.status, 'chunkCount', new.chunk_count, 'errorCode', new.error_code,
      'error', left(new.error, 1000)));
  return null;
end $$;

create function tell_import() returns trigger language plpgsql as $$
begin
  if not exists (select from endpoints e where e.workspace_id = new.workspace_id) then return null; end if;
  perform record_event(new.workspace_id, 'table.import.' || new.status, null, null, 0, null,
    json_build_object('importId', new.id, 'tableId', new.table_id, 'status', new.status, 'lineCount', new.line_count,
      'insertedCount', new.inserted_count, 'refusedCount', new.refused_count, 'error', left(new.error, 1000)));
  return null;
end $$;

create function tell_live_version() returns trigger language plpgsql as $$
begin
  if not exists (select from endpoints e where e.workspace_id = new.workspace_id) then return null; end if;
  perform record_event(new.workspace_id, 'workflow.' || case
      when new.live_version is null then 'undeployed'
      when exists (select from activations a where a.workflow_id = new.id and a.version = new.live_version) then 'rolled_back'
      else 'deployed' end,
    new.id, null, 0, null, json_build_object('workflowId', new.id, 'workflowName', new.name, 'version', new.live_version,
      'formerVersion', old.live_version));
  return null;
end $$;`;

/** Children tell nothing: what concerns them is told of their outermost execution. */
const triggers = /* sql */ `
create trigger tell_end after insert on executions for each row
  when (new.parent_id is null and new.status in ('completed', 'failed', 'cancelled')) execute function tell_execution();
create trigger tell_change after update of status on executions for each row
  when (new.parent_id is null and old.status <> new.status
    and (new.status in ('completed', 'failed', 'cancelled') or (new.status = 'running' and old.status <> 'queued'))) execute function tell_execution();
create trigger tell_opened after insert on pause_points for each row
  when (new.resume_status = 'paused') execute function tell_pause_point();
create trigger tell_closed after update of resume_status on pause_points for each row
  when (old.resume_status <> new.resume_status and new.resume_status in ('paused', 'resumed', 'expired')) execute function tell_pause_point();
create trigger tell after insert on notices for each row when (new.occasion like 'reminder%') execute function tell_reminder();
create trigger tell after update of status on documents for each row
  when (old.status <> new.status and new.status in ('completed', 'failed')) execute function tell_document();
create trigger tell after update of status on table_imports for each row
  when (old.status <> new.status and new.status in ('completed', 'failed')) execute function tell_import();
create trigger tell after update of live_version on workflows for each row
  when (old.live_version is distinct from new.live_version) execute function tell_live_version();`;
