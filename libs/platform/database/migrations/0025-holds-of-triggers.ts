import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets a hold keep back what one trigger starts. Such a hold stops no line of its workflow, whose other executions start. */
export class HoldsOfTriggers1700000000025 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(/* sql */ `
      -- Null: whatever starts them. It has no foreign key, because what waits for a deleted trigger must still be released.
      alter table holds add column trigger_id text check (trigger_id is null or workflow_id is not null);
      drop index holds_once;
      alter table holds add constraint holds_once unique nulls not distinct (workspace_id, workflow_id, trigger_id);
      drop trigger audit on holds;
      create constraint trigger audit after insert or delete or update of mode, reason, released_at, per_second on holds deferrable initially deferred for each row
        execute function audit_row('hold', 'id', 'workflow_id,trigger_id,mode,reason,released_at,per_second', 'created,updated,deleted');`);
    await db.query(linesPassOverTriggers);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

/** Changes the one condition of `advance_flow_line` that reads holds. Fails when the function is not as it was. */
const linesPassOverTriggers = /* sql */ `
do $$
declare
  before text := pg_get_functiondef('advance_flow_line(text, text, text)'::regprocedure);
  after text := replace(before, 'and h.released_at is null)', 'and h.trigger_id is null and h.released_at is null)');
begin
  if after = before then raise exception 'advance_flow_line reads no holds'; end if;
  execute after;
end $$`;
