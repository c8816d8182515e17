/** The columns of a visit that a record writes. */
export const visitColumns =
  'path, seq, block_id, name, type, status, started_at, ended_at, attempts, output, failure, port, sent';
export const visitShape = `path text, seq int, block_id text, name text, type text, status text,
    started_at timestamptz, ended_at timestamptz, attempts int, output json, failure json, port text, sent json`;

/** The same columns of the rows `r`. A workspace may not want what was sent. `workspace` is SQL for its id. */
export const buildVisitValues = (workspace: string) =>
  visitColumns
    .replace(/\b(\w+)\b/g, 'r.$1')
    .replace(
      'r.sent',
      `case when (select w.records_values from workspaces w where w.id = ${workspace}) then r.sent end`,
    );
/** The columns that a later record of the same visit replaces. */
export const visitUpdates = `seq = excluded.seq, status = excluded.status, started_at = excluded.started_at, ended_at = excluded.ended_at,
    attempts = excluded.attempts, output = excluded.output, failure = excluded.failure, port = excluded.port, sent = coalesce(excluded.sent, v.sent),
    recorded_at = excluded.recorded_at`;

/**
 * Writes status, outcome and block log of a run. Both share one statement, because a second round trip costs as much
 * as the write itself.
 * A final status is never overwritten, so a late or repeated record does no harm; only a newer Temporal run opens the
 * execution again (see resets.ts). A completed visit is not overwritten either: a run that is cancelled before it has
 * an answer does not know how the API applied it inline. Times and attempts of the record win over those that the worker
 * wrote.
 * $1 execution, $2 workspace, $3 status, $4 output, $5 failure, $6 response, $7 started, $8 ended, $9 visits, $10
 * settled, $11 Temporal run, $12 the run's own clock
 */
export const writeRun = /* sql */ `
with logged as (
  insert into visits as v (execution_id, workspace_id, ${visitColumns}, first_recorded_at, recorded_at)
  select $1, $2, ${buildVisitValues('$2')}, $12, $12 from json_to_recordset($9::json) as r (${visitShape})
  on conflict (execution_id, path) do update set
    ${visitUpdates}, first_recorded_at = least(v.first_recorded_at, excluded.first_recorded_at)
  where not (v.status = 'completed' and v.first_recorded_at is not null and excluded.status <> 'completed')
), moved as (
  update executions set
    status = $3, output = $4::json, failure = $5::json, response = $6::json,
    started_at = least(started_at, $7), completed_at = $8, updated_at = now(), temporal_run = coalesce($11, temporal_run)
  where id = $1 and status not in ('completed', 'failed', 'cancelled')
  returning awaited_until
)
select awaited_until > now() as awaited from moved where $10`;

/** Sequence number of a visit that is not recorded yet, so that it sorts last. */
export const unrecordedSeq = 2_147_483_647;

/** A condition: the process still carries out the run by itself. It is true without a process, which a run of Temporal has not. $1 execution */
const isOfWriter = (process: string) =>
  `(${process}::text is null or exists (select from direct_runs where execution_id = $1 and process_id = ${process} for share))`;

/**
 * Shows an effect in the block log while it runs. It leaves a recorded visit unchanged.
 * $1 execution, $2 workspace, $3 visit path, $4 block, $5 name, $6 type, $7 the attempt, $8 the process
 */
export const insertRunningVisit = /* sql */ `
insert into visits (execution_id, workspace_id, path, seq, block_id, name, type, status, started_at, attempts)
select $1, $2, $3, ${unrecordedSeq}, $4, $5, $6, 'running', now(), $7::int where ${isOfWriter('$8')}
on conflict (execution_id, path) do update set attempts = greatest(visits.attempts, $7) where visits.status = 'running'`;

/**
 * Keeps the console lines of a block, also before its row exists.
 * $1 execution, $2 workspace, $3 visit path, $4 block, $5 name, $6 type, $7 lines, $8 the process
 */
export const upsertLogs = /* sql */ `
insert into visits (execution_id, workspace_id, path, seq, block_id, name, type, status, started_at, logs)
select $1, $2, $3, ${unrecordedSeq}, $4, $5, $6, 'running', now(), $7::json where ${isOfWriter('$8')}
on conflict (execution_id, path) do update set logs = excluded.logs`;

/**
 * Counts the end of a worker for a visit, also before its row exists.
 * $1 execution, $2 workspace, $3 visit path, $4 block, $5 name, $6 type
 */
export const countWorkerEnd = /* sql */ `
insert into visits (execution_id, workspace_id, path, seq, block_id, name, type, status, started_at, worker_ends)
values ($1, $2, $3, ${unrecordedSeq}, $4, $5, $6, 'running', now(), 1)
on conflict (execution_id, path) do update set worker_ends = visits.worker_ends + 1`;

