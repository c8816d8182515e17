import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole } from '../policies.ts';
import { migrationProcedures } from '../schema-files.ts';

/** Makes the snapshots of runs. */
export class RunSnapshots1700000000006 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(migrationProcedures());
    await db.query(/* sql */ `
create table run_snapshots (
  execution_id text primary key references executions (id) on delete cascade,
  workspace_id text not null,
  -- The last event that the snapshot knows.
  number int not null,
  snapshot json not null
);
comment on table run_snapshots is 'The state of a run after an event, so that not all events before it must be read.';`);
    await db.query(`
      call pg_temp.tenant_rows('run_snapshots');
      grant select, insert, update, delete on run_snapshots to ${appRole};`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}
