import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Marks executions that only test a workflow: they run a draft, tell no endpoint, start no trigger, and are in no sums. */
export class Tests1700000000018 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(/* sql */ `
alter table executions add is_test boolean not null default false;
-- The draft that a test ran; null for the plan of a version alone.
alter table plans add definition json;`);
    await db.query(triggers);
    await db.query(deletion);
    await db.query(guard);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const triggers = /* sql */ `
drop trigger tell_end on executions;
drop trigger tell_change on executions;
create trigger tell_end after insert on executions for each row
  when (new.parent_id is null and not new.is_test and new.status in ('completed', 'failed', 'cancelled')) execute function tell_execution();
create trigger tell_change after update of status on executions for each row
  when (new.parent_id is null and not new.is_test and old.status <> new.status
    and (new.status in ('completed', 'failed', 'cancelled') or (new.status = 'running' and old.status <> 'queued'))) execute function tell_execution();`;

/** The plan of a test is of its execution alone, and goes with it. */
const deletion = /* sql */ `
create function forget_test_plan() returns trigger language plpgsql as $$
begin
  delete from plans p where p.workspace_id = old.workspace_id and p.hash = old.plan_hash;
  return null;
end $$;
create trigger forget_test_plan after delete on executions for each row
  when (old.is_test and old.version = 0) execute function forget_test_plan();`;

/** The pauses of a test tell no endpoint either. */
const guard = /* sql */ `
do $$
declare
  former text;
  changed text;
begin
  select pg_get_functiondef(p.oid) into former from pg_proc p where p.proname = 'tell_pause' and p.pronamespace = current_schema::regnamespace;
  changed := replace(former, 'where e.id = pause.root_id;', 'where e.id = pause.root_id and not e.is_test;
  if not found then return; end if;');
  if changed = former then raise exception 'The function tell_pause reads no execution.'; end if;
  execute changed;
end $$;`;
