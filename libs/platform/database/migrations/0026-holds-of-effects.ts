import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole, systemRole } from '../policies.ts';
import { migrationProcedures } from '../schema-files.ts';

/** Lets a hold stop the effects of executions that have started: all of them, or calls to one host. */
export class HoldsOfEffects1700000000026 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(migrationProcedures());
    await db.query(columns);
    await db.query(heldEffects);
    await db.query(/* sql */ `
      call pg_temp.tenant_rows('held_effects');
      call pg_temp.system_rows('held_effects');
      grant select, insert, update, delete on held_effects to ${appRole};
      grant select, update, delete on held_effects to ${systemRole};`);
    await db.query(linesPassOverHosts);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const columns = /* sql */ `
alter table holds
  -- With effects the executions that have started stop too, each before its next effect.
  add column stops text not null default 'starts',
  -- Null: all effects, and all starts. A hold of a host stops calls to it, and no start.
  add column host text check (host is null or (stops = 'effects' and workflow_id is null)),
  add constraint holds_stops check (stops in ('starts', 'effects')),
  drop constraint holds_once,
  add constraint holds_once unique nulls not distinct (workspace_id, workflow_id, trigger_id, host);
drop trigger audit on holds;
create constraint trigger audit after insert or delete or update of mode, reason, released_at, per_second on holds deferrable initially deferred for each row
  execute function audit_row('hold', 'id', 'workflow_id,trigger_id,host,stops,mode,reason,released_at,per_second', 'created,updated,deleted');`;

const heldEffects = /* sql */ `
create table held_effects (
  id bigint generated always as identity primary key,
  execution_id text not null references executions (id) on delete cascade,
  workspace_id text not null,
  workflow_id text not null,
  path text not null,
  -- The host that it would call; null for an effect without one.
  host text,
  held_at timestamptz(3) not null default clock_timestamp(),
  -- When its run is told to try it again; null while it is held.
  due_at timestamptz(3),
  unique (execution_id, path)
);
comment on table held_effects is 'The effects that a hold has stopped before they began. The row goes when the run has been told to go on.';
create index held_effects_held on held_effects (workspace_id, held_at) where due_at is null;
create index held_effects_due on held_effects (workspace_id, due_at) where due_at is not null;`;

/** Changes the one condition of `advance_flow_line` that reads holds. Fails when the function is not as it was. */
const linesPassOverHosts = /* sql */ `
do $$
declare
  before text := pg_get_functiondef('advance_flow_line(text, text, text)'::regprocedure);
  after text := replace(before, 'and h.trigger_id is null and', 'and h.trigger_id is null and h.host is null and');
begin
  if after = before then raise exception 'advance_flow_line reads no holds'; end if;
  execute after;
end $$`;
