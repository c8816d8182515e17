import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole, tenantPolicy } from '../policies.ts';

/** Servers of the Model Context Protocol: which workflows of a workspace agents may call as tools. */
export class McpServers1700000000060 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(table);
    await db.query(tenantPolicy('mcp_servers'));
    await db.query(`grant select, insert, update, delete on mcp_servers to ${appRole}`);
    await db.query(audited);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const table = /* sql */ `
create table mcp_servers (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  name text not null,
  description text not null default '',
  -- Offers the deployed workflows that lie here or below; null offers none by where it lies.
  folder text,
  -- Workflows that are chosen one by one, and how each is shown.
  tools json not null default '[]',
  wait_seconds integer not null default 20,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint mcp_servers_name unique (workspace_id, name)
);
create index mcp_servers_created on mcp_servers (workspace_id, created_at, id);`;

const audited = /* sql */ `
create constraint trigger audit after insert or update of name, description, folder, tools, wait_seconds or delete on mcp_servers
  deferrable initially deferred for each row
  execute function audit_row('mcp_server', 'id', 'name,description,folder,tools,wait_seconds', 'created,updated,deleted');`;
