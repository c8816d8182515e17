import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells the triggers that a definition carries from those that calls have made. */
export class DefinedTriggers1700000000022 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(/* sql */ `
      alter table triggers
        -- True when the definition of the workflow carries it, so that a deploy changes or deletes it.
        add column is_defined boolean not null default false`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}
