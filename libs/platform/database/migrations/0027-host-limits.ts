import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole, systemRole } from '../policies.ts';
import { migrationProcedures } from '../schema-files.ts';

/**
 * Makes the limits of hosts of outgoing calls. All that decides about a host of a workspace first takes its lock, so each decision sees
 * the one before. A call that must wait is a row of held_effects, like one that a hold stops.
 */
export class HostLimits1700000000027 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(migrationProcedures());
    await db.query(tables);
    await db.query(/* sql */ `
      call pg_temp.tenant_rows('host_calls');
      call pg_temp.system_rows('host_calls');
      grant select, insert, update, delete on host_calls to ${appRole};
      grant select, delete on host_calls to ${systemRole};`);
    await db.query(functions);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const tables = /* sql */ `
alter table workspaces
  -- Of each host: host, and concurrency, perSecond or both.
  add column host_limits jsonb not null default '[]';
alter table held_effects
  add column waits_for text not null default 'hold',
  add constraint held_effects_waits_for check (waits_for in ('hold', 'limit')),
  -- Of a call to a host with a limit: when its run was told that it has a place. The place is kept for a minute.
  add column told_at timestamptz(3),
  -- Of such a call: its round. A workflow has one call in each, so that the workflows take turns.
  add column turn bigint not null default 0;
create table host_calls (
  id bigint generated always as identity primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  host text not null,
  workflow_id text not null,
  begun_at timestamptz not null,
  -- A call whose process was lost counts until here.
  ends_at timestamptz not null
);
comment on table host_calls is 'The calls to hosts with a limit that are under way, and those that have begun in the last second.';
create index host_calls_host on host_calls (workspace_id, host, ends_at);
drop trigger audit on workspaces;
create constraint trigger audit after insert or update of name, plan, personal_keys_allowed, host_limits on workspaces deferrable initially deferred for each row
  execute function audit_row('workspace', 'id', 'name,plan,personal_keys_allowed,host_limits', 'created,updated,');`;

const functions = /* sql */ `
create function lock_host(of_workspace text, of_host text) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended('host ' || of_workspace || ' ' || of_host, 0))
$$;

-- How many more calls to a host may begin now: null when it has no limit. Calls that were told of their place count. The caller has locked the host.
create function host_room(of_workspace text, of_host text) returns int language plpgsql as $$
declare
  rule jsonb := (select l from workspaces w, jsonb_array_elements(w.host_limits) l where w.id = of_workspace and l ->> 'host' = of_host);
  told int;
  under_way int;
  lately int;
begin
  if rule is null then return null; end if;
  delete from host_calls c where c.workspace_id = of_workspace and c.host = of_host and c.ends_at <= clock_timestamp()
    and c.begun_at <= clock_timestamp() - interval '1 second';
  select count(*) into told from held_effects k
  where k.workspace_id = of_workspace and k.host = of_host and k.waits_for = 'limit' and k.due_at is not null;
  select count(*) filter (where c.ends_at > clock_timestamp()), count(*) filter (where c.begun_at > clock_timestamp() - interval '1 second')
  into under_way, lately from host_calls c where c.workspace_id = of_workspace and c.host = of_host;
  return greatest(0, least((rule ->> 'concurrency')::int - under_way, (rule ->> 'perSecond')::int - lately) - told);
end $$;

-- Tells those whose turn it is. The caller has locked the host.
create function advance_host(of_workspace text, of_host text) returns void language plpgsql as $$
declare
  room int := least(coalesce(host_room(of_workspace, of_host), 100), 100);
begin
  if room = 0 then return; end if;
  update held_effects k set due_at = clock_timestamp() where k.id in (
    select o.id from held_effects o
    where o.workspace_id = of_workspace and o.host = of_host and o.waits_for = 'limit' and o.due_at is null
    order by o.turn, o.held_at, o.id limit room);
end $$;

-- Lets a call begin, and returns the id of its place; 0 for a host without a limit, and null for a call that must wait, which is noted.
create function enter_host(of_workspace text, execution text, at_path text, of_host text, lease interval) returns bigint language plpgsql as $$
declare
  room int;
  was_told boolean;
  place bigint := 0;
begin
  perform lock_host(of_workspace, of_host);
  room := host_room(of_workspace, of_host);
  was_told := (select k.due_at is not null from held_effects k where k.execution_id = execution and k.path = at_path and k.waits_for = 'limit');
  if room is not null and was_told is not true and (room = 0 or exists (
      select from held_effects k where k.workspace_id = of_workspace and k.host = of_host and k.waits_for = 'limit' and k.due_at is null)) then
    if was_told is null then
      -- It joins the round that is served now, or the one after the last of its workflow.
      insert into held_effects (execution_id, workspace_id, workflow_id, path, host, waits_for, turn)
      select e.id, e.workspace_id, e.workflow_id, at_path, of_host, 'limit', (
        select coalesce(greatest(min(k.turn), max(k.turn) filter (where k.workflow_id = e.workflow_id) + 1), 0) from held_effects k
        where k.workspace_id = of_workspace and k.host = of_host and k.waits_for = 'limit' and k.due_at is null)
      from executions e where e.id = execution
      on conflict (execution_id, path) do update set waits_for = 'limit', host = excluded.host, due_at = null, told_at = null,
        held_at = clock_timestamp(), turn = excluded.turn;
    end if;
    perform advance_host(of_workspace, of_host);
    return null;
  end if;
  delete from held_effects k where k.execution_id = execution and k.path = at_path and k.waits_for = 'limit';
  if room is null then return 0; end if;
  insert into host_calls (workspace_id, host, workflow_id, begun_at, ends_at)
  select of_workspace, of_host, e.workflow_id, clock_timestamp(), clock_timestamp() + lease from executions e where e.id = execution
  returning id into place;
  return place;
end $$;

-- Frees the place of a call that has ended, and tells the next.
create function leave_host(of_workspace text, of_host text, place bigint) returns void language plpgsql as $$
begin
  perform lock_host(of_workspace, of_host);
  update host_calls c set ends_at = least(c.ends_at, clock_timestamp()) where c.workspace_id = of_workspace and c.id = place;
  perform advance_host(of_workspace, of_host);
end $$;`;
