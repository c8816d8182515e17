import { keptBack } from '#libs/runs/executions/accept/holds.sql';

/** SQL for the inputs of the live version of the workflow `w`; null when none is live. */
export const declaredInputs = `select coalesce(v.definition -> 'start' -> 'inputs', '{}') from deployments v
  where v.workflow_id = w.id and v.version = w.live_version`;

export const pageOfTriggers = /* sql */ `
where t.workflow_id = $1 and t.left_out_at is null and ($2::timestamptz is null or (t.created_at, t.id) > ($2, $3))
order by t.created_at, t.id limit $4`;

export const readStates = /* sql */ `
select t.id, w.live_version is not null as "isDeployed", (${declaredInputs}) as declared,
  case when t.webhook ->> 'secretName' is null then t.secret is not null
    else exists (select from secrets s where s.workspace_id = t.workspace_id and s.name = t.webhook ->> 'secretName') end as "hasSecret", (
  select json_build_object('at', d.received_at, 'verdict', d.verdict, 'executionId', d.execution_id,
      'isHeld', exists (select from executions e where e.id = d.execution_id and ${keptBack}), 'reason', d.error ->> 'message')
  from trigger_deliveries d where d.trigger_id = t.id order by d.id desc limit 1
) as "lastDelivery"
from triggers t join workflows w on w.id = t.workflow_id where t.id = any($1)`;

/** $1 workspace, $2 workflow. Locks the workflow, so that the count holds until the insert. */
export const countTriggers = /* sql */ `
select (select count(*)::int from triggers where workflow_id = w.id and left_out_at is null) as others
from workflows w where w.workspace_id = $1 and w.id = $2 for no key update`;

export const insertTrigger = /* sql */ `
insert into triggers (id, workspace_id, workflow_id, kind, name, actor, inputs, filter, webhook, token_digest, secret, schedule, next_at, due_at, event, form, link_salt, is_defined, calendars)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`;

/** $1 trigger, $2 workflow; further values belong to the assignments */
export const changeTrigger = (assignments: string) => /* sql */ `
update triggers set ${assignments}, revision = revision + 1, updated_at = now() where id = $1 and workflow_id = $2`;

/** $3 digest of a new token, $4 new sealed secret, $5 hours of the overlap, $6 principal, $7 salt of the link of a form */
export const rotateTrigger = /* sql */ `
former_token_digest = case when $3::text is null then former_token_digest else token_digest end,
former_token_until = case when $3 is null then former_token_until else now() + make_interval(hours => $5) end,
token_digest = coalesce($3, token_digest),
former_secret = case when $4::text is null then former_secret else secret end,
former_secret_until = case when $4 is null then former_secret_until else now() + make_interval(hours => $5) end,
secret = coalesce($4, secret),
link_salt = coalesce($7, link_salt),
rotated_at = now(),
actor = $6`;

/** $1 trigger. Its backfills end, and moments of it that wait are not caught up. */
export const leaveTriggerOut = /* sql */ `
with stopped as (
  update backfills set status = 'aborted', ended_at = now(), waits_for = null where trigger_id = $1 and status = 'running'
)
update triggers set left_out_at = clock_timestamp(), next_at = null, due_at = null, waiting = '[]', revision = revision + 1, updated_at = now()
where id = $1`;

/** $1 workflow, $2 the most that are remembered */
export const forgetMost = /* sql */ `
delete from triggers where id in (
  select id from triggers where workflow_id = $1 and left_out_at is not null order by left_out_at desc, id offset $2)`;
