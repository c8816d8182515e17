import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds what is known of the reading of a document, and of the file of an import. */
export class ReadsOfFiles1700000000003 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(columns);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const columns = /* sql */ `
alter table documents
  -- How surely the text is that of the file, from 0 to 1, and sentences about what may be missing or wrong in it.
  add column confidence numeric(4, 3),
  add column warnings jsonb not null default '[]';
alter table table_imports
  -- How the caller wants the file to be read, and how the first attempt read it.
  add column options jsonb not null default '{}',
  add column taken jsonb;`;
