import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Executions that took long are put in order by what the index of their durations says, and not by their rows. */
export class FoundDurations1700000000029 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(foundDurations);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const foundDurations = /* sql */ `
create index executions_list_duration on executions (workspace_id, duration_ms) include (created_at, id) where duration_ms is not null;
drop index executions_log_duration;
-- An index alone answers for pages of which all is visible to all. Executions that are only inserted, and never changed, waited for that
-- until they were a fifth of the table.
alter table executions set (autovacuum_vacuum_insert_scale_factor = 0.02);`;
