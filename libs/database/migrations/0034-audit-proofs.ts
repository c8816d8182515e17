import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the audit log needs to be proved, searched and read by more of its filters. */
export class AuditProofs1700000000034 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(proofs);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const proofs = /* sql */ `
-- When the newest entry that retention deleted was appended. Null where it was deleted before this was kept.
alter table audit_heads add column anchor_at timestamptz(3);`;
