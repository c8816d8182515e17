import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole, systemRole } from '../policies.ts';
import { migrationProcedures } from '../schema-files.ts';

/**
 * Makes the tables and functions of flow control. A line is a workflow with a key. All that decides about a line first takes its lock,
 * so each decision sees the one before. An execution that ends leaves its line in the transaction of its end, by a trigger.
 */
export class FlowControl1700000000012 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(migrationProcedures());
    await db.query(tables);
    const policies = ['flow_rules', 'flow_places', 'flow_starts', 'flow_timers'].map(
      (table) => `call pg_temp.tenant_rows('${table}'); call pg_temp.system_rows('${table}');
        grant select, insert, update, delete on ${table} to ${appRole};`,
    );
    await db.query(policies.join('\n'));
    await db.query(`
      grant select on flow_rules to ${systemRole};
      grant select, insert, update, delete on flow_places, flow_starts, flow_timers to ${systemRole};
      grant insert on inline_start_outbox to ${systemRole};`);
    await db.query(functions);
    await db.query(triggers);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const tables = /* sql */ `
alter table executions
  -- The key of its line; null for an execution without flow control.
  add column flow_key text;
create table flow_rules (
  workflow_id text primary key references workflows (id) on delete cascade,
  workspace_id text not null,
  -- The flow of the plan of the version that is live, or was last.
  rules jsonb not null
);
comment on table flow_rules is 'The flow control of each workflow that has one.';

create table flow_places (
  execution_id text primary key references executions (id) on delete cascade,
  workspace_id text not null,
  workflow_id text not null,
  key text not null,
  -- A held one joins the line when its hold lets it go.
  state text not null check (state in ('held', 'waiting', 'running')),
  priority smallint not null default 3,
  fair_key text not null default '',
  -- The order of arrival.
  no bigint generated always as identity,
  -- For a debounced one: the first arrival of its series, its own, and when it starts.
  first_at timestamptz,
  at timestamptz not null default clock_timestamp(),
  not_before timestamptz,
  -- A newer one replaces it: its cancel is due, or was asked for.
  leaving text check (leaving in ('due', 'asked')),
  -- What Temporal gets when its turn comes.
  start_input json not null default '{}'
);
comment on table flow_places is 'The executions of workflows with flow control that have not ended: those that wait in a line, and those that run.';
create index flow_places_waiting on flow_places (workflow_id, key, priority, no) where state = 'waiting' and leaving is null;
create index flow_places_running on flow_places (workflow_id, key, no) where state = 'running';
create index flow_places_leaving on flow_places (workspace_id, at) where leaving = 'due';

create table flow_starts (
  workflow_id text not null,
  key text not null,
  workspace_id text not null references workspaces (id) on delete cascade,
  at timestamptz not null
);
comment on table flow_starts is 'The latest starts of each line with a throttle.';
create index flow_starts_line on flow_starts (workflow_id, key, at desc);

create table flow_timers (
  line text primary key,
  workflow_id text not null,
  key text not null,
  workspace_id text not null references workspaces (id) on delete cascade,
  due_at timestamptz not null
);
comment on table flow_timers is 'Lines that must be looked at though nothing ends: at a time, or because a rule or a hold has changed.';
create index flow_timers_due on flow_timers (workspace_id, due_at);`;

