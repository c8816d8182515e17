import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts the changes of a draft, so that nobody overwrites one that he has not seen. */
export class DraftRevisions1700000000055 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('alter table workflows add column revision integer not null default 1');
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}
