import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole, overAllRows, systemPolicy, systemRole, tenantPolicy } from '../policies.ts';

/** What turns of models and hosted calls cost, what each execution cost in all, and what a member may cost in a month. */
export class Costs1700000000022 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(entries);
    await db.query(sums);
    await db.query(overAllRows(['usage_entries', 'executions'], earlier));
    for (const table of tables) {
      await db.query(tenantPolicy(table));
      await db.query(`grant select, insert, update, delete on ${table} to ${appRole}`);
    }
    for (const table of ['usage_members', 'member_caps']) {
      await db.query(systemPolicy(table));
      await db.query(`grant select on ${table} to ${systemRole}`);
    }
    await db.query(addUsage);
    await db.query(capped);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const tables = ['execution_costs', 'usage_members', 'member_caps'];

const entries = /* sql */ `
-- Of a turn or a call: the execution that it was part of. The other column names the one that a whole execution was booked for.
alter table usage_entries add column during_execution text references executions on delete set null;
-- The model, or the type of the block.
alter table usage_entries add column subject text;
create index usage_entries_during on usage_entries (during_execution) where during_execution is not null;
-- Lists of logs ask for what an execution cost in all.
drop index usage_entries_log_cost;`;

const sums = /* sql */ `
create table execution_costs (
  execution_id text primary key references executions on delete cascade,
  workspace_id text not null,
  workflow_id text not null,
  -- When the execution was accepted: that is the order of lists.
  created_at timestamptz(3) not null,
  cost_micros bigint not null
);
-- Lists read the index alone until they know which executions a page has.
create index execution_costs_list on execution_costs (workspace_id, cost_micros) include (created_at, execution_id, workflow_id);
create table usage_members (
  workspace_id text not null references workspaces on delete cascade,
  -- The first day of the month, in UTC.
  period date not null,
  actor text not null,
  -- Executions that end at the same time add to different rows, so that they do not wait for each other's commits.
  slot smallint not null,
  cost numeric(20, 6) not null,
  primary key (workspace_id, actor, period, slot)
);
create table member_caps (
  workspace_id text not null,
  user_id text not null,
  monthly_cost numeric(20, 6) not null check (monthly_cost >= 0),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, user_id),
  foreign key (workspace_id, user_id) references memberships on delete cascade
);`;

const month = `date_trunc('month', created_at at time zone 'utc')`;

const byMember = (rows: string) => /* sql */ `
select workspace_id, ${month}, actor, mod(id, 16), sum(cost) from ${rows} where actor like 'usr\\_%' group by 1, 2, 3, 4 order by 1, 2, 3, 4`;

const byExecution = (rows: string) => /* sql */ `
select e.id, e.workspace_id, e.workflow_id, e.created_at, sum((u.cost * 1000000)::bigint)
from ${rows} u join executions e on e.id = coalesce(u.execution_id, u.during_execution) group by e.id order by e.id`;

const earlier = /* sql */ `
insert into execution_costs ${byExecution('usage_entries')};
insert into usage_members ${byMember('usage_entries')}`;

const addUsage = /* sql */ `
create or replace function add_usage() returns trigger language plpgsql as $$
begin
  insert into usage_totals as t (workspace_id, period, slot, cost)
  select workspace_id, ${month}, mod(id, 16), sum(cost)
  from added group by 1, 2, 3 order by 1, 2, 3
  on conflict (workspace_id, period, slot) do update set cost = t.cost + excluded.cost;
  insert into usage_members as t (workspace_id, period, actor, slot, cost) ${byMember('added')}
  on conflict (workspace_id, actor, period, slot) do update set cost = t.cost + excluded.cost;
  insert into usage_days as t (workspace_id, day, workflow_id, actor, kind, slot, cost, entries)
  select workspace_id, (created_at at time zone 'utc')::date, coalesce(workflow_id, ''), actor, kind, mod(id, 16), sum(cost), count(*)
  from added group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
  on conflict (workspace_id, day, workflow_id, actor, kind, slot)
    do update set cost = t.cost + excluded.cost, entries = t.entries + excluded.entries;
  insert into execution_costs as t (execution_id, workspace_id, workflow_id, created_at, cost_micros) ${byExecution('added')}
  on conflict (execution_id) do update set cost_micros = t.cost_micros + excluded.cost_micros;
  return null;
end $$;`;

const capped = /* sql */ `
create constraint trigger audit after insert or update of monthly_cost or delete on member_caps deferrable initially deferred
  for each row execute function audit_row('member_cap', 'user_id', 'monthly_cost', 'created,updated,deleted');`;
