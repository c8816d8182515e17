import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Remembers the triggers that a deploy leaves out, so that a later one brings back the same triggers. */
export class LeftOutTriggers1700000000029 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(/* sql */ `
      alter table triggers
        -- Since when the live definition no longer carries it. Such a trigger starts nothing, and nobody sees it.
        add column left_out_at timestamptz(3) check (left_out_at is null or is_defined);
      drop trigger audit on triggers;
      create constraint trigger audit
        after insert or delete or update of name, status, note, actor, inputs, filter, webhook, schedule, event, form, rotated_at, left_out_at on triggers
        deferrable initially deferred for each row
        execute function audit_row('trigger', 'id', 'workflow_id,kind,name,status,note,actor,inputs,filter,webhook,schedule,event,form,rotated_at,left_out_at',
          'created,updated,deleted')`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}
