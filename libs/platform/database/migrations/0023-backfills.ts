import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole, systemRole } from '../policies.ts';
import { migrationProcedures } from '../schema-files.ts';

/** Makes the table of backfills, which start a schedule at moments of the past. */
export class Backfills1700000000023 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(migrationProcedures());
    await db.query(backfills);
    await db.query(`
      call pg_temp.tenant_rows('backfills');
      call pg_temp.system_rows('backfills');
      grant select, insert, update, delete on backfills to ${appRole};
      grant select, update, delete on backfills to ${systemRole};`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const backfills = /* sql */ `
-- Every row has one of the former values, so none needs to be read.
alter table trigger_deliveries drop constraint trigger_deliveries_source_check,
  add constraint trigger_deliveries_source_check check (source in ('sender', 'test', 'replay', 'backfill')) not valid;

create table backfills (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  trigger_id text not null references triggers (id) on delete cascade,
  -- The range, without its end.
  from_at timestamptz(3) not null,
  to_at timestamptz(3) not null,
  -- True: a moment that has started an execution starts another one.
  again boolean not null,
  overlap text not null check (overlap in ('buffer_all', 'allow_all')),
  -- As it was when the backfill was made, so that a change of the schedule changes none of its moments.
  schedule json not null,
  status text not null default 'running' check (status in ('running', 'completed', 'aborted')),
  total int not null,
  started int not null default 0,
  already_ran int not null default 0,
  refused int not null default 0,
  -- The moment that is decided on next; null after the last one.
  next_at timestamptz(3),
  -- Who made it. Its executions act for this principal.
  actor json not null,
  -- Why it waits; null while it works.
  waits_for text,
  due_at timestamptz not null default now(),
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3)
);
comment on table backfills is 'Jobs that start a schedule at each of its moments in a range of the past.';
create index backfills_due on backfills (workspace_id, due_at) where status = 'running';
create index backfills_page on backfills (trigger_id, created_at, id);
create index backfills_old on backfills (ended_at);
create constraint trigger audit after insert or update of status on backfills deferrable initially deferred for each row
  execute function audit_row('backfill', 'id', 'trigger_id,from_at,to_at,again,overlap,total,status', 'created,updated,');`;
