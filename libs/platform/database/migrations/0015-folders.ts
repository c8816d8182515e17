import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The folder of a workflow: a path of names with slashes, empty at the top. */
export class Folders1700000000015 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(folders);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

// Compared by bytes, so that all that lies below a folder is one range of the index.
const folders = /* sql */ `
alter table workflows add column folder text collate "C" not null default '';
create index workflows_folder on workflows (workspace_id, folder);`;
