import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole, overAllRows, systemPolicy, systemRole, tenantPolicy } from '../policies.ts';

/** What each workspace has stored, in bytes. Triggers keep it, so that no statement which stores or deletes can forget to. */
export class Storage1700000000016 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(totals);
    for (const one of stored) {
      const { table, kind, size } = one;
      const before = `insert into storage_totals select workspace_id, '${kind}', sum(${size('t')}) from ${table} t group by workspace_id`;
      await db.query(overAllRows([table], before));
      await db.query(one.each === 'row' ? countedByRow(one) : countedByStatement(one));
    }
    for (const table of ['storage_totals', 'storage_changes']) {
      await db.query(tenantPolicy(table));
      await db.query(systemPolicy(table));
      await db.query(`grant select, insert, update, delete on ${table} to ${appRole}, ${systemRole}`);
    }
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

/**
 * Rows that are written many at a time are counted by the statement, others one by one: most statements that could store a payload
 * store none, and those are not to pay. A cell counts as its JSON text: what Postgres makes of it on the disk changes when it is moved.
 */
const stored = [
  { table: 'payloads', kind: 'payloads', size: (row: string) => `${row}.bytes`, each: 'row' },
  { table: 'files', kind: 'documents', size: (row: string) => `${row}.size`, each: 'row' },
  {
    table: 'table_rows',
    kind: 'tables',
    size: (row: string) => `octet_length(${row}.data::text)`,
    each: 'statement',
  },
] as const;

const totals = /* sql */ `
create table storage_totals (
  workspace_id text not null references workspaces on delete cascade,
  kind text not null,
  bytes bigint not null,
  primary key (workspace_id, kind)
);
-- Each statement adds a line of its own, and a worker adds the lines up: nobody waits for the total, however long their transaction is.
-- Without a key to the workspace, because that would be checked for each line.
create table storage_changes (
  id bigint generated always as identity primary key,
  workspace_id text not null,
  kind text not null,
  bytes bigint not null
);
create index storage_changes_workspace on storage_changes (workspace_id);`;

type Stored = (typeof stored)[number];

const countedByRow = ({ table, kind, size }: Stored) => /* sql */ `
create function count_${kind}() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into storage_changes (workspace_id, kind, bytes) values (new.workspace_id, '${kind}', ${size('new')});
  end if;
  if tg_op <> 'INSERT' then
    insert into storage_changes (workspace_id, kind, bytes) values (old.workspace_id, '${kind}', -(${size('old')}));
  end if;
  return null;
end $$;
create trigger count_storage after insert or delete or update of workspace_id, ${size('').slice(1)} on ${table}
  for each row execute function count_${kind}();`;

function countedByStatement({ table, kind, size }: Stored): string {
  const added = `select workspace_id, ${size('t')} as bytes from added t`;
  const gone = `select workspace_id, -(${size('t')}) as bytes from gone t`;
  const events = [
    { event: 'insert', rows: added, tables: 'new table as added' },
    { event: 'delete', rows: gone, tables: 'old table as gone' },
    {
      event: 'update',
      rows: `${added} union all ${gone}`,
      tables: 'old table as gone new table as added',
    },
  ];
  const triggers = events.map(
    ({ event, rows, tables }) => /* sql */ `
create function count_${kind}_${event}() returns trigger language plpgsql as $$
begin
  insert into storage_changes (workspace_id, kind, bytes)
  select workspace_id, '${kind}', sum(bytes) from (${rows}) c group by workspace_id having sum(bytes) <> 0;
  return null;
end $$;
create trigger count_storage_${event} after ${event} on ${table} referencing ${tables}
  for each statement execute function count_${kind}_${event}();`,
  );
  return triggers.join('');
}
