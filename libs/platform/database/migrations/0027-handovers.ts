import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole, systemPolicy, systemRole, tenantPolicy } from '../policies.ts';

/** Executions that have begun, or ended, where they were accepted, and that Temporal does not have yet. */
export class Handovers1700000000027 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(handovers);
    await db.query(tenantPolicy('handovers'));
    await db.query(systemPolicy('handovers'));
    await db.query(`grant select, insert, update, delete on handovers to ${appRole}`);
    await db.query(`grant select, update, delete on handovers to ${systemRole}`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const handovers = /* sql */ `
create table handovers (
  execution_id text primary key references executions on delete cascade,
  workspace_id text not null,
  -- True when the execution has ended: Temporal only shows it.
  ended boolean not null,
  -- What the Temporal run begins with, beside what the row of the execution says.
  begun json not null,
  due_at timestamptz(3) not null
);
create index handovers_due on handovers (ended, due_at);`;
