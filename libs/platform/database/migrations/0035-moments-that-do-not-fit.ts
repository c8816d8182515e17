import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells endpoints and event triggers of a moment of a schedule whose template or inputs do not fit, because no sender hears of it. */
export class MomentsThatDoNotFit1700000000035 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(/* sql */ `
      create or replace function tell_missed() returns trigger language plpgsql as $$
      begin
        if not has_receivers(new.workspace_id) then return null; end if;
        perform record_event(new.workspace_id, 'trigger.missed', t.workflow_id, null, 0, null, json_build_object('workflowId', t.workflow_id,
          'triggerId', t.id, 'triggerName', t.name, 'scheduledAt', new.sender_id, 'reason', left(new.error ->> 'message', 1000)))
        from triggers t where t.id = new.trigger_id and t.kind = 'schedule';
        return null;
      end $$;
      create trigger tell_unfit after insert on trigger_deliveries for each row 
        when (new.verdict = 'invalid' and new.source = 'sender' and new.replay_of is null) execute function tell_missed();`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}
