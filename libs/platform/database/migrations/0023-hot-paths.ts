import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What many calls at the same time need. */
export class HotPaths1700000000023 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(hotPaths);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const hotPaths = /* sql */ `
-- The entries of indexed columns are counted in pages of what is visible to all, and found by what the statistics say of
-- them. At a fifth of the entries of all tenants, the default, a large table waits for both until many more are written.
alter table table_index set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.01);
alter table rate_buckets add column granted integer not null default 0;
comment on column rate_buckets.granted is 'How many tokens the last statement took, for all calls that it was asked for.';`;
