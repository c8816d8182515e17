import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets a bulk job take back what another has done. */
export class BulkUndo1700000000028 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(/* sql */ `
      alter table bulk_jobs drop constraint bulk_jobs_verb_check,
        add constraint bulk_jobs_verb_check check (verb in ('retry', 'cancel', 'answer', 'fork', 'delete', 'undo'));
      alter table bulk_items add undone_at timestamptz(3)`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}
