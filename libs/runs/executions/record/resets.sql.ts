/** The SQLSTATE of `require_run` when another Temporal run writes this execution's rows. */
export const otherRun = 'HF001';
/** The SQLSTATE of `require_run` when the execution does not exist. */
export const noExecution = 'HF002';

/** Fails the whole transaction of a Temporal run that does not own the rows. $1 execution, $2 Temporal run */
export const requireRun = `select require_run($1, $2)`;

/**
 * Gives the rows to the Temporal run that continues their owner.
 * $1 execution, $2 Temporal run, $3 the run that it continues
 */
export const keepRows = /* sql */ `
with kept as (
  update executions set temporal_run = $2 where id = $1 and temporal_run = $3 returning id
)
select id from kept`;

export const ownerOf = 'select temporal_run from executions where id = $1';

/**
 * Gives the rows to the new Temporal run, once. A cancel that ended the former run does not count for the new one. An
 * execution that retention has partly deleted never opens again.
 * $1 execution, $2 Temporal run
 */
export const takeRows = /* sql */ `
with taken as (
  update executions set temporal_run = $2, status = 'running', output = null, failure = null, response = null,
    completed_at = null, updated_at = now(),
    cancel_requested_at = case when status in ('completed', 'failed', 'cancelled') then null else cancel_requested_at end
  where id = $1 and temporal_run is distinct from $2 and forgotten_at is null
  returning id
)
select id from taken`;

/**
 * Locks the rows of an execution that another Temporal run owns, unless retention is deleting them.
 * $1 execution, $2 Temporal run
 */
export const holdRows = /* sql */ `
select id from executions where id = $1 and temporal_run is distinct from $2 and forgotten_at is null for update`;

const later = 'execution_id = $1 and (first_recorded_at is null or first_recorded_at > $2)';
const changedLater = 'execution_id = $1 and first_recorded_at <= $2 and recorded_at > $2';

/**
 * Puts the block log back to the moment of the reset. Deletes a visit that the new run's history does not have. A
 * visit that changed later gets its state of that moment back. Returns the larger count of both kinds, at most $3.
 * $1 execution, $2 the last record in the history, $3 visits of each kind
 */
export const rewindVisits = /* sql */ `
with deleted as (
  delete from visits where ctid = any (array(select ctid from visits where ${later} limit $3)) and ${later} returning 1
), changed as (
  update visits set status = case when type = 'human' then 'paused' else 'running' end, ended_at = null, output = null,
    failure = null, port = null, recorded_at = first_recorded_at
  where ctid = any (array(select ctid from visits where ${changedLater} limit $3)) and ${changedLater} returning 1
)
select greatest((select count(*) from deleted), (select count(*) from changed))::int as n`;

/**
 * Puts the pauses back to the moment of the reset. A pause that was opened later is closed until the new run opens it
 * again. A pause that was answered later is open. The workflow decides which answers count: it claims an answer again
 * when Temporal delivers it again.
 * $1 execution, $2 the last record in the history
 */
export const rewindPauses = /* sql */ `
with points as (
  update pause_points set
    resume_status = case when recorded_at > $2 then 'failed' else 'paused' end,
    closed_at = case when recorded_at > $2 then now() end
  where execution_id = $1 and (recorded_at > $2 or closed_at > $2)
  returning context_id, recorded_at > $2 as reopened
)
update resume_entries r set status = 'failed', failure_reason = 'the run was reset to before this answer', completed_at = now()
from points p
where r.context_id = p.context_id and r.status <> 'failed' and (p.reopened or r.claimed_at > $2)`;
