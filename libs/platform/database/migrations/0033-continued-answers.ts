import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A run that waits for one person's answer leaves its state in the rows, so that who takes the answer can go on from it. */
export class ContinuedAnswers1700000000033 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(continuedAnswers);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const continuedAnswers = /* sql */ `
alter table paused_executions
  -- The state to go on from while one answer is all that the run waits for.
  add column rest json,
  -- The answer after which the rows went on without the run; null once the run has recorded that answer.
  add column ahead text;
-- When the rows went on from this answer; null when the run itself did.
alter table resume_entries add column applied_at timestamptz(3);
create function require_caught_up(execution text, claimed text[]) returns void language plpgsql as $$
begin
  -- An answer that is being committed holds this row.
  perform 1 from executions where id = execution for no key update;
  if exists (select from paused_executions where execution_id = execution and ahead is not null and not ahead = any (claimed)) then
    raise exception 'the rows of % are ahead of this record', execution using errcode = 'HF003';
  end if;
end $$;`;
