import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lets triggers hear of events, as endpoints do: an event is written when one of both wants it, and a trigger gets it by a delivery of the
 * same outbox. Adds the events of rows, which only triggers hear of, and those of triggers.
 */
export class EventTriggers1700000000016 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(columns);
    await db.query(functions);
    await db.query(guards);
    await db.query(triggers);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const columns = /* sql */ `
alter table triggers
  -- The events that start the workflow: their types, their workflows, their table.
  add column event jsonb;
drop trigger audit on triggers;
create constraint trigger audit after insert or delete or update of name, status, note, actor, inputs, filter, webhook, schedule, event, rotated_at on triggers
  deferrable initially deferred for each row
  execute function audit_row('trigger', 'id', 'workflow_id,kind,name,status,note,actor,inputs,filter,webhook,schedule,event,rotated_at', 'created,updated,deleted');
alter table event_deliveries
  -- The trigger that the event starts. It has no foreign key: a delivery for a deleted trigger starts nothing.
  add column trigger_id text;`;

/**
 * An event of a workflow starts the workflows that name it, or those that name none and are another one. Events of rows belong to a
 * table. The deliveries of triggers have no execution, so they wait for no earlier event.
 */
const functions = /* sql */ `
create function has_receivers(of_workspace text) returns boolean language sql stable as $$
  select exists (select from endpoints e where e.workspace_id = of_workspace)
    or exists (select from triggers t where t.workspace_id = of_workspace and t.kind = 'event')
$$;

create or replace function wants_event(endpoint endpoints, event_type text, of_workflow text) returns boolean language sql immutable as $$
  select event_type not like 'table.row.%'
    and (cardinality(endpoint.types) = 0 or event_type = any (endpoint.types))
    and (cardinality(endpoint.workflow_ids) = 0 or of_workflow is null or of_workflow = any (endpoint.workflow_ids))
$$;

create function starts_on(starter triggers, event_type text, of_workflow text, of_table text) returns boolean language sql immutable as $$
  select starter.event -> 'types' ? event_type
    and case when event_type like 'table.row.%' then starter.event ->> 'tableId' = of_table
      else of_workflow is null or case when starter.event -> 'workflowIds' = '[]' then of_workflow <> starter.workflow_id
        else starter.event -> 'workflowIds' ? of_workflow end end
$$;

create or replace function record_event(of_workspace text, event_type text, of_workflow text, of_execution text, event_rank int, callback text, event_data json, event_id text default null) returns void language plpgsql as $$
begin
  insert into events (id, workspace_id, type, workflow_id, execution_id, rank, callback_url, data)
  select coalesce(event_id, 'evt_' || replace(gen_random_uuid()::text, '-', '')), of_workspace, event_type, of_workflow, of_execution,
    event_rank, callback, event_data
  where callback is not null
    or exists (select from endpoints e where e.workspace_id = of_workspace and wants_event(e, event_type, of_workflow))
    or exists (select from triggers t where t.workspace_id = of_workspace and t.kind = 'event'
      and starts_on(t, event_type, of_workflow, event_data ->> 'tableId'))
  on conflict (id) do nothing;
end $$;

create or replace function place_event() returns trigger language plpgsql as $$
begin
  if new.execution_id is not null then
    perform pg_advisory_xact_lock(hashtextextended('events of ' || new.execution_id, 0));
    update events v set sequence = placed.sequence from (
      select u.id, coalesce((select max(w.sequence) from events w where w.execution_id = new.execution_id), 0)
        + row_number() over (order by u.rank, u.at, u.id) as sequence
      from events u where u.execution_id = new.execution_id and u.sequence is null
    ) placed where v.id = placed.id;
  end if;
  insert into event_deliveries (id, workspace_id, endpoint_id, trigger_id, event_id, url, execution_id, sequence, due_at)
  select 'dlv_' || replace(gen_random_uuid()::text, '-', ''), v.workspace_id, receiver.endpoint_id, receiver.trigger_id, v.id, receiver.url,
    case when receiver.trigger_id is null then v.execution_id end, case when receiver.trigger_id is null then v.sequence end,
    greatest(now(), receiver.slowed_until)
  from events v, lateral (
    select e.id as endpoint_id, null as trigger_id, null as url, e.slowed_until from endpoints e
    where e.workspace_id = v.workspace_id and e.enabled and wants_event(e, v.type, v.workflow_id)
    union all select null, t.id, null, null from triggers t
    where t.workspace_id = v.workspace_id and t.kind = 'event' and starts_on(t, v.type, v.workflow_id, v.data ->> 'tableId')
    union all select null, null, v.callback_url, null where v.callback_url is not null
  ) receiver where v.id = new.id;
  return null;
end $$;

-- Cells under the names of their columns; null when they are too large for an event.
create function name_cells(table_columns jsonb, cells jsonb) returns json language sql immutable as $$
  select case when octet_length(cells::text) <= 65536 then (
    select coalesce(json_object_agg(c ->> 'name', cells -> (c ->> 'id')), '{}') from jsonb_array_elements(table_columns) c) end
$$;

create function tell_row(of_table tables, event_type text, row_id uuid, of_execution text, cells jsonb, former jsonb) returns void language sql as $$
  select record_event(of_table.workspace_id, event_type, null, null, 0, null, json_build_object('tableId', of_table.id,
    'tableName', of_table.name, 'rowId', 'row_' || replace(row_id::text, '-', ''), 'executionId', of_execution,
    'row', name_cells(of_table.columns, cells), 'previous', name_cells(of_table.columns, former)))
$$;

create function is_watched(of_table tables) returns boolean language sql stable as $$
  select exists (select from triggers t where t.workspace_id = of_table.workspace_id and t.kind = 'event' and t.event ->> 'tableId' = of_table.id)
$$;

create function tell_rows() returns trigger language plpgsql as $$
begin
  if not exists (select from triggers t where t.kind = 'event' and t.event ->> 'tableId' is not null) then return null; end if;
  if tg_op = 'INSERT' then
    perform tell_row(b, 'table.row.inserted', r.id, r.execution_id, r.data, null)
    from added r join tables b on b.no = r.table_no where is_watched(b);
  elsif tg_op = 'UPDATE' then
    perform tell_row(b, 'table.row.updated', r.id, r.execution_id, r.data, f.data)
    from added r join gone f on f.table_no = r.table_no and f.id = r.id join tables b on b.no = r.table_no
    where is_watched(b) and r.data <> f.data;
  else
    perform tell_row(b, 'table.row.deleted', f.id, null, null, f.data) from gone f join tables b on b.no = f.table_no where is_watched(b);
  end if;
  return null;
end $$;

create function tell_trigger() returns trigger language plpgsql as $$
begin
  if not has_receivers(new.workspace_id) then return null; end if;
  perform record_event(new.workspace_id, 'trigger.disabled', new.workflow_id, null, 0, null, json_build_object('workflowId', new.workflow_id,
    'triggerId', new.id, 'triggerName', new.name, 'reason', left(new.note, 1000)));
  return null;
end $$;

create function tell_missed() returns trigger language plpgsql as $$
begin
  if not has_receivers(new.workspace_id) then return null; end if;
  perform record_event(new.workspace_id, 'trigger.missed', t.workflow_id, null, 0, null, json_build_object('workflowId', t.workflow_id,
    'triggerId', t.id, 'triggerName', t.name, 'scheduledAt', new.sender_id, 'reason', left(new.error ->> 'message', 1000)))
  from triggers t where t.id = new.trigger_id;
  return null;
end $$;`;

