import type { MigrationInterface, QueryRunner } from 'typeorm';
import { systemRole } from '../policies.ts';
import { migrationProcedures } from '../schema-files.ts';

/** Makes the table with the time at which a worker last found a run that Temporal does not know. */
export class LostRuns1700000000004 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(migrationProcedures());
    await db.query(repairs);
    await db.query(`call pg_temp.system_rows('repairs')`);
    await db.query(`grant select, insert, update on repairs to ${systemRole}`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const repairs = /* sql */ `
create table repairs (
  one boolean primary key default true check (one),
  lost_run_found_at timestamptz(3) not null
);
comment on table repairs is 'At most one row, by which every process sees that workers repair lost runs.';`;
