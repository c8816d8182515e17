import { claimInTurn, isAnyDue } from '#libs/platform/database/fair-claim';
import { lagOver } from '#libs/platform/database/outbox';
import { executionNamed } from '#libs/runs/executions/executions';
import { effectTypes } from '#libs/language/definition/blocks/registry';
import type { BulkVerb, UndoableVerb } from './bulk-jobs.ts';

const hasEnded = `e.status in ('completed', 'failed', 'cancelled') and e.forgotten_at is null`;

/**
 * True for an execution `e` to which the verb can be done. A child is retried, forked and deleted with its outermost execution. A test is
 * not retried or forked among others, because a fork into a version would make the calls that its scenario answers.
 */
export const eligible: Record<BulkVerb, string> = {
  retry: `e.status = 'failed' and e.parent_id is null and e.forgotten_at is null and not e.is_test`,
  cancel: `e.status in ('queued', 'running', 'paused') and e.cancel_requested_at is null`,
  answer: `e.status = 'paused' and exists (select from pause_points p where p.execution_id = e.id and p.resume_status = 'paused')`,
  fork: `${hasEnded} and e.parent_id is null and not e.is_test`,
  delete: `${hasEnded} and e.parent_id is null`,
};

/** $1 executions */
export const countByStatus = (verb: BulkVerb) => /* sql */ `
select e.status, count(*)::int as n, count(*) filter (where ${eligible[verb]})::int as eligible
from executions e where e.id = any ($1) group by e.status order by e.status`;

/** Executions that a filter names and the workspace does not have. $1 workspace, $2 execution or null, $3 parent execution or null */
export const unknownInFilter = /* sql */ `
select n.field, n.id from (values ('executionId', ${executionNamed('$2::text')}, $2::text), ('parentExecutionId', $3::text, $3::text)) n (field, execution_id, id)
where n.id is not null and not exists (select from executions e where e.id = n.execution_id and e.workspace_id = $1)`;

/**
 * The forms at which executions wait, and how many wait at each; null for several open pauses, and where none is of the block.
 * $1 executions, $2 block or null
 */
export const openForms = /* sql */ `
with waiting as (
  select p.execution_id, array_agg(distinct p.block_id) as blocks, array_agg(p.context_id) filter (where $2::text is null or p.block_id = $2) as meant
  from pause_points p where p.execution_id = any ($1) and p.resume_status = 'paused' group by p.execution_id
), one as (
  select w.blocks, p.form::text as form, p.asking -> 'approvals' is not null and json_typeof(p.asking -> 'approvals') <> 'null' as approvals
  from waiting w left join pause_points p on cardinality(w.meant) = 1 and p.context_id = w.meant[1]
)
select blocks as "blockIds", form::json as form, coalesce(approvals, false) as "hasApprovals", count(*)::int as n
from one group by blocks, form, approvals`;

/** True when an execution has begun a call or a child of its own. What a fork keeps had ended when the fork was made. */
const hasActed = (id: string) => /* sql */ `exists (
  select from visits v where v.execution_id = ${id} and v.type in ('workflow', ${effectTypes.map((type) => `'${type}'`).join(', ')}) and v.status <> 'skipped'
    and (v.ended_at is null or v.ended_at > (select min(r.at) from run_events r where r.execution_id = ${id})))`;

const waitsInLine = (id: string) =>
  `exists (select from flow_places p where p.execution_id = ${id} and p.state = 'waiting' and p.leaving is null)`;

/** True for an item `i` whose execution `e`, or that of its fork, has run nothing meanwhile. */
const undoable: Record<UndoableVerb, string> = {
  retry: `e.status = 'queued' and ${waitsInLine('e.id')}`,
  fork: `e.status in ('queued', 'running', 'paused') and e.cancel_requested_at is null and (${waitsInLine('e.id')} or not ${hasActed('e.id')})`,
};

/** The items of a job that were done and are not undone. */
const doneItems = `bulk_items i join executions e on e.id = coalesce(i.made_id, i.execution_id)
where i.outcome = 'done' and i.undone_at is null`;