export const workerEnds = 'select worker_ends from visits where execution_id = $1 and path = $2';

/** $1 execution, $2 visit path, $3 output, $4 the process */
export const completeRunningVisit = /* sql */ `
update visits set status = 'completed', ended_at = now(), output = $3
where execution_id = $1 and path = $2 and status = 'running' and ${isOfWriter('$4')}`;

/**
 * Books what a step costs, in one insert, so that all bookings lock the sums in one order. The source of the rows has the columns
 * `execution_id` and `entries`.
 */
export const insertUsage = (source: string) => /* sql */ `
insert into usage_entries (workspace_id, execution_id, during_execution, workflow_id, actor, kind, subject, cost, visit_path)
select e.workspace_id, case u.kind when 'execution' then e.id end, case u.kind when 'call' then e.id end,
  case when not e.is_test then e.workflow_id end, e.actor ->> 'id', u.kind, u.type, u.cost, u.path
from ${source} s join executions e on e.id = s.execution_id, json_to_recordset(s.entries) as u (kind text, type text, path text, cost numeric)
on conflict (execution_id) do nothing`;

/** $1 execution, $2 entries */
export const bookUsage = insertUsage('(select $1::text as execution_id, $2::json as entries)');

/**
 * Makes one paused execution for the whole life of an outermost execution. It collects the pauses of that execution
 * and of its children.
 */
export const ensurePaused = /* sql */ `
insert into paused_executions (id, workspace_id, workflow_id, execution_id)
select $1, $2, workflow_id, id from executions where id = $3
on conflict (execution_id) do nothing`;

/**
 * Opens a pause. A second record keeps the first context, because its link may have been sent already. A pause that a
 * reset closed opens again under the same context.
 */
export const openPoint = /* sql */ `
insert into pause_points as o (context_id, workspace_id, execution_id, root_id, paused_execution_id, path, block_id,
  display, form, bytes, expires_at, recorded_at, asking)
select $1, $2, $3, $9, p.id, $4, $5, $6::text::json, $7::text::json,
  octet_length($6::text) + octet_length($7::text), $8, coalesce($10, now()), $11 from paused_executions p where p.execution_id = $9
on conflict (execution_id, path) do update set
  resume_status = 'paused', display = excluded.display, form = excluded.form, bytes = excluded.bytes, asking = excluded.asking, expires_at = excluded.expires_at,
  recorded_at = excluded.recorded_at, registered_at = now(), closed_at = null
where o.resume_status = 'failed'`;

/** A pause that nobody has answered, or whose answer the run has not taken. The index of open pauses has this condition. */
const isOpenPause = `resume_status in ('paused', 'queued', 'resuming')`;

/** Closes pauses that have expired, with the votes that did not suffice. $1 execution, $2 visit paths, $3 time */
export const expirePoints = /* sql */ `
with points as (
  update pause_points set resume_status = 'expired', closed_at = $3
  where execution_id = $1 and path = any($2) and ${isOpenPause}
  returning context_id
)
update resume_entries set status = 'failed', failure_reason = 'the pause expired before enough people had answered',
  completed_at = now()
where context_id in (select context_id from points) and status in ('pending', 'claimed')`;

/** Closes pauses that ended with the pass or container around them. A pending answer came too late. */
export const cancelPoints = /* sql */ `
with points as (
  update pause_points set resume_status = 'cancelled', closed_at = $3
  where execution_id = $1 and path = any($2) and ${isOpenPause}
  returning context_id
)
update resume_entries set status = 'failed', failure_reason = 'what asked for it has ended', completed_at = now()
where context_id in (select context_id from points) and status = 'pending'`;

/**
 * Marks an answer as taken, also one that a reset took back and Temporal has given to the new run.
 */
export const takeAnswer = /* sql */ `
with entry as (
  update resume_entries set
    status = 'claimed', claimed_at = $2, completed_at = null,
    resume_input = case status when 'failed' then $4::json else resume_input end,
    failure_reason = null
  where id = $1 and (status = 'pending' or (status = 'failed' and claimed_at is not null))
)
update pause_points set resume_status = 'resumed', closed_at = $2
where context_id = $3 and resume_status not in ('expired', 'cancelled')`;

/**
 * Makes the notices of an open pause, one for each receiver and occasion. Receivers are the people whom the pause
 * names and the people who may answer and have not. People who have left the workspace get none, because their link
 * has ended. An escalation adds people. A notice gets the same id each time. A test with a scenario tells nobody.
 * $1 execution, $2 visit path, $3 occasion
 */
