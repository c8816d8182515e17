import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole, overAllRows, systemPolicy, systemRole, tenantPolicy } from '../policies.ts';

/**
 * What was counted or searched at each request is kept as it changes: the usage of a period, the counts of an execution's
 * pauses, the open pauses of each person. Triggers keep them, so that no statement which changes their source can forget to.
 */
export class BoundedReads1700000000005 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(executions);
    await db.query(usage);
    await db.query(pauseCounts);
    await db.query(askedPeople);
    for (const table of ['usage_totals', 'asked_people']) await db.query(tenantPolicy(table));
    await db.query(systemPolicy('usage_totals'));
    await db.query(`
      grant select, insert, update, delete on usage_totals, asked_people to ${appRole};
      grant select on usage_totals to ${systemRole};`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const executions = /* sql */ `
-- For the deletion of a root: without it each one reads the whole table for its children.
create index executions_root on executions (root_id) where root_id is not null;
-- The reconciler looks at what is paused less often than at what should move.
create index executions_moving on executions (updated_at) where status in ('queued', 'running');
create index executions_paused on executions (updated_at) where status = 'paused';
drop index executions_open;
-- Retention deletes from the old end of these; what it has deleted must not be read again for long.
alter table executions set (autovacuum_vacuum_scale_factor = 0.02);
alter table visits set (autovacuum_vacuum_scale_factor = 0.02);
alter table payloads set (autovacuum_vacuum_scale_factor = 0.02);
-- Until when a caller in another process waits for the execution to settle: nobody is notified of the others.
alter table executions add column awaited_until timestamptz(3);`;

const earlierUsage = /* sql */ `
insert into usage_totals (workspace_id, period, slot, cost)
select workspace_id, date_trunc('month', created_at at time zone 'utc'), mod(id, 16), sum(cost) from usage_entries group by 1, 2, 3`;

const usage = /* sql */ `
create table usage_totals (
  workspace_id text not null references workspaces on delete cascade,
  -- The first day of the month, in UTC.
  period date not null,
  -- Executions that end at the same time add to different rows, so that they do not wait for each other's commits.
  slot smallint not null,
  cost numeric(20, 6) not null,
  primary key (workspace_id, period, slot)
);
create function add_usage() returns trigger language plpgsql as $$
begin
  insert into usage_totals as t (workspace_id, period, slot, cost)
  select workspace_id, date_trunc('month', created_at at time zone 'utc'), mod(id, 16), sum(cost)
  from added group by 1, 2, 3 order by 1, 2, 3
  on conflict (workspace_id, period, slot) do update set cost = t.cost + excluded.cost;
  return null;
end $$;
create trigger add_usage after insert on usage_entries referencing new table as added
  for each statement execute function add_usage();
${overAllRows(['usage_entries'], earlierUsage)}`;

const earlierCounts = /* sql */ `
update paused_executions p set cancelled_count = c.cancelled from (
  select paused_execution_id as id, count(*) as cancelled from pause_points where resume_status = 'cancelled' group by 1
) c where c.id = p.id`;

/** `total_pause_count`, `resumed_count` and `cancelled_count` follow the pauses; those that a reset closed do not count. */
const pauseCounts = /* sql */ `
alter table paused_executions add column cancelled_count integer not null default 0;
${overAllRows(['paused_executions', 'pause_points'], earlierCounts)}
-- Of what a person is shown, so that a list can end before it is too large. Of older pauses it is unknown.
alter table pause_points add column bytes integer not null default 0;
create index pause_points_unresolved on pause_points (root_id, registered_at, context_id) where resume_status in ('paused', 'queued', 'resuming');
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
create trigger count_opened after insert on pause_points for each row execute function count_pauses();
create trigger count_closed after update of resume_status on pause_points for each row
  when (new.resume_status in ('resumed', 'cancelled', 'failed') or old.resume_status in ('resumed', 'cancelled', 'failed'))
  execute function count_pauses();`;

const earlierAsked = /* sql */ `
insert into asked_people (context_id, workspace_id, name, registered_at)
select p.context_id, p.workspace_id, a.name, p.registered_at from pause_points p cross join lateral (
  select lower(jsonb_array_elements_text(coalesce(p.asking::jsonb #> '{approvals,assignees}', '[]'))) as name
  union select 'role:' || jsonb_array_elements_text(coalesce(p.asking::jsonb #> '{approvals,roles}', '[]'))
  union select to_name from delegations d where d.context_id = p.context_id
) a where p.resume_status = 'paused' and p.asking is not null`;

const askedPeople = /* sql */ `
-- Who may answer an open pause: a person by id or address in lower case, or "role:" and the role.
create table asked_people (
  context_id text not null references pause_points on delete cascade,
  workspace_id text not null references workspaces on delete cascade,
  name text not null,
  registered_at timestamptz(3) not null,
  primary key (context_id, name)
);
create index asked_people_inbox on asked_people (workspace_id, name, registered_at, context_id);
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
${overAllRows(['pause_points', 'delegations'], earlierAsked)}
create trigger note_asked_people after insert or update of resume_status, asking on pause_points
  for each row execute function note_asked_people();
create trigger note_delegate after insert on delegations for each row execute function note_delegate();`;
