/** SQLSTATE of `require_run` when another Temporal run writes this execution's rows. */
export const otherRun = 'HF001';
/** SQLSTATE of `require_run` when the execution is gone. */
export const noExecution = 'HF002';

/** Refuses the whole transaction of a run that is not the one that writes. $1 execution, $2 Temporal run */
export const requireRun = `select require_run($1, $2)`;

/** Hands the rows over, once. A cancel that ended the former run is not the new run's. $1 execution, $2 Temporal run */
export const takeRows = /* sql */ `
with taken as (
  update executions set temporal_run = $2, status = 'running', output = null, failure = null, response = null,
    completed_at = null, updated_at = now(),
    cancel_requested_at = case when status in ('completed', 'failed', 'cancelled') then null else cancel_requested_at end
  where id = $1 and temporal_run is distinct from $2
  returning id
)
select id from taken`;

/**
 * The block log as it stood at the reset. A visit that the new run's history does not hold goes, one that it holds and
 * that went on afterwards goes back to where it was. $1 execution, $2 the last record that the history holds
 */
export const rewindVisits = /* sql */ `
with gone as (
  delete from visits where execution_id = $1 and (first_recorded_at is null or first_recorded_at > $2)
)
update visits set status = case when type = 'human' then 'paused' else 'running' end, ended_at = null, output = null,
  failure = null, port = null, recorded_at = first_recorded_at
where execution_id = $1 and first_recorded_at <= $2 and recorded_at > $2`;

/**
 * Pauses as they stood at the reset: one that was opened later is closed until the new run opens it again, one that
 * was answered later is open. The workflow is the authority: an answer that Temporal gives the new run again is
 * claimed again. $1 execution, $2 the last record that the history holds
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
