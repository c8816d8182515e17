import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets the caller bound the active time of one execution; null leaves it to the settings. */
export class ActiveTime1700000000056 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('alter table executions add column active_ms_max integer check (active_ms_max > 0)');
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}
