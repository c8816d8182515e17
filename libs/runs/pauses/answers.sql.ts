import { claimInTurn } from '#libs/platform/database/fair-claim';
import { lagOver } from '#libs/platform/database/outbox';
import { executionNamed } from '#libs/runs/executions/executions';
import { isUnsent } from '#libs/runs/executions/record/record.sql';

export const entryById = 'where t.id = $1';

export const pointForAnswer = /* sql */ `
where t.context_id = $1 and exists (
  select from executions e where e.id = t.root_id and e.workflow_id = $2 and e.id = ${executionNamed('$3')}
) for update`;

/**
 * Writes the answer and the states that readers see because of it, in one statement. The outbox sends an answer that
 * the API applied inline; any other answer is sent at once, and the outbox repeats a failed send. Returns the origins of the
 * executions that it wakes.
 * $1 entry, $2 workspace, $3 new execution id, $4 pause, $5 answers, $6 mode or null for that of the execution, $7 actor, $8
 * person, $9 true when the answer ends the pause, $10 the time at which the API applied it inline or null
 */
export const insertEntry = /* sql */ `
with entry as (
  insert into resume_entries (id, workspace_id, execution_id, paused_execution_id, new_execution_id, context_id, resume_input, mode, actor, person,
    applied_at, next_delivery_at, queued_at)
  select $1, $2, p.execution_id, p.paused_execution_id, $3, p.context_id, $5, coalesce($6, e.mode), $7, $8, $10,
    now() + case when $10::timestamptz is null then interval '3 seconds' else interval '0' end, clock_timestamp()
  from pause_points p join executions e on e.id = p.root_id
  where p.context_id = $4
  returning context_id
), point as (
  update pause_points set resume_status = 'resuming' where context_id = $4 and $9 returning execution_id, root_id
)
update executions set status = 'running', updated_at = now()
where id = any (array(select execution_id from point union select root_id from point)) and status = 'paused'
returning origin`;

export const findAhead =
  'select 1 from paused_executions where execution_id = $1 and applied_inline is not null';

export const acknowledgeEntry = /* sql */ `
update resume_entries set acknowledged_at = now() where id = $1 and acknowledged_at is null`;

/**
 * Refuses an answer and opens its pause again. An answer that the run took before stays unchanged. Resets the time of
 * the last check, so that the reconciler soon asks whether Temporal still has the run.
 */
export const failEntry = /* sql */ `
with refused as (
  update resume_entries set status = 'failed', failure_reason = $2, completed_at = now(), acknowledged_at = now()
  where id = $1 and status = 'pending'
  returning context_id
), reopened as (
  update pause_points p set resume_status = 'paused' from refused r
  where p.context_id = r.context_id and p.resume_status = 'resuming'
  returning p.execution_id, p.root_id
), paused as (
  update executions e set status = 'paused', updated_at = 'epoch' from reopened p
  where e.id in (p.execution_id, p.root_id) and e.status = 'running'
    and not exists (select from visits v where v.execution_id = e.id and v.status = 'running' and v.type <> 'workflow')
)
update resume_entries set acknowledged_at = now() where id = $1 and status <> 'pending'`;

/**
 * Claims due answers. An answer waits longer the older it is, at most five minutes, so runs without a worker take
 * few turns.
 */
export const claimEntries = /* sql */ `
update resume_entries r set next_delivery_at = now() + least(interval '5 minutes', greatest(interval '5 seconds', (now() - r.queued_at) / 4))
from (${claimInTurn({
  table: 'resume_entries',
  id: 'id',
  at: 'next_delivery_at',
  waits: [isUnsent('resume_entries')],
})}
) due
where r.id = due.id
returning r.id, r.workspace_id as "workspaceId", r.execution_id as "executionId", r.context_id as "contextId",
  r.resume_input as answers, r.person, r.queued_at as "queuedAt", r.applied_at as "appliedAt"`;

export const answersLag = lagOver(`select queued_at as since from resume_entries
  where ${isUnsent('resume_entries')} order by next_delivery_at limit 10000`);

export const earlierEntries = /* sql */ `
join resume_entries mine on mine.id = $2
where t.execution_id = $1 and ${isUnsent('t')}
  and (t.queued_at, t.id) < (mine.queued_at, mine.id)
order by t.queued_at, t.id`;

/** Commits the expiry of a pause that nobody has answered. $1 pause, $2 time */
export const expireUnanswered = /* sql */ `
with point as (
  update pause_points set resume_status = 'expired', closed_at = $2
  where context_id = $1 and resume_status in ('paused', 'queued') returning context_id
)
update resume_entries set status = 'failed', failure_reason = 'the pause expired before enough people had answered',
  completed_at = now()
where context_id in (select context_id from point) and status = 'pending'`;

/** A readable name of the person or key whose answer counts. */
export const findWinner = /* sql */ `
select r.queued_at as at, coalesce(
  (select u.name from users u where u.id = r.actor ->> 'id'),
  (select 'the key "' || k.name || '"' from api_keys k where k.id = r.actor ->> 'id'),
  r.person #>> '{names,-1}',
  case r.actor ->> 'kind' when 'operator' then 'an operator in Temporal' else 'someone with the link' end) as who
from resume_entries r where r.context_id = $1 and r.status <> 'failed' order by r.queued_at desc, r.id desc limit 1`;
