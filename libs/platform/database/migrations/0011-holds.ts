import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole, systemRole } from '../policies.ts';
import { migrationProcedures } from '../schema-files.ts';

/** Makes the table of holds. An execution that a hold keeps back is queued, and its next delivery is at infinity. */
export class Holds1700000000011 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(migrationProcedures());
    await db.query(holds);
    await db.query(`
      call pg_temp.tenant_rows('holds');
      call pg_temp.system_rows('holds');
      grant select, insert, update, delete on holds to ${appRole};
      grant select, update, delete on holds to ${systemRole};`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const holds = /* sql */ `
create table holds (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  -- Null: all workflows. It has no foreign key, because what waits for a deleted workflow must still be released.
  workflow_id text,
  mode text not null check (mode in ('queue', 'refuse')),
  reason text not null,
  actor json not null,
  held_at timestamptz(3) not null default now(),
  -- Since when it lets go what waits, and how many a second at most; null means all at once.
  released_at timestamptz(3),
  per_second float8,
  -- Up to this time the rate is used up.
  credited_at timestamptz
);
comment on table holds is 'Workflows and workspaces whose executions are accepted and not started, or refused.';
create unique index holds_once on holds (workspace_id, coalesce(workflow_id, ''));
create constraint trigger audit after insert or delete or update of mode, reason, released_at, per_second on holds deferrable initially deferred for each row execute function audit_row('hold', 'id', 'workflow_id,mode,reason,released_at,per_second', 'created,updated,deleted');`;
