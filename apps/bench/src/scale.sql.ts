/** The rows of an installation after a long time, in the form that the product writes. Temporal does not have the runs. */

/** $1 number of workspaces beside the first one */
export const workspaces = /* sql */ `
insert into workspaces (id, name) select 'ws_crowd' || i, 'crowd ' || i from generate_series(1, $1::int) i`;

/**
 * A fifth is paused, the rest has completed.
 * $1 first workspace, $2 its workflow, $3 rows, $4 rows of the first workspace, $5 other workspaces
 */
export const executions = /* sql */ `
insert into executions (id, workspace_id, workflow_id, workflow_name, version, plan_hash, mode, trigger, actor, status, inputs, output,
  created_at, started_at, completed_at, next_delivery_at, updated_at)
select 'exec_crowd' || i, case when i <= $4 then $1 else 'ws_crowd' || (1 + i % $5::int) end, case when i <= $4 then $2 else 'wf_crowd' || i % 5000 end,
  'crowd', 1, 'crowd', 'async', 'api', '{"kind":"key","id":"key_crowd"}', case when i % 5 = 0 then 'paused' else 'completed' end, '{"n":7}',
  case when i % 5 = 0 then null else '{"done":true}'::json end, at, at, case when i % 5 = 0 then null else at end, at,
  -- The reconciler is not to look, since Temporal does not hold them.
  now() + interval '1 day'
from generate_series(1, $3::int) as i, lateral (select now() - i * interval '2 seconds' as at) t`;

export const visits = /* sql */ `
insert into visits (execution_id, path, workspace_id, seq, block_id, name, type, status, started_at, ended_at, output)
select id, 'block' || n, workspace_id, n, 'block' || n, 'block', 'variables', 'completed', created_at, created_at, '{"n":1}'
from executions, generate_series(1, 3) n where id like 'exec_crowd%'`;

export const paused = /* sql */ `
insert into paused_executions (id, workspace_id, workflow_id, execution_id, paused_at, snapshot)
select 'pause_' || id, workspace_id, workflow_id, id, created_at, '{"blocks":[]}'
from executions where id like 'exec_crowd%' and status = 'paused'`;

/** One pause in ten asks the members with the role admin. */
export const points = /* sql */ `
insert into pause_points (context_id, workspace_id, execution_id, root_id, paused_execution_id, path, block_id, display, form, asking, registered_at)
select 'ctx_' || execution_id, workspace_id, execution_id, execution_id, id, 'approve', 'approve',
  '{"name":"approve","title":"Approve?","message":"","fields":[],"scopes":{}}',
  '[{"name":"approved","type":"boolean","label":"Approved","required":true}]',
  case when row_number() over () % 10 = 0
    then '{"approvals":{"required":1,"veto":false,"allowStarter":true,"assignees":[],"roles":["admin"],"decision":"approved"}}'::json end,
  paused_at
from paused_executions where id like 'pause_exec_crowd%'`;

/**
 * Makes executions older than the retention time of 30 days.
 * $1 number of executions
 */
export const age = /* sql */ `
update executions set completed_at = now() - interval '40 days' where id in (
  select id from executions where status = 'completed' and id like 'exec_crowd%' order by completed_at limit $1
)`;

export const oldLeft = /* sql */ `
select count(*) as left from executions
where status in ('completed', 'failed', 'cancelled') and completed_at < now() - interval '30 days'`;
