import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole, tenantPolicy } from '../policies.ts';

/**
 * Calls that must not be repeated, each committed right before its first byte. That Temporal hands out an attempt again does not say
 * that the one before it has sent anything.
 */
export class SentCalls1700000000003 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(sentCalls);
    await db.query(tenantPolicy('sent_calls'));
    await db.query(`grant select, insert, update, delete on sent_calls to ${appRole}`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const sentCalls = /* sql */ `
create table sent_calls (
  execution_id text not null references executions on delete cascade,
  -- The activity that carries the call: another one for each attempt that the block asks for, the same for Temporal's.
  call text not null,
  workspace_id text not null,
  -- The attempt that sends it.
  sender text not null,
  primary key (execution_id, call)
);`;
