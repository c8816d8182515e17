import type { MigrationInterface, QueryRunner } from 'typeorm';
import { overAllRows } from '../policies.ts';

/**
 * An answer is done with when Temporal's history holds it. What the run recorded is no proof: the task in which it did
 * so may have been lost. Answers of runs that have ended are taken as acknowledged, all others are told again once.
 */
export class AcknowledgedAnswers1700000000002 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(acknowledged);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const earlier = /* sql */ `
update resume_entries r set acknowledged_at = now() from executions e
where e.id = r.execution_id and (r.status = 'failed' or e.status in ('completed', 'failed', 'cancelled'))`;

const acknowledged = /* sql */ `
alter table resume_entries add column acknowledged_at timestamptz(3);
${overAllRows(['resume_entries', 'executions'], earlier)}
create index resume_entries_unacknowledged on resume_entries (relay_after) where acknowledged_at is null;`;
