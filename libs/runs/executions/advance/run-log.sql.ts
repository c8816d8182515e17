import { startColumns } from '../deliver/workflow-starter.ts';

/** $1 execution */
export const readExecution = /* sql */ `
select ${startColumns}, e.status, e.started_at, e.temporal_run, e.cancel_requested_at is not null as is_cancelled, e.root_id, e.parent_id
from executions e where e.id = $1`;

/** Locks an execution for its next events. $1 execution */
export const lockExecution = `${readExecution} for no key update`;

/** Locks the execution of a pause, after its outermost execution. $1 context */
export const lockExecutionOfPause = /* sql */ `
select e.cancel_requested_at is not null as is_cancelled from executions e join pause_points t on e.id in (t.root_id, t.execution_id)
where t.context_id = $1
order by e.id = t.root_id desc for no key update of e`;

/** The outermost execution runs again, because a pause of its child was answered. $1 execution */
export const wakeRoot = `update executions set status = 'running', updated_at = now() where id = $1 and status = 'paused'`;

/**
 * The number of the last event of a run, read after its lock: a statement that waits for a lock sees older versions of other rows.
 * $1 execution
 */
export const lastNumber = 'select coalesce(max(number), 0) as number from run_events where execution_id = $1';

/** The latest snapshot of a run. $1 execution */
export const snapshotOfRun = /* sql */ `
select s.number, s.snapshot, e.at from run_snapshots s join run_events e using (execution_id, number) where s.execution_id = $1`;

/** $1 execution, $2 the last event that is known */
export const eventsAfter =
  'select number, event, at from run_events where execution_id = $1 and number > $2 order by number';

/** Finds whether somebody else has carried an effect out, or has the run. $1 execution, $2 a number of an event, $3 path, $4 the process that had the run, or null */
export const takenSince = /* sql */ `
select where exists (
    select from run_events where execution_id = $1 and number > $2 and event ->> 'path' = $3
    and event ->> 'kind' in ('succeeded', 'failed'))
  or ($4::text is not null and not exists (select from direct_runs where execution_id = $1 and process_id = $4))`;

/** Writes events of a run. $1 execution, $2 workspace, $3 events, $4 their moment */
export const insertEvents = /* sql */ `
insert into run_events (execution_id, workspace_id, number, event, at)
select $1, $2, g.number, g.event::json, $4 from json_to_recordset($3::json) as g (number int, event text)`;

/** $1 execution, $2 workspace, $3 number, $4 snapshot */
export const saveSnapshot = /* sql */ `
insert into run_snapshots (execution_id, workspace_id, number, snapshot) values ($1, $2, $3, $4)
on conflict (execution_id) do update set number = excluded.number, snapshot = excluded.snapshot`;

/** $1 execution, $2 number */
export const momentOfEvent = 'select at from run_events where execution_id = $1 and number = $2';

/** Removes the events after a number, and a snapshot that knows them. $1 execution, $2 number */
export const rewindEvents = /* sql */ `
with gone as (delete from run_events where execution_id = $1 and number > $2)
delete from run_snapshots where execution_id = $1 and number > $2`;

/** Shows the status of a run that has no new event. $1 execution, $2 status */
export const showStatus = `update executions set status = $2, updated_at = now() where id = $1 and status in ('queued', 'running', 'paused')`;

/** Makes a Temporal run the owner of rows that have none, so that another one is noticed. $1 execution, $2 Temporal run */
export const ownRows = 'update executions set temporal_run = $2 where id = $1 and temporal_run is null';
