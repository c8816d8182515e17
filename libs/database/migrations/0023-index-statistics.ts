import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The entries of indexed columns are counted in pages of what is visible to all, and found by what the statistics say of them. At
 * a fifth of the entries of all tenants, the default, a table of a million rows waits for both until millions more are written.
 */
export class IndexStatistics1700000000023 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(/* sql */ `
alter table table_index set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.01)`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}
