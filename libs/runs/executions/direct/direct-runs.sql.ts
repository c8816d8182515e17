import {
  buildVisitValues,
  insertUsage,
  visitColumns,
  visitShape,
  visitUpdates,
} from '../record/record.sql.ts';

/** The one argument of `commitStep`. Columns with JSON are text, because JSON within JSON could not hold every character. */
export interface StepRow {
  execution_id: string;
  workspace_id: string;
  process_id: string;
  /** Absent when the step has no event, such as a hand-over after a failed attempt. */
  number?: number;
  event?: string;
  at: Date;
  visits: object[];
  /** What the step costs, for `commitPaidStep`. */
  usage?: object[];
  /** True when the process is done with the run: it has ended, or Temporal goes on. */
  leaves: boolean;
  /** The columns of an ended execution. */
  status?: string;
  output?: string | null;
  failure?: string | null;
  response?: string | null;
  completed_at?: Date | null;
  /** The row of the outbox, for a run that Temporal must show or go on with. */
  start_input?: string;
}

const stepTypes = {
  execution_id: 'text',
  workspace_id: 'text',
  process_id: 'text',
  number: 'int',
  event: 'text',
  at: 'timestamptz',
  visits: 'json',
  usage: 'json',
  leaves: 'boolean',
  status: 'text',
  output: 'text',
  failure: 'text',
  response: 'text',
  completed_at: 'timestamptz',
  start_input: 'text',
} satisfies Record<keyof StepRow, string>;
const stepShape = Object.entries(stepTypes)
  .map(([name, type]) => `${name} ${type}`)
  .join(', ');

/**
 * Commits one step of a run in one statement: its event, the block log, and the end or the hand-over. `is_owner` is false, and nothing
 * is written, when the run belongs to another process by now. The same step twice changes nothing.
 * $1 a `StepRow`
 */
const buildCommit = (booked: string) => /* sql */ `
with given as (
  select ${Object.keys(stepTypes).join(', ')} from json_to_record($1::json) as g (${stepShape})
), owner as (
  select d.execution_id from direct_runs d, given g
  where d.execution_id = g.execution_id and d.process_id = g.process_id for update of d
), freed as (
  delete from direct_runs d using owner o, given g where d.execution_id = o.execution_id and g.leaves
), noted as (
  insert into run_events (execution_id, number, workspace_id, event, at)
  select o.execution_id, g.number, g.workspace_id, g.event::json, g.at from owner o, given g where g.number is not null
  on conflict do nothing
  returning execution_id
)${booked}, logged as (
  insert into visits as v (execution_id, workspace_id, ${visitColumns}, first_recorded_at, recorded_at)
  select o.execution_id, g.workspace_id, ${buildVisitValues('g.workspace_id')}, g.at, g.at
  from owner o, given g, json_to_recordset(g.visits) as r (${visitShape})
  on conflict (execution_id, path) do update set
    ${visitUpdates}, first_recorded_at = excluded.first_recorded_at
), moved as (
  update executions e set status = g.status, output = g.output::json, failure = g.failure::json, response = g.response::json,
    completed_at = g.completed_at, updated_at = now()
  from owner o, given g where e.id = o.execution_id and g.status is not null
  returning e.awaited_until
), handed as (
  insert into inline_start_outbox (execution_id, workspace_id, ended, start_input, due_at)
  -- The process starts a run that goes on itself, right after the commit.
  select o.execution_id, g.workspace_id, g.status is not null, g.start_input::json,
    now() + case when g.status is null then interval '1 second' else interval '0' end from owner o, given g
  where g.start_input is not null
  on conflict do nothing
)
select exists (select from owner) as is_owner, (select awaited_until > now() from moved) as awaited from given`;

export const commitStep = buildCommit('');

/** Like `commitStep`, and books the usage in the same statement, so that it is booked once, by the owner. */
export const commitPaidStep = buildCommit(
  `, booked as (${insertUsage('(select n.execution_id, g.usage as entries from noted n, given g)')})`,
);

/** True while callers wait in some process for much of the time. */
export const doCallersWait = `exists (select from processes p where p.is_busy and p.beat_at > now() - interval '5 seconds')`;

/** Locks the run of a process until the end of the transaction; no row when it belongs to another. $1 execution, $2 process */
export const lockRun =
  'select process_id from direct_runs where execution_id = $1 and process_id = $2 for update';

/** Locks a run until the end of the transaction; no row when no process carries it out. $1 execution */
export const lockRunOfAny = 'select process_id from direct_runs where execution_id = $1 for update';

/** Like `lockRun`, but gives no row either while another transaction has the run. $1 execution, $2 process */
export const tryLockRun = `${lockRun} skip locked`;

/**
 * Renews the lease of a process. Returns the time of the database, and the runs that the rows give to the process.
 * $1 process, $2 whether callers wait in it
 */
export const renewLease = /* sql */ `
insert into processes (id, is_busy) values ($1, $2) on conflict (id) do update set beat_at = now(), is_busy = excluded.is_busy
returning extract(epoch from clock_timestamp()) * 1000 as now_ms, coalesce((
  select json_agg(json_build_object('executionId', execution_id, 'workspaceId', workspace_id)) from direct_runs where process_id = $1
), '[]') as runs`;

/** The lease ends at once, so that others take over what the process has left. $1 process */
export const endLease = 'delete from processes where id = $1';

/** Returns a row when the run belongs to the process. $1 execution, $2 process */
export const findOwnRun = 'select 1 from direct_runs where execution_id = $1 and process_id = $2';

/** Returns the processes that have a lease or own runs, each with its last beat, and whether that is old by the clock of the database. */
export const findLeases = /* sql */ `
select coalesce(p.id, o.id) as "processId", p.beat_at::text as beat, coalesce(p.beat_at < now() - interval '10 seconds', true) as "isOld"
from processes p full join (select distinct process_id as id from direct_runs) o on o.id = p.id`;

/**
 * Takes runs from processes that have not renewed their lease since the beat, and returns them, those that waited longest first. From then on
 * they belong to nobody, so whoever finds them goes on with them. $1 processes, $2 their beats
 */
export const takeLostRuns = /* sql */ `
with taken as (
  select execution_id from direct_runs d
  join unnest($1::text[], $2::timestamptz[]) as lost (id, beat) on lost.id = d.process_id
  left join processes p on p.id = lost.id
  where p.beat_at is not distinct from lost.beat
  order by d.begun_at limit 100 for update of d skip locked
)
update direct_runs d set process_id = 'lost' from taken where d.execution_id = taken.execution_id
returning d.execution_id as "executionId", d.workspace_id as "workspaceId", d.process_id as "processId"`;

/** Puts a run that could not be handed over behind all others. $1 execution */
export const postponeRun = 'update direct_runs set begun_at = now() where execution_id = $1';

/** A lost process comes back under another id, or renews its lease, so its row is of no use once its runs are gone. $1 processes, $2 their beats */
export const forgetProcesses = /* sql */ `
delete from processes p using unnest($1::text[], $2::timestamptz[]) as lost (id, beat)
where p.id = lost.id and p.beat_at = lost.beat and not exists (select from direct_runs d where d.process_id = p.id)`;
