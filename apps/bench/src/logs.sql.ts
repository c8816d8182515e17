/**
 * The executions of one workspace after a long time, in the form that the product writes. Temporal does not have the
 * runs.
 */

/** $1 workspace, $2 number of workflows */
export const workflows = /* sql */ `
insert into workflows (id, workspace_id, name, definition, definition_hash, folder)
select 'wf_crowd' || i, $1, 'crowd ' || i, '{}', 'hash', 'team' || i % 20 || '/area' || i % 3 from generate_series(0, $2::int - 1) i`;

/**
 * Most executions complete, come from the API and take little time. Workflow 0 has half of all. The last workflow ran
 * only in the oldest hundredth of the time. All executions in the oldest three hundredths took long. One in 5,003 of
 * the others took almost no time.
 * $1 workspace, $2 rows, $3 workflows
 */
export const executions = /* sql */ `
insert into executions (id, workspace_id, workflow_id, workflow_name, version, plan_hash, mode, trigger, actor, status, inputs, output,
  failure, created_at, started_at, completed_at, next_delivery_at, updated_at)
select 'exec_crowd' || i, $1, 'wf_crowd' || case when i > $2 * 0.99 then $3 - 1 when i % 2 = 0 then 0 else i % ($3::int - 1) end,
  'crowd', 1, 'crowd', 'async', case when i % 13 = 0 then 'workflow' else 'api' end, '{"kind":"key","id":"key_crowd"}', status,
  '{"n":7}', case when status = 'completed' then json_build_object('done', true, 'note', 'note number ' || i) end,
  case when status = 'failed' then json_build_object('code', 'BLOCK_FAILED', 'message', 'It failed with number ' || i || '.') end,
  at, at, case when status <> 'paused' then at + make_interval(secs => case when i > $2 * 0.97 then 100 when i % 5003 = 0 then 0.003
    else 0.02 + 20 * power((i::bigint * 7919 % 10007) / 10007.0, 8) end) end,
  -- The reconciler is not to look, since Temporal does not hold them.
  now() + interval '1 day', at
from generate_series(1, $2::int) as i, lateral (
  select now() - i * interval '2 seconds' as at,
    case when i % 20 = 0 then 'failed' when i % 33 = 0 then 'paused' when i % 101 = 0 then 'cancelled' else 'completed' end as status
) t`;

/** One in ten called a model, and one in ten thousand a rare model. */
export const visits = /* sql */ `
insert into visits (execution_id, path, workspace_id, seq, block_id, name, type, status, started_at, ended_at, output)
select id, 'ask', workspace_id, 1, 'ask', 'Ask', case when n % 10 = 0 then 'llm' else 'variables' end, 'completed', created_at, created_at,
  json_build_object('model', case when n % 10000 = 0 then 'rare' else 'model ' || n % 7 end)
from executions, lateral (select substr(id, 11)::int as n) t where id like 'exec_crowd%'`;

export const usage = /* sql */ `
insert into usage_entries (workspace_id, execution_id, actor, cost, created_at)
select workspace_id, id, 'key_crowd', 0.001 + round((power((n::bigint * 104729 % 10007) / 10007.0, 12) * 2)::numeric, 6), created_at
from executions, lateral (select substr(id, 11)::int as n) t where id like 'exec_crowd%' and status <> 'paused'`;