/** The functions of events that look for endpoints first look for triggers too. */
const guards = /* sql */ `
do $$
declare
  name text;
  former text;
  changed text;
begin
  foreach name in array array['tell_execution', 'tell_pause', 'tell_document', 'tell_import', 'tell_live_version'] loop
    select pg_get_functiondef(p.oid) into former from pg_proc p where p.proname = name and p.pronamespace = current_schema::regnamespace;
    changed := regexp_replace(former, 'exists \\(select from endpoints e where e\\.workspace_id = ((?:new|pause)\\.workspace_id)\\)',
      'has_receivers(\\1)');
    if changed = former then raise exception 'The function % looks for no endpoint.', name; end if;
    execute changed;
  end loop;
end $$;`;

const triggers = /* sql */ `
create trigger tell_inserted after insert on table_rows referencing new table as added for each statement execute function tell_rows();
create trigger tell_updated after update on table_rows referencing old table as gone new table as added for each statement execute function tell_rows();
create trigger tell_deleted after delete on table_rows referencing old table as gone for each statement execute function tell_rows();
create trigger tell after update of status on triggers for each row
  when (new.status = 'disabled' and old.status <> 'disabled') execute function tell_trigger();
create trigger tell after insert on trigger_deliveries for each row when (new.verdict = 'missed') execute function tell_missed();`;
