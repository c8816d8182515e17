import type { MigrationInterface, QueryRunner } from 'typeorm';
import { systemPolicy, systemRole } from '../policies.ts';

/** What turns of the worker have put off, executions that are being forgotten, and stored answers in the storage of a workspace. */
export class Deferrals1700000000045 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(deferrals);
    await db.query(systemPolicy('deferrals'));
    await db.query(`grant select, insert, update, delete on deferrals to ${systemRole}`);
    // Whoever passes over the rows that others hold locks those that are left, which needs the right to update.
    await db.query(`grant update on idempotency_keys to ${systemRole}`);
    await db.query(`grant update, delete on usage_entries to ${systemRole}`);
    await db.query(forgotten);
    await db.query(answers);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const deferrals = /* sql */ `
create table deferrals (
  kind text not null,
  item text not null,
  failures integer not null default 1,
  due_at timestamptz(3) not null,
  primary key (kind, item)
);
create index deferrals_due on deferrals (due_at);
create index usage_entries_age on usage_entries (created_at);`;

const forgotten = /* sql */ `
-- Set before the first part of an execution is deleted apart from it: no reset may open it again.
alter table executions add column forgotten_at timestamptz(3);
create index executions_forgotten on executions (forgotten_at) where forgotten_at is not null;`;

/** Shorter ones go with their key after a day, and are not worth a line each. */
const countedFrom = 65_536;

const bytes = (row: string) =>
  `case when octet_length(${row}.answer::text) > ${countedFrom} then octet_length(${row}.answer::text) else 0 end`;

const change = (row: string, sign: string) =>
  `insert into storage_changes (workspace_id, kind, bytes)
    select ${row}.workspace_id, 'answers', ${sign}(${bytes(row)}) where ${bytes(row)} > 0;`;

const answers = /* sql */ `
create function count_answers() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then ${change('new', '')} end if;
  if tg_op <> 'INSERT' then ${change('old', '-')} end if;
  return null;
end $$;
create trigger count_storage after insert or delete or update of workspace_id, answer on idempotency_keys
  for each row execute function count_answers();`;
