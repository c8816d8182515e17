import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An Idempotency-Key says which request holds it, so that no other one frees it or renews its lock. */
export class ClaimedKeys1700000000040 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('alter table idempotency_keys add column claim text');
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}
