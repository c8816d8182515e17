import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What lists of logs filter by stands in the indexes that they walk along, so that they read the rows of a page and no others. */
export class CoveredLogs1700000000026 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(covered);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

// Runs that were called through the API and complete are in neither, as before: these indexes cost them nothing.
const covered = /* sql */ `
create index executions_list_status on executions (workspace_id, status, created_at desc, id desc)
  include (trigger, duration_ms, workflow_id) where status in ('paused', 'failed', 'cancelled');
create index executions_list_trigger on executions (workspace_id, trigger, created_at desc, id desc)
  include (status, duration_ms, workflow_id) where trigger <> 'api';
-- Of a workflow that is named, its costs alone are looked at.
create index execution_costs_workflow on execution_costs (workflow_id, cost_micros) include (created_at, execution_id, workspace_id);
drop index executions_log_status;
drop index executions_log_trigger;`;
