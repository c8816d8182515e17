import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets an effect wait for several hosts, because a redirect leads from one to another, each with its own line. */
export class LimitsOfRedirects1700000000032 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(/* sql */ `
      alter table held_effects drop constraint held_effects_execution_id_path_key,
        add constraint held_effects_once unique nulls not distinct (execution_id, path, host);
      drop function enter_host(text, text, text, text, interval);`);
    await db.query(enterHost);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const enterHost = /* sql */ `
-- Lets a call begin, and returns the id of its place; 0 for a host without a limit, and null for a call that must wait. With may_wait it is noted.
create function enter_host(of_workspace text, execution text, at_path text, of_host text, lease interval, may_wait boolean) returns bigint language plpgsql as $$
declare
  room int;
  was_told boolean;
  place bigint := 0;
begin
  perform lock_host(of_workspace, of_host);
  room := host_room(of_workspace, of_host);
  was_told := (select k.due_at is not null from held_effects k where k.execution_id = execution and k.path = at_path and k.host = of_host and k.waits_for = 'limit');
  if room is not null and was_told is not true and (room = 0 or exists (
      select from held_effects k where k.workspace_id = of_workspace and k.host = of_host and k.waits_for = 'limit' and k.due_at is null)) then
    if not may_wait then return null; end if;
    if was_told is null then
      -- It joins the round that is served now, or the one after the last of its workflow.
      insert into held_effects (execution_id, workspace_id, workflow_id, path, host, waits_for, turn)
      select e.id, e.workspace_id, e.workflow_id, at_path, of_host, 'limit', (
        select coalesce(greatest(min(k.turn), max(k.turn) filter (where k.workflow_id = e.workflow_id) + 1), 0) from held_effects k
        where k.workspace_id = of_workspace and k.host = of_host and k.waits_for = 'limit' and k.due_at is null)
      from executions e where e.id = execution
      on conflict (execution_id, path, host) do update set waits_for = 'limit', due_at = null, told_at = null,
        held_at = clock_timestamp(), turn = excluded.turn;
    end if;
    perform advance_host(of_workspace, of_host);
    return null;
  end if;
  delete from held_effects k where k.execution_id = execution and k.path = at_path and k.host = of_host and k.waits_for = 'limit';
  if room is null then return 0; end if;
  insert into host_calls (workspace_id, host, workflow_id, begun_at, ends_at)
  select of_workspace, of_host, e.workflow_id, clock_timestamp(), clock_timestamp() + lease from executions e where e.id = execution
  returning id into place;
  return place;
end $$;`;