/** $1 job */
export const countUndo = (verb: UndoableVerb) => /* sql */ `
select e.status, count(*)::int as n, count(*) filter (where ${undoable[verb]})::int as eligible
from ${doneItems} and i.job_id = $1 group by e.status order by e.status`;

/** A row for a fork that has acted. $1 execution of the fork */
export const actedFork = `select from executions e where e.id = $1 and not (${waitsInLine('e.id')}) and ${hasActed('e.id')}`;

/** $1 job, $2 execution */
export const noteUndone = /* sql */ `
update bulk_items set undone_at = clock_timestamp() where job_id = $1 and execution_id = $2 and undone_at is null returning number`;

/** $1 job, $2 execution */
export const undoneItem =
  'select from bulk_items where job_id = $1 and execution_id = $2 and undone_at is not null';

/** The index of running jobs serves the count. $1 workspace */
export const countRunning = `select count(*)::int as n from bulk_jobs where workspace_id = $1 and status = 'running'`;

/** A job over nothing has ended when it is made. */
const endedWhenEmpty = {
  columns: 'status, ended_at',
  values: `case when count(*) = 0 then 'completed' else 'running' end, case when count(*) = 0 then now() end`,
};

/** $1 id, $2 workspace, $3 verb, $4 options, $5 filter, $6 rate, $7 actor, $8 acting, $9 payer, $10 executions, $11 ids of forks */
export const insertJob = (verb: BulkVerb) => /* sql */ `
with chosen as (
  select row_number() over (order by w.place) as number, e.id, w.made_id
  from unnest($10::text[], $11::text[]) with ordinality w (id, made_id, place) join executions e on e.id = w.id where ${eligible[verb]}
), job as (
  insert into bulk_jobs (id, workspace_id, verb, options, filter, per_second, actor, acting, payer, total, ${endedWhenEmpty.columns})
  select $1, $2, $3, $4, $5, $6, $7, $8, $9, count(*), ${endedWhenEmpty.values} from chosen
  on conflict (id) do nothing
  returning id
)
insert into bulk_items (job_id, workspace_id, number, execution_id, made_id)
select job.id, $2, c.number, c.id, c.made_id from chosen c, job`;

/** $1 id, $2 workspace, $3 options, $4 rate, $5 actor, $6 acting, $7 payer, $8 the job that is undone */
export const insertUndo = (verb: UndoableVerb) => /* sql */ `
with chosen as (
  select row_number() over (order by i.number) as number, i.execution_id, i.made_id from ${doneItems} and i.job_id = $8 and ${undoable[verb]}
), job as (
  insert into bulk_jobs (id, workspace_id, verb, options, filter, per_second, actor, acting, payer, total, ${endedWhenEmpty.columns})
  select $1, $2, 'undo', $3, '{}', $4, $5, $6, $7, count(*), ${endedWhenEmpty.values} from chosen
  on conflict (id) do nothing
  returning id
)
insert into bulk_items (job_id, workspace_id, number, execution_id, made_id)
select job.id, $2, c.number, c.execution_id, c.made_id from chosen c, job`;

const columns = `j.id, j.workspace_id as "workspaceId", j.verb, j.options, j.filter, j.status, j.total, j.per_second as "perSecond", j.actor,
  j.waits_for as "waitsFor", j.created_at as "createdAt", j.ended_at as "endedAt"`;

/** A job has ten thousand items at most, so its progress is counted. */
const progress = /* sql */ `cross join lateral (
  select count(*) filter (where i.outcome = 'done')::int as done, count(*) filter (where i.outcome = 'refused')::int as refused,
    count(*) filter (where i.undone_at is not null)::int as undone
  from bulk_items i where i.job_id = j.id) p`;

/** $1 workspace, $2 id */
export const jobById = `select ${columns}, p.done, p.refused, p.undone from bulk_jobs j ${progress} where j.workspace_id = $1 and j.id = $2`;

/** $1 workspace, $2 and $3 the position of the last job before, $4 most */
export const jobsPage = /* sql */ `
select ${columns}, p.done, p.refused, p.undone from bulk_jobs j ${progress}
where j.workspace_id = $1 and ($2::timestamptz is null or (j.created_at, j.id) < ($2::timestamptz, $3))
order by j.created_at desc, j.id desc limit $4`;

