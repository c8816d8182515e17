import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets a stored answer be given again without parsing the large values in it. */
export class UnreadAnswers1700000000038 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(/* sql */ `
      alter table idempotency_keys
        -- Where the large values stand in the text of the answer: begin and end of each, in UTF-16 units; null: it has none.
        add column unread int[];`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}
