import { retriedRun } from '#temporal/activities';

/** Opens an ended execution again, for its next Temporal run. $1 execution */
export const openAgain = /* sql */ `
update executions set temporal_run = '${retriedRun}', status = 'running', output = null, failure = null, response = null, completed_at = null,
  cancel_requested_at = null, retried_at = now(), updated_at = now()
where id = $1 and status in ('failed', 'cancelled') and forgotten_at is null
returning id`;

/** Keeps the line of an execution from moving until the transaction ends. $1 execution */
export const lockLine =
  'select lock_flow_line(workflow_id, flow_key) from executions where id = $1 and flow_key is not null';

/** The place of an execution that waits for its turn, read after the lock of its line. $1 execution */
export const waitingPlace = `select from flow_places where execution_id = $1 and state = 'waiting' and leaving is null`;

/** $1 execution, $2 visit paths */
export const attemptsOf = 'select path, attempts from visits where execution_id = $1 and path = any ($2)';

/** $1 execution, $2 visit paths that run anew */
export const countKept = /* sql */ `
select count(*)::int as kept from visits where execution_id = $1 and status = 'completed' and not path = any ($2)`;

/** The children of an execution that ended without a result. $1 execution */
export const endedChildren = `select id from executions where parent_id = $1 and status in ('failed', 'cancelled') order by id`;

/** Hands a retried run to Temporal, in the place of its end that Temporal was not shown yet. $1 execution, $2 workspace, $3 an `InlineStartInput` */
export const enqueueRetriedStart = /* sql */ `
insert into inline_start_outbox (execution_id, workspace_id, ended, start_input, due_at) values ($1, $2, false, $3, now())
on conflict (execution_id) do update set ended = false, start_input = excluded.start_input, due_at = excluded.due_at`;
