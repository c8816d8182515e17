import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole, systemPolicy, systemRole, tenantPolicy } from '../policies.ts';

/** Nobody becomes a member of a workspace without accepting an invitation. */
export class Invitations1700000000004 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(invitations);
    await db.query(tenantPolicy('invitations'));
    await db.query(systemPolicy('invitations'));
    await db.query(`grant select, insert, update, delete on invitations to ${appRole}`);
    await db.query(`grant select, update on invitations to ${systemRole}`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

// An address is what the admins of a workspace say of a person, and nobody has proved it. Were it unique in the
// installation, whoever wrote it first would keep its owner out, and a refusal would tell which addresses are known.
const invitations = /* sql */ `
create table invitations (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  email text not null,
  name text not null,
  role text not null check (role in ('admin', 'editor', 'viewer')),
  digest text not null unique,
  status text not null default 'pending'
    check (status in ('pending', 'accepted', 'declined', 'withdrawn', 'expired')),
  invited_by text not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  decided_at timestamptz(3)
);
create unique index invitations_pending on invitations (workspace_id, lower(email)) where status = 'pending';
create index invitations_workspace on invitations (workspace_id, created_at desc, id desc);
drop index users_email;
create index users_email on users (lower(email));`;
