/** $1 execution */
export const visitsOf =
  'select path, seq, block_id as "blockId", name, type, status from visits where execution_id = $1 order by seq';

/** $1 workflow, $2 version */
export const planOfVersion = 'select plan_hash from deployments where workflow_id = $1 and version = $2';

/** Copies the plan of a test to a fork of it. $1 workspace, $2 its new hash, $3 the former hash */
export const copyTest = /* sql */ `
insert into plans (workspace_id, hash, plan, definition)
select workspace_id, $2, plan, definition from plans where workspace_id = $1 and hash = $3`;

/** $1 execution, $2 key */
export const setLine = 'update executions set flow_key = $2 where id = $1';
