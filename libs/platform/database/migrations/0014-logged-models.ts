import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The models that llm blocks used, in a column that lists of logs may filter by; and an index for costs of nothing too. */
export class LoggedModels1700000000014 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(models);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

// The name comes from the server that was called, and an index takes no text of any length.
const models = /* sql */ `
alter table visits add column model text
  generated always as (case when type = 'llm' then left(output ->> 'model', 200) end) stored;
create index visits_log_model on visits (workspace_id, model, execution_id) where model is not null;
drop index usage_entries_log_cost;
create index usage_entries_log_cost on usage_entries (workspace_id, cost_micros);`;
