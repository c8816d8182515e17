import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole, systemRole } from '../policies.ts';
import { migrationProcedures } from '../schema-files.ts';

/** Makes the tables of runs that a process carries out by itself: the processes, their runs, and the events of runs. */
export class DirectRuns1700000000005 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(migrationProcedures());
    await db.query(tables);
    await db.query(`
      call pg_temp.system_rows('processes');
      call pg_temp.tenant_rows('direct_runs');
      call pg_temp.system_rows('direct_runs');
      call pg_temp.tenant_rows('run_events');
      grant select, insert, update, delete on processes to ${systemRole};
      grant select, insert, update, delete on direct_runs to ${appRole};
      grant select, update on direct_runs to ${systemRole};
      grant select, insert, update, delete on run_events to ${appRole};`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const tables = /* sql */ `
create table processes (
  id text primary key,
  -- Renewed every two seconds. After ten seconds without it, other processes take over the runs of this process.
  beat_at timestamptz(3) not null default now(),
  -- True while callers wait for runs there. Then ended runs are not shown in Temporal yet.
  is_busy boolean not null
);
comment on table processes is 'One row for each process that accepts executions: its lease, and how busy it is.';
create table direct_runs (
  execution_id text primary key references executions (id) on delete cascade,
  workspace_id text not null,
  -- Only this process may write the run. Another value of this column fences it off.
  process_id text not null,
  begun_at timestamptz(3) not null default now()
) with (autovacuum_vacuum_threshold=200, autovacuum_vacuum_scale_factor=0);
comment on table direct_runs is 'The runs that a process carries out by itself. Temporal does not know them yet.';
create table run_events (
  execution_id text not null references executions (id) on delete cascade,
  -- The place of the event in the run, from 1.
  number int not null,
  workspace_id text not null,
  event json not null,
  at timestamptz(3) not null,
  primary key (execution_id, number)
);
comment on table run_events is 'What has happened to a run that a process carries out by itself. With the inputs, the events give its state.';`;
