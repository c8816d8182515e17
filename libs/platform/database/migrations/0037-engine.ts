import type { MigrationInterface, QueryRunner } from 'typeorm';
import { systemRole } from '../policies.ts';

/** Lets a database remember which Temporal has its runs. */
export class Engine1700000000037 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(/* sql */ `
      alter table installation
        -- The id that Temporal gave to the namespace of the runs; null: the next set-up keeps that of its Temporal.
        add column engine_id text;
      grant update (engine_id) on installation to ${systemRole};`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}
