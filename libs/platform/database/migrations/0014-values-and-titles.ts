import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps what visits have sent, for workspaces that want it, and the titles of executions. */
export class ValuesAndTitles1700000000014 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(/* sql */ `
      alter table visits add column sent json;
      comment on column visits.sent is 'The parameters with their values, without secrets; null when the workspace keeps none.';
      alter table executions add column title text;
      comment on column executions.title is 'What people know it by: the title template of its workflow, or a line of its inputs.';
      alter table workspaces add column records_values boolean not null default true;
      drop trigger audit on workspaces;
      create constraint trigger audit after insert or update of name, plan, personal_keys_allowed, records_values on workspaces
        deferrable initially deferred for each row execute function
        audit_row('workspace', 'id', 'name,plan,personal_keys_allowed,records_values', 'created,updated,');
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}
