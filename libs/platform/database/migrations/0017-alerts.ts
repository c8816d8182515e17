import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole, systemRole } from '../policies.ts';
import { migrationProcedures } from '../schema-files.ts';

/** Makes the table of alert rules. */
export class Alerts1700000000017 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(migrationProcedures());
    await db.query(rules);
    await db.query(`
      call pg_temp.tenant_rows('alert_rules');
      call pg_temp.system_rows('alert_rules');
      grant select, insert, update, delete on alert_rules to ${appRole};
      grant select, update on alert_rules to ${systemRole};`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const rules = /* sql */ `
create table alert_rules (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  -- Null: all workflows of the workspace together.
  workflow_id text,
  name text not null,
  metric text not null check (metric in ('failuresInRow', 'failureRate', 'duration', 'cost', 'inactivity')),
  -- The rule is broken from this value on.
  threshold float8 not null,
  -- Executions that began in these seconds count.
  window_seconds int not null,
  -- Fewer executions in the window say nothing.
  min_executions int not null,
  -- A rule that stays broken tells so again after these seconds.
  cooldown_seconds int not null,
  enabled boolean not null default true,
  is_raised boolean not null default false,
  raised_at timestamptz(3),
  -- The latest value; null when too few executions say nothing.
  value float8,
  checked_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint alert_rules_workflow foreign key (workspace_id, workflow_id) references workflows (workspace_id, id) on delete cascade
);
comment on table alert_rules is 'What executions must not do. A broken rule writes an event.';
create index alert_rules_workspace on alert_rules (workspace_id, created_at, id);
create index alert_rules_due on alert_rules (checked_at nulls first) where enabled;
create constraint trigger audit after insert or delete or update of name, metric, threshold, window_seconds, min_executions, cooldown_seconds, enabled on alert_rules
  deferrable initially deferred for each row
  execute function audit_row('alert', 'id', 'workflow_id,name,metric,threshold,window_seconds,min_executions,cooldown_seconds,enabled', 'created,updated,deleted');`;