const functions = /* sql */ `
create function lock_flow_line(of_workflow text, of_key text) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended('flow ' || of_workflow || ' ' || of_key, 0))
$$;

create function set_flow_timer(of_workspace text, of_workflow text, of_key text, moment timestamptz) returns void language sql as $$
  insert into flow_timers as t (line, workflow_id, key, workspace_id, due_at)
  values (of_workflow || ' ' || of_key, of_workflow, of_key, of_workspace, moment)
  on conflict (line) do update set due_at = least(t.due_at, excluded.due_at)
$$;

-- The moment from which the line lets another one start: infinity while all places are taken.
create function flow_opening(of_workflow text, of_key text, rules jsonb) returns timestamptz language plpgsql as $$
declare
  most int := rules #>> '{concurrency,limit}';
  period interval := make_interval(secs => (rules #>> '{throttle,periodMs}')::float8 / 1000);
  before_last timestamptz;
begin
  if most is not null and (select count(*) from (
      select from flow_places p where p.workflow_id = of_workflow and p.key = of_key and p.state = 'running' limit most) taken) >= most then
    return 'infinity';
  end if;
  if period is null then return '-infinity'; end if;
  select s.at into before_last from flow_starts s where s.workflow_id = of_workflow and s.key = of_key
  order by s.at desc offset (rules #>> '{throttle,limit}')::int - 1 limit 1;
  return coalesce(before_last + period, '-infinity');
end $$;

-- What becomes of a new one: start, wait, reject or join. The caller has locked the line.
create function flow_verdict(of_workflow text, of_key text) returns text language plpgsql as $$
declare
  rules jsonb := (select r.rules from flow_rules r where r.workflow_id = of_workflow);
  opening timestamptz := flow_opening(of_workflow, of_key, rules);
  on_limit text := rules #>> '{concurrency,onLimit}';
begin
  if opening = 'infinity' and on_limit in ('reject', 'join') then return on_limit; end if;
  if opening > clock_timestamp() or rules ? 'debounce' or exists (
      select from flow_places p where p.workflow_id = of_workflow and p.key = of_key and p.state = 'waiting' and p.leaving is null) then
    return 'wait';
  end if;
  return 'start';
end $$;

-- Notes a start for the throttle.
create function note_flow_start(of_workspace text, of_workflow text, of_key text) returns void language plpgsql as $$
declare
  period interval := (select make_interval(secs => (r.rules #>> '{throttle,periodMs}')::float8 / 1000) from flow_rules r where r.workflow_id = of_workflow);
begin
  if period is null then return; end if;
  delete from flow_starts s where s.workflow_id = of_workflow and s.key = of_key and s.at <= clock_timestamp() - period;
  insert into flow_starts (workflow_id, key, workspace_id, at) values (of_workflow, of_key, of_workspace, clock_timestamp());
  perform set_flow_timer(of_workspace, of_workflow, of_key, clock_timestamp() + period);
end $$;

-- Starts those whose turn it is, and says when to look again. The caller has locked the line.
create function advance_flow_line(of_workspace text, of_workflow text, of_key text) returns void language plpgsql as $$
declare
  rules jsonb := (select r.rules from flow_rules r where r.workflow_id = of_workflow);
  period interval := make_interval(secs => (rules #>> '{throttle,periodMs}')::float8 / 1000);
  opening timestamptz;
  chosen text;
  moment timestamptz := 'infinity';
  -- One call starts at most so many.
  most int := 100;
begin
  delete from flow_timers t where t.line = of_workflow || ' ' || of_key;
  delete from flow_starts s where s.workflow_id = of_workflow and s.key = of_key and (period is null or s.at <= clock_timestamp() - period);
  if rules ? 'debounce' then
    with line as (
      select p.no, p.at, p.first_at from flow_places p
      where p.workflow_id = of_workflow and p.key = of_key and p.state = 'waiting' and p.leaving is null and p.first_at is not null
    ), series as (
      select max(no) as last, max(at) as last_at, min(first_at) as first_at from line
    )
    update flow_places p set first_at = series.first_at, leaving = case when p.no < series.last then 'due' end,
      not_before = least(series.last_at + make_interval(secs => (rules #>> '{debounce,delayMs}')::float8 / 1000),
        series.first_at + make_interval(secs => (rules #>> '{debounce,longestMs}')::float8 / 1000))
    from line, series where p.no = line.no and p.workflow_id = of_workflow and p.key = of_key;
  end if;
  if rules #>> '{concurrency,onLimit}' = 'cancelOldest' then
    update flow_places p set leaving = 'due' where p.execution_id in (
      select o.execution_id from flow_places o where o.workflow_id = of_workflow and o.key = of_key and o.state <> 'held' and o.leaving is null
      order by o.no desc offset (rules #>> '{concurrency,limit}')::int);
  end if;
  if not exists (select from flow_places p where p.workflow_id = of_workflow and p.key = of_key and p.state = 'waiting' and p.leaving is null) then
    null;
  elsif exists (select from holds h where h.workspace_id = of_workspace and (h.workflow_id is null or h.workflow_id = of_workflow) and h.released_at is null) then
    moment := clock_timestamp() + interval '5 seconds';
  else
    loop
      opening := flow_opening(of_workflow, of_key, rules);
      if rules ? 'fairBy' then
        -- The one of whose kind the fewest run, among the first thousand.
        select w.execution_id into chosen from (
          select p.execution_id, p.priority, p.fair_key, p.no from flow_places p
          where p.workflow_id = of_workflow and p.key = of_key and p.state = 'waiting' and p.leaving is null and coalesce(p.not_before, '-infinity') <= clock_timestamp()
          order by p.priority, p.no limit 1000
        ) w left join (
          select r.fair_key, count(*) as running from flow_places r
          where r.workflow_id = of_workflow and r.key = of_key and r.state = 'running' group by 1
        ) busy using (fair_key) order by w.priority, coalesce(busy.running, 0), w.no limit 1;
      else
        select p.execution_id into chosen from flow_places p
        where p.workflow_id = of_workflow and p.key = of_key and p.state = 'waiting' and p.leaving is null and coalesce(p.not_before, '-infinity') <= clock_timestamp()
        order by p.priority, p.no limit 1;
      end if;
      if chosen is null then
        select coalesce(min(p.not_before), 'infinity') into moment from flow_places p
        where p.workflow_id = of_workflow and p.key = of_key and p.state = 'waiting' and p.leaving is null;
      elsif opening > clock_timestamp() then
        moment := opening;
      elsif most = 0 then
        moment := clock_timestamp();
      end if;
      exit when chosen is null or opening > clock_timestamp() or most = 0;
      update flow_places p set state = 'running' where p.execution_id = chosen;
      insert into inline_start_outbox as h (execution_id, workspace_id, ended, start_input, due_at)
      select p.execution_id, p.workspace_id, false, p.start_input, now() from flow_places p where p.execution_id = chosen
      on conflict (execution_id) do update set ended = false, start_input = excluded.start_input, due_at = excluded.due_at;
      perform note_flow_start(of_workspace, of_workflow, of_key);
      most := most - 1;
    end loop;
  end if;
  -- A worker looks at once at what starts now.
  if most < 100 then perform pg_notify('holdfast_ended', 'flow starts'); end if;
  if moment = 'infinity' and period is not null then
    select coalesce(max(s.at) + period, 'infinity') into moment from flow_starts s where s.workflow_id = of_workflow and s.key = of_key;
  end if;
  if moment < 'infinity' then perform set_flow_timer(of_workspace, of_workflow, of_key, moment); end if;
end $$;

-- Lets an execution that goes on or was made from another one into its line. With the verdict wait, its start comes with its turn.
create function place_in_flow(execution text, input json) returns text language plpgsql as $$
declare
  run record;
  verdict text;
begin
  select e.workspace_id, e.workflow_id, e.flow_key into run from executions e where e.id = execution;
  if run.flow_key is null then return 'start'; end if;
  perform lock_flow_line(run.workflow_id, run.flow_key);
  delete from flow_places p where p.execution_id = execution;
  verdict := flow_verdict(run.workflow_id, run.flow_key);
  if verdict in ('reject', 'join') then return 'reject'; end if;
  insert into flow_places (execution_id, workspace_id, workflow_id, key, state, start_input)
  values (execution, run.workspace_id, run.workflow_id, run.flow_key, case verdict when 'start' then 'running' else 'waiting' end, input);
  if verdict = 'start' then
    perform note_flow_start(run.workspace_id, run.workflow_id, run.flow_key);
  else
    update executions set status = 'queued', next_delivery_at = 'infinity' where id = execution;
  end if;
  return verdict;
end $$;

-- A new one in the line may replace others, or start at a time.
create function join_flow_line() returns trigger language plpgsql as $$
begin
  perform advance_flow_line(new.workspace_id, new.workflow_id, new.key);
  return null;
end $$;

create function leave_flow() returns trigger language plpgsql as $$
begin
  perform lock_flow_line(new.workflow_id, new.flow_key);
  delete from flow_places p where p.execution_id = new.id;
  perform advance_flow_line(new.workspace_id, new.workflow_id, new.flow_key);
  return null;
end $$;

-- An ended execution runs again. It counts, also beyond the limit: an operator has reset it, or place_in_flow decides next.
create function return_to_flow() returns trigger language plpgsql as $$
begin
  perform lock_flow_line(new.workflow_id, new.flow_key);
  insert into flow_places (execution_id, workspace_id, workflow_id, key, state)
  values (new.id, new.workspace_id, new.workflow_id, new.flow_key, 'running') on conflict do nothing;
  return null;
end $$;`;

const triggers = /* sql */ `
create trigger join_flow_line after insert on flow_places for each row when (new.state = 'waiting') execute function join_flow_line();
create trigger leave_flow after update of status on executions for each row
  when (old.flow_key is not null and old.status not in ('completed', 'failed', 'cancelled') and new.status in ('completed', 'failed', 'cancelled'))
  execute function leave_flow();
create trigger return_to_flow after update of status on executions for each row
  when (old.flow_key is not null and old.status in ('completed', 'failed', 'cancelled') and new.status not in ('completed', 'failed', 'cancelled'))
  execute function return_to_flow();`;
