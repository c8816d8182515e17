import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets a trigger be a form, which people fill in at an address of its own. */
export class FormTriggers1700000000020 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(columns);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const columns = /* sql */ `
alter table triggers
  -- The settings of a form.
  add column form json,
  -- From this and the secret of the installation the token of a form follows, so that its link can be shown again.
  add column link_salt text;
drop trigger audit on triggers;
create constraint trigger audit
  after insert or delete or update of name, status, note, actor, inputs, filter, webhook, schedule, event, form, rotated_at on triggers
  deferrable initially deferred for each row
  execute function audit_row('trigger', 'id', 'workflow_id,kind,name,status,note,actor,inputs,filter,webhook,schedule,event,form,rotated_at',
    'created,updated,deleted');`;
