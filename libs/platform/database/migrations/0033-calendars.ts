import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole } from '../policies.ts';
import { migrationProcedures } from '../schema-files.ts';

/** Makes the table of calendars, which schedules refer to by name. */
export class Calendars1700000000033 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(migrationProcedures());
    await db.query(calendars);
    await db.query(`
      call pg_temp.tenant_rows('calendars');
      grant select, insert, update, delete on calendars to ${appRole};`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const calendars = /* sql */ `
create table calendars (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  name text not null,
  -- Days as 2026-12-25.
  dates jsonb not null,
  -- Days of each week, as monday.
  weekdays jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint calendars_name unique (workspace_id, name)
);
comment on table calendars is 'Days with a name. A schedule that names one has a copy of its days.';
-- By name, the days of the calendars that the schedule names: as they are now.
alter table triggers add column calendars jsonb;
create constraint trigger audit after insert or delete or update of dates, weekdays on calendars deferrable initially deferred for each row
  execute function audit_row('calendar', 'id', 'name,dates,weekdays', 'created,updated,deleted');`;
