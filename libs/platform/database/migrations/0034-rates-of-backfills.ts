import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets a backfill start at most so many moments a second. */
export class RatesOfBackfills1700000000034 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(/* sql */ `
      alter table backfills
        -- Null: as fast as it goes.
        add column per_second float8,
        -- Its rate has used the time until here. The next moment starts when that of one moment has passed. Null: none has started.
        add column credited_at timestamptz(3);`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}
