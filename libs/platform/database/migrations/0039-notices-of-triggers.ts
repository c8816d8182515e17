import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tells people by mail of a trigger that was switched off, through the outbox of notices. It is the user for whom the trigger acts, for
 * a key the user who made it, and otherwise the admins of the workspace.
 */
export class NoticesOfTriggers1700000000039 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(columns);
    await db.query(functions);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const columns = /* sql */ `
alter table notices
  alter column context_id drop not null,
  -- The trigger that a notice is about, in the place of a pause.
  add column trigger_id text references triggers (id) on delete cascade,
  add constraint notices_about check ((context_id is null) <> (trigger_id is null)) not valid;
comment on table notices is 'The outbox of messages about pauses and triggers: one row for each receiver and occasion.';`;

const functions = /* sql */ `
create or replace function tell_trigger() returns trigger language plpgsql as $$
begin
  insert into notices (id, workspace_id, trigger_id, occasion, channel, target)
  select 'notice_' || md5(new.id || ' disabled ' || new.revision || ' ' || email), new.workspace_id, new.id, 'disabled', 'email', email from (
    select distinct lower(u.email) as email, rank() over (order by m.user_id is distinct from principal.user_id) as place
    from (select case when new.actor ->> 'kind' = 'user' then new.actor ->> 'id'
        else (select k.created_by from api_keys k where k.id = new.actor ->> 'id') end as user_id) principal
    cross join memberships m join users u on u.id = m.user_id
    where m.workspace_id = new.workspace_id and (m.user_id = principal.user_id or m.role = 'admin') and u.email like '%_@_%'
  ) told where place = 1
  on conflict (id) do nothing;
  if not has_receivers(new.workspace_id) then return null; end if;
  perform record_event(new.workspace_id, 'trigger.disabled', new.workflow_id, null, 0, null, json_build_object('workflowId', new.workflow_id,
    'triggerId', new.id, 'triggerName', new.name, 'reason', left(new.note, 1000)));
  return null;
end $$;`;