/** $1 job, $2 outcome or null, $3 number of the last item before, $4 most */
export const itemsPage = /* sql */ `
select number, execution_id as "executionId", case when outcome = 'done' then made_id end as "madeId", outcome, code, message, at, undone_at as "undoneAt"
from bulk_items where job_id = $1 and ($2::text is null or outcome = $2) and number > $3 order by number limit $4`;

/** $1 workspace, $2 id */
export const abortJob = /* sql */ `
update bulk_jobs set status = 'aborted', ended_at = now(), waits_for = null where workspace_id = $1 and id = $2 and status = 'running' returning id`;

const underWay = { table: 'bulk_jobs', id: 'id', at: 'due_at', waits: [`status = 'running'`] };

export const isJobDue = isAnyDue(underWay);

/** A process that is lost leaves its job for so long. $1 most */
export const claimJobs = /* sql */ `
update bulk_jobs job set due_at = now() + interval '30 seconds'
from (${claimInTurn(underWay)}) due
where job.id = due.id
returning job.id, job.workspace_id as "workspaceId", job.verb, job.options, job.acting, job.payer, job.actor, job.per_second as "perSecond",
  extract(epoch from now() - job.credited_at)::float8 as "forS"`;

export const jobsLag = lagOver(
  `select due_at as since from bulk_jobs where status = 'running' and due_at < now() limit 10000`,
);

/** $1 job, $2 most */
export const nextItems = /* sql */ `
select number, execution_id as "executionId", made_id as "madeId" from bulk_items where job_id = $1 and outcome is null order by number limit $2`;

/** Notes what became of an item, once, and only while its job runs: an abort waits for it. $1 job, $2 number, $3 outcome, $4 code, $5 message */
export const settleItem = /* sql */ `
update bulk_items i set outcome = $3, code = $4, message = $5, at = clock_timestamp()
from (select id from bulk_jobs where id = $1 and status = 'running' for share) j
where i.job_id = j.id and i.number = $2 and i.outcome is null returning i.number`;

/** Books what was done, and ends a job without further items. $1 job, $2 seconds, $3 why it waits or null, $4 seconds until its next turn */
export const endTurn = /* sql */ `
update bulk_jobs j set
  credited_at = w.credited_at, waits_for = $3, due_at = greatest(now() + make_interval(secs => $4), w.credited_at),
  status = case when w.more then 'running' else 'completed' end, ended_at = case when w.more then null else now() end
from (
  select greatest(credited_at + make_interval(secs => $2), now() - interval '4 seconds') as credited_at,
    exists (select from bulk_items where job_id = $1 and outcome is null) as more
  from bulk_jobs where id = $1
) w
where j.id = $1 and j.status = 'running'`;

/** A job is kept for so many days after its end. */
export const oldJobs = {
  kind: 'bulk job',
  table: 'bulk_jobs',
  id: 't.id',
  where: `t.ended_at < now() - interval '30 days'`,
  order: 't.ended_at',
  values: [],
} as const;

/** The workflow of an execution, and the visit that failed. $1 execution */
export const actedOn = /* sql */ `
select e.workflow_id as "workflowId", (select v.path from visits v where v.execution_id = e.id and v.status = 'failed'
  and v.block_id = e.failure ->> 'blockId' order by v.seq desc limit 1) as "failedPath"
from executions e where e.id = $1`;

/** The open pauses of an execution itself, two at most. $1 execution, $2 block or null */
export const openPauses = /* sql */ `
select context_id as "contextId" from pause_points
where execution_id = $1 and resume_status = 'paused' and ($2::text is null or block_id = $2) order by registered_at limit 2`;

/** $1 execution */
export const deleteEnded = `delete from executions e where e.id = $1 and ${hasEnded} returning e.id`;

/** For an execution whose rows are too many for one statement: the retention deletes it in parts. $1 execution */
export const forgetEnded = `update executions e set forgotten_at = now() where e.id = $1 and ${hasEnded} returning e.id`;