export const tellPeople = /* sql */ `
with point as (
  select context_id, workspace_id, asking, registered_at from pause_points
  where execution_id = $1 and path = $2 and resume_status = 'paused' and not exists (
    select from executions e join plans s on s.workspace_id = e.workspace_id and s.hash = e.plan_hash
    where e.id = $1 and e.is_test and s.plan::jsonb ? 'script')
), named as (
  select jsonb_array_elements_text(coalesce(asking::jsonb #> '{notify,emails}', '[]')) as name from point
  union select jsonb_array_elements_text(coalesce(asking::jsonb #> '{approvals,assignees}', '[]')) from point
  union select jsonb_array_elements_text(coalesce(asking::jsonb #> '{escalation,to}', '[]')) from point where $3 = 'escalated'
  union select d.to_name from delegations d join point using (context_id)
), answered as (
  select r.person ->> 'id' as id, jsonb_array_elements_text(r.person::jsonb -> 'names') as name
  from resume_entries r join point using (context_id) where r.person is not null and r.status <> 'failed'
), people as (
  select coalesce(u.email, n.name) as email, u.id from named n
  left join users u on u.id = n.name or lower(u.email) = lower(n.name)
  where not exists (select from delegations d join point using (context_id)
    where lower(n.name) = any(d.from_names) or u.id = any(d.from_names))
  union select u.email, u.id from point p
  join memberships m on m.workspace_id = p.workspace_id
    and m.role in (select jsonb_array_elements_text(coalesce(p.asking::jsonb #> '{approvals,roles}', '[]')))
  join users u on u.id = m.user_id
), left_since as (
  select f.email from former_members f join point on point.workspace_id = f.workspace_id and f.removed_at >= point.registered_at
  where not exists (select from memberships m join users u on u.id = m.user_id
    where m.workspace_id = f.workspace_id and lower(u.email) = f.email)
), targets as (
  select 'email' as channel, lower(email) as target from people p
  where email like '%_@_%' and lower(email) not in (select email from left_since) and not exists (select from answered a where a.id = p.id or lower(a.name) = lower(p.email))
  union select 'webhook', asking::jsonb #>> '{notify,webhook,url}' from point
)
insert into notices (id, workspace_id, context_id, occasion, channel, target)
select 'notice_' || md5(context_id || ' ' || $3 || ' ' || channel || ' ' || target), workspace_id, context_id, $3, channel, target
from point, targets where target is not null
on conflict (context_id, occasion, channel, target) do nothing`;

/** SQL for a row of `resume_entries`: Temporal may not have the answer yet. The index of unacknowledged answers serves it. */
export const isUnsent = (entry: string) => `${entry}.acknowledged_at is null and ${entry}.status <> 'failed'`;

/** The answers that a run has taken are completed when it rests or ends. $1 execution */
export const completeEntries = /* sql */ `
update resume_entries set status = 'completed', completed_at = now(), claimed_at = coalesce(claimed_at, now())
where execution_id = $1 and status = 'claimed'`;

/** Closes the open pauses, the pending answers and the open visits of an ended run. */
export const closePoints = /* sql */ `
with points as (
  update pause_points set resume_status = 'cancelled', closed_at = $3
  where execution_id = $1 and ${isOpenPause}
), visited as (
  update visits set status = 'cancelled', ended_at = $3, recorded_at = $3 where execution_id = $1 and ended_at is null
)
update resume_entries set status = 'failed', failure_reason = 'the execution was ' || $2, completed_at = now()
where execution_id = $1 and status = 'pending'`;

/**
 * Sets the status from the counts, which triggers keep, and from the pauses that are open now. The earliest deadline
 * becomes the execution's.
 * $1 root execution, $2 snapshot
 */
export const recountPauses = /* sql */ `
update paused_executions p set
  status = case
    when o.open > 0 and p.resumed_count = 0 then 'paused'
    when o.open > 0 then 'partially_resumed'
    when p.cancelled_count > 0 then 'cancelled'
    when p.resumed_count > 0 then 'fully_resumed'
    else 'expired' end,
  expires_at = o.expires_at,
  snapshot = coalesce($2::json, p.snapshot),
  updated_at = now()
from (
  select count(*) as open, min(expires_at) filter (where resume_status <> 'resuming') as expires_at
  from pause_points where root_id = $1 and ${isOpenPause}
) o
where p.execution_id = $1`;

/**
 * Lets the people of the escalation answer from now on. A second call changes nothing.
 * $1 execution, $2 visit path
 */
export const escalate = /* sql */ `
update pause_points set asking = jsonb_set(
  jsonb_set(asking::jsonb, '{approvals,assignees}', (asking::jsonb #> '{approvals,assignees}') || (asking::jsonb #> '{escalation,to}')),
  '{escalated}', 'true')::json
where execution_id = $1 and path = $2 and resume_status = 'paused' and not asking::jsonb ? 'escalated'`;
