import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a block wrote to its console, as lines. */
export class VisitLogs1700000000050 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('alter table visits add column logs json');
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}
