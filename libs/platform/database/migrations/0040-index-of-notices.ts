import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the notices of a trigger that is deleted. It takes no lock that keeps notices from being written meanwhile. */
export class IndexOfNotices1700000000040 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    // A try that was broken off has left an index that serves nobody.
    await db.query('drop index concurrently if exists notices_trigger');
    await db.query(
      'create index concurrently notices_trigger on notices (trigger_id) where trigger_id is not null',
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}
