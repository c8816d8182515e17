import type { MigrationInterface, QueryRunner } from 'typeorm';
import { systemRole } from '../policies.ts';
import { migrationProcedures } from '../schema-files.ts';

/** Makes the table with the check value of the secret. */
export class Installation1700000000002 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(migrationProcedures());
    await db.query(installation);
    await db.query(`call pg_temp.system_rows('installation')`);
    await db.query(`grant select, insert on installation to ${systemRole}`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const installation = /* sql */ `
create table installation (
  one boolean primary key default true check (one),
  -- Derived from HOLDFAST_SECRET, and cannot be turned back into it.
  secret_check text not null,
  created_at timestamptz(3) not null default now()
);
comment on table installation is 'One row, by which a process sees that it has another secret than the data.';`;
