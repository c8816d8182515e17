import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole, systemPolicy, systemRole, tenantPolicy } from '../policies.ts';

/** What imports in the call came to: written with their rows, so that a call which is repeated under its key finds it. */
export class ImportReports1700000000046 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(reports);
    await db.query(tenantPolicy('import_reports'));
    await db.query(systemPolicy('import_reports'));
    await db.query(`grant select, insert, update, delete on import_reports to ${appRole}`);
    await db.query(`grant select, update, delete on import_reports to ${systemRole}`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const reports = /* sql */ `
create table import_reports (
  -- The id that the Idempotency-Key of the call was given.
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  report json not null,
  created_at timestamptz(3) not null default now()
);
create index import_reports_age on import_reports (created_at);`;
