import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets a bulk job answer pauses. */
export class BulkAnswers1700000000024 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(/* sql */ `
      alter table bulk_jobs drop constraint bulk_jobs_verb_check,
        add constraint bulk_jobs_verb_check check (verb in ('retry', 'cancel', 'answer', 'fork', 'delete'))`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}
