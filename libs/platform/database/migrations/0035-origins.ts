import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whoever goes on with a run later goes on with the trace of the call that started it. */
export class Origins1700000000035 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(origins);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const origins = /* sql */ `
-- The call that started the execution, as its trace names it; null when it belongs to none.
alter table executions add column origin json;`;
