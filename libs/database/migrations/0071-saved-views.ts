import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole, tenantPolicy } from '../policies.ts';

/** Filters of lists to which a person has given a name, in each workspace for themselves. */
export class SavedViews1700000000071 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(table);
    await db.query(tenantPolicy('saved_views'));
    await db.query(`grant select, insert, update, delete on saved_views to ${appRole}`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const table = /* sql */ `
create table saved_views (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  user_id text not null references users on delete cascade,
  -- The list that is filtered.
  area text not null,
  name text not null,
  -- As in the address of the page.
  query text not null,
  created_at timestamptz(3) not null default now(),
  unique (workspace_id, user_id, area, name)
);
create index saved_views_user on saved_views (user_id);`;
