import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole, tenantPolicy } from '../policies.ts';

/** Effects on this database, each committed together with its output: an attempt that comes later finds it. */
export class CommittedEffects1700000000008 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(committedEffects);
    await db.query(tenantPolicy('committed_effects'));
    await db.query(`grant select, insert, update, delete on committed_effects to ${appRole}`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const committedEffects = /* sql */ `
create table committed_effects (
  execution_id text not null references executions on delete cascade,
  -- The Temporal run that asked for it, and the visit: all attempts of one visit have the same.
  call text not null,
  workspace_id text not null,
  -- Null only within the transaction that carries the effect out.
  output json,
  primary key (execution_id, call)
);`;
