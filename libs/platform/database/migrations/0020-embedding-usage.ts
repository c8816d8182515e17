import type { MigrationInterface, QueryRunner } from 'typeorm';
import { overAllRows } from '../policies.ts';

/** What embedding costs is booked under who asked for it, and as embedding. What was booked before names nobody. */
export class EmbeddingUsage1700000000020 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(usage);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const earlier = /* sql */ `
update usage_entries set kind = 'embedding', actor = 'unknown' where actor = 'search' or actor like 'doc\\_%'`;

const usage = /* sql */ `
-- Who added the document, or had it processed again: a user or a key.
alter table documents add column actor text not null default 'unknown';
-- What was paid for: an execution, or embedding.
alter table usage_entries add column kind text not null default 'execution';
${overAllRows(['usage_entries'], earlier)}`;
