import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole, systemPolicy, systemRole, tenantPolicy } from '../policies.ts';

/** Deleted columns whose cells the rows still hold. */
export class DeletedColumns1700000000024 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(columns);
    await db.query(tenantPolicy('table_column_leftovers'));
    await db.query(systemPolicy('table_column_leftovers'));
    await db.query(`grant select, insert, update, delete on table_column_leftovers to ${appRole}`);
    await db.query(`grant select on table_column_leftovers to ${systemRole}`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const columns = /* sql */ `
create table table_column_leftovers (
  table_no bigint not null,
  column_id text not null,
  -- The last row whose cell was removed.
  position bigint not null default -1,
  workspace_id text not null,
  deleted_at timestamptz(3) not null default now(),
  primary key (table_no, column_id)
);`;
