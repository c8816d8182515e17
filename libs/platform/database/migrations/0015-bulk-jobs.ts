import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole, systemRole } from '../policies.ts';
import { migrationProcedures } from '../schema-files.ts';

/** Makes the tables of bulk jobs. The items of a job are the executions that its filter found. */
export class BulkJobs1700000000015 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(migrationProcedures());
    await db.query(tables);
    await db.query(`
      call pg_temp.tenant_rows('bulk_jobs');
      call pg_temp.system_rows('bulk_jobs');
      call pg_temp.tenant_rows('bulk_items');
      grant select, insert, update, delete on bulk_jobs, bulk_items to ${appRole};
      grant select, update, delete on bulk_jobs to ${systemRole};`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const tables = /* sql */ `
create table bulk_jobs (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  verb text not null check (verb in ('retry', 'cancel', 'fork', 'delete')),
  options json not null,
  -- As the caller sent it.
  filter json not null,
  status text not null default 'running' check (status in ('running', 'completed', 'aborted')),
  total int not null,
  per_second float8 not null,
  actor json not null,
  -- For whom it acts: the context of the audit log, and who pays.
  acting json not null,
  payer json not null,
  -- Why it waits, such as a hold; null while it works.
  waits_for text,
  -- Up to this time the rate is used up.
  credited_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3)
);
comment on table bulk_jobs is 'Jobs that do one thing to many executions.';
create index bulk_jobs_due on bulk_jobs (workspace_id, due_at) where status = 'running';
create index bulk_jobs_list on bulk_jobs (workspace_id, created_at, id);
create index bulk_jobs_old on bulk_jobs (ended_at);
create constraint trigger audit after insert or update of status on bulk_jobs deferrable initially deferred for each row execute function audit_row('bulk_job', 'id', 'verb,filter,options,total,status', 'created,updated,');

create table bulk_items (
  job_id text not null references bulk_jobs (id) on delete cascade,
  number int not null,
  workspace_id text not null,
  execution_id text not null,
  -- The execution that a fork makes.
  made_id text,
  -- Null: it waits for its turn.
  outcome text check (outcome in ('done', 'refused')),
  code text,
  message text,
  at timestamptz(3),
  primary key (job_id, number)
);
comment on table bulk_items is 'What became of each execution of a bulk job, written in the transaction of the act.';
create index bulk_items_waiting on bulk_items (job_id, number) where outcome is null;
create index bulk_items_refused on bulk_items (job_id, number) where outcome = 'refused';
`;
