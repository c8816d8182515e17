import { claimInTurn, isAnyDue } from '#libs/platform/database/fair-claim';
import { lagOver } from '#libs/platform/database/outbox';
import { doCallersWait } from '#libs/runs/executions/direct/direct-runs.sql';
import { executionNamed } from '#libs/runs/executions/executions';
import { isUnsent } from '#libs/runs/executions/record/record.sql';

export const byId = 'where t.id = $1';

export const pointForAnswer = /* sql */ `
where t.context_id = $1 and exists (
  select from executions e where e.id = t.root_id and e.workflow_id = $2 and e.id = ${executionNamed('$3')}
) for update`;

/**
 * Writes an answer. The outbox tells Temporal of it, when the first try fails.
 * $1 entry, $2 workspace, $3 new execution id, $4 pause, $5 answers, $6 mode or null for that of the execution, $7 actor, $8 person
 */
export const insertEntry = /* sql */ `
insert into resume_entries (id, workspace_id, execution_id, paused_execution_id, new_execution_id, context_id, resume_input, mode, actor, person,
  next_delivery_at, queued_at)
select $1, $2, p.execution_id, p.paused_execution_id, $3, p.context_id, $5, coalesce($6, e.mode), $7, $8,
  now() + interval '1 second', clock_timestamp()
from pause_points p join executions e on e.id = p.root_id
where p.context_id = $4`;

/** Takes an answer that leaves its pause open, because more people must answer. $1 entry */
export const takeVote = /* sql */ `
update resume_entries r set claimed_at = now(), status = case e.status when 'paused' then 'completed' else 'claimed' end,
  completed_at = case e.status when 'paused' then now() end
from executions e where r.id = $1 and e.id = r.execution_id`;

/** Answers that a reset has taken back. $1 entries */
export const takenBack = /* sql */ `
select id from resume_entries where id = any($1) and status = 'failed' and claimed_at is not null and acknowledged_at is not null
order by queued_at, id`;

export const acknowledgeEntry = /* sql */ `
update resume_entries set acknowledged_at = now() where id = $1 and acknowledged_at is null`;

const unsentEntries = {
  table: 'resume_entries',
  id: 'id',
  at: 'next_delivery_at',
  waits: [isUnsent('resume_entries')],
};

export const isEntryDue = isAnyDue(unsentEntries);

/**
 * Temporal only closes a run that has ended, which costs as much as a short run. So that waits while callers do, for half a minute. The end of
 * a child is what its parent waits for.
 */
const isOfUseNow = /* sql */ `(not ${doCallersWait} or queued_at < now() - interval '30 seconds' or coalesce((
  select e.root_id is not null or e.status not in ('completed', 'failed', 'cancelled')
  from executions e where e.id = resume_entries.execution_id), true))`;

/**
 * Claims due answers. An answer waits longer the older it is, at most five minutes, so runs without a worker take
 * few turns.
 */
export const claimEntries = /* sql */ `
update resume_entries r set next_delivery_at = now() + least(interval '5 minutes', greatest(interval '5 seconds', (now() - r.queued_at) / 4))
from (${claimInTurn({ ...unsentEntries, also: isOfUseNow })}
) due
where r.id = due.id
returning r.id, r.workspace_id as "workspaceId", r.execution_id as "executionId", r.context_id as "contextId",
  r.resume_input as answers`;

export const answersLag = lagOver(`select queued_at as since from resume_entries
  where ${isUnsent('resume_entries')} order by next_delivery_at limit 10000`);

/** A readable name of the person or key whose answer counts. */
export const findWinner = /* sql */ `
select r.queued_at as at, coalesce(
  (select u.name from users u where u.id = r.actor ->> 'id'),
  (select 'the key "' || k.name || '"' from api_keys k where k.id = r.actor ->> 'id'),
  r.person #>> '{names,-1}',
  case r.actor ->> 'kind' when 'operator' then 'an operator in Temporal' else 'someone with the link' end) as who
from resume_entries r where r.context_id = $1 and r.status <> 'failed' order by r.queued_at desc, r.id desc limit 1`;
