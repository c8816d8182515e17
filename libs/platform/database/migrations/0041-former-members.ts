import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole, tenantPolicy } from '../policies.ts';

/** Who was a member of a workspace and left it: one person stays one person to its requests, and the links that they had end. */
export class FormerMembers1700000000041 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(formerMembers);
    await db.query(tenantPolicy('former_members'));
    await db.query(`grant select, insert, update on former_members to ${appRole}`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const formerMembers = /* sql */ `
create table former_members (
  workspace_id text not null references workspaces on delete cascade,
  user_id text not null references users on delete cascade,
  -- In lower case.
  email text not null,
  removed_at timestamptz(3) not null default now(),
  primary key (workspace_id, user_id)
);
create index former_members_email on former_members (workspace_id, email);`;
