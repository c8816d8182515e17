import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Notes on executions that a person has retried, and that were made from another one. */
export class RunControl1700000000009 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(/* sql */ `
alter table executions
  add retried_at timestamptz(3),
  -- The execution that this one goes on from, and the visit at which it does; null for one that was executed.
  add made_from json;
create constraint trigger audit_retry after update of retried_at on executions deferrable initially deferred for each row
  when (old.retried_at is distinct from new.retried_at) execute function audit_row('execution', 'id', 'retried_at', ',retried,');
create constraint trigger audit_fork after insert on executions deferrable initially deferred for each row
  when (new.made_from is not null) execute function audit_row('execution', 'id', 'made_from', 'forked,,');`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}
