import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Executions that are under way are counted by workspace. What ends where it is accepted is in no such index and costs it nothing. */
export class OpenExecutions1700000000036 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(
      `create index executions_under_way on executions (workspace_id) where status in ('queued', 'running')`,
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}
