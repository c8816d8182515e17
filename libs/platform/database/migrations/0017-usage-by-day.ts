import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole, overAllRows, tenantPolicy } from '../policies.ts';

/** What each day cost, by workflow and by who acted. The trigger that keeps the total of a month keeps it too. */
export class UsageByDay1700000000017 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(days);
    await db.query(
      `${tenantPolicy('usage_days')} grant select, insert, update, delete on usage_days to ${appRole};`,
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const byDay = (rows: string) => /* sql */ `
select workspace_id, (created_at at time zone 'utc')::date, coalesce(workflow_id, ''), actor,
  case when execution_id is null then 'embedding' else 'execution' end, mod(id, 16), sum(cost), count(*)
from ${rows} group by 1, 2, 3, 4, 5, 6`;

const earlierWorkflows = /* sql */ `
update usage_entries u set workflow_id = e.workflow_id from executions e where e.id = u.execution_id`;

const days = /* sql */ `
alter table usage_entries add column workflow_id text;
${overAllRows(['usage_entries', 'executions'], earlierWorkflows)}
create table usage_days (
  workspace_id text not null references workspaces on delete cascade,
  day date not null,
  -- Empty for what belongs to no workflow.
  workflow_id text not null,
  actor text not null,
  kind text not null,
  -- Executions that end at the same time add to different rows, so that they do not wait for each other's commits.
  slot smallint not null,
  cost numeric(20, 6) not null,
  entries bigint not null,
  primary key (workspace_id, day, workflow_id, actor, kind, slot)
);
${overAllRows(['usage_entries'], `insert into usage_days ${byDay('usage_entries')}`)}
create or replace function add_usage() returns trigger language plpgsql as $$
begin
  insert into usage_totals as t (workspace_id, period, slot, cost)
  select workspace_id, date_trunc('month', created_at at time zone 'utc'), mod(id, 16), sum(cost)
  from added group by 1, 2, 3 order by 1, 2, 3
  on conflict (workspace_id, period, slot) do update set cost = t.cost + excluded.cost;
  insert into usage_days as t (workspace_id, day, workflow_id, actor, kind, slot, cost, entries)
  ${byDay('added')} order by 1, 2, 3, 4, 5, 6
  on conflict (workspace_id, day, workflow_id, actor, kind, slot)
    do update set cost = t.cost + excluded.cost, entries = t.entries + excluded.entries;
  return null;
end $$;`;
