import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What lists of logs filter by. Only comparisons that tell nothing of other rows may use an index under a row policy, so
 * a duration and a cost are whole numbers in columns of their own, which Postgres keeps.
 */
export class Logs1700000000010 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(logs);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

// Most runs are called through the API and complete: the indexes hold the others, so that those cost nothing more.
const logs = /* sql */ `
alter table executions add column duration_ms bigint
  generated always as ((extract(epoch from completed_at - started_at) * 1000)::bigint) stored;
alter table usage_entries add column cost_micros bigint generated always as ((cost * 1000000)::bigint) stored;
create index executions_log_status on executions (workspace_id, status, created_at desc, id desc)
  where status in ('paused', 'failed', 'cancelled');
create index executions_log_trigger on executions (workspace_id, trigger, created_at desc, id desc) where trigger <> 'api';
create index executions_log_duration on executions (workspace_id, duration_ms) where duration_ms is not null;
create index usage_entries_log_cost on usage_entries (workspace_id, cost_micros) where cost_micros > 0;`;
