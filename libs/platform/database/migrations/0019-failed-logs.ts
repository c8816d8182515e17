import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds what failed of named workflows, which is what people look for most. Runs that did not fail cost nothing more. */
export class FailedLogs1700000000019 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(failed);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const failed = /* sql */ `
create index executions_log_failed on executions (workflow_id, created_at desc, id desc) where status = 'failed';`;
