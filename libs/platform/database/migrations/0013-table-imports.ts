import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole, systemPolicy, systemRole, tenantPolicy } from '../policies.ts';

/** Imports of large files into tables, which workers carry out. */
export class TableImports1700000000013 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(imports);
    await db.query(tenantPolicy('table_imports'));
    await db.query(systemPolicy('table_imports'));
    await db.query(`grant select, insert, update, delete on table_imports to ${appRole}`);
    await db.query(`grant select, update, delete on table_imports to ${systemRole}`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const imports = /* sql */ `
create table table_imports (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  table_id text not null references tables on delete cascade,
  format text not null,
  mode text not null,
  size bigint not null,
  status text not null default 'pending',
  error text,
  -- Lines with rows that are dealt with. In the mode 'good' their rows are committed together with this number.
  line_count bigint not null default 0,
  inserted_count bigint not null default 0,
  refused_count bigint not null default 0,
  -- The first of the refused lines.
  refused jsonb not null default '[]',
  -- Attempts that began and neither ended in order nor came further.
  tries smallint not null default 0,
  relay_after timestamptz(3) not null default now() + interval '2 seconds',
  created_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  completed_at timestamptz(3)
);
create index table_imports_list on table_imports (table_id, created_at desc, id desc);
create index table_imports_relay on table_imports (relay_after) where status in ('pending', 'processing');
create index table_imports_old on table_imports (completed_at) where completed_at is not null;
-- The file of an import goes with it, and before it: once the import has ended nobody reads the file again.
alter table files add column import_id text references table_imports on delete cascade;
create index files_import on files (import_id) where import_id is not null;`;
