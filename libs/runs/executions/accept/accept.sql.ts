import { visitColumns, visitShape } from '../record/record.sql.ts';

const live = /* sql */ `
live as (
  select 1 from workflows where id = $3 and workspace_id = $2 and live_version = $5 and name = $4
)`;

const stored = /* sql */ `
stored as (
  insert into payloads (id, workspace_id, execution_id, body, bytes)
  select p.id, $2, i.id, p.body::json, p.bytes
  from inserted i, json_to_recordset($11::json) as p (id text, body text, bytes int)
)`;

const answer = /* sql */ `
select exists (select from inserted) as is_new, (select created_at from inserted) as created_at from live`;

/**
 * The row of the live version and its large inputs, or no row when another version is live by now. $1 execution, $2
 * workspace, $3 workflow, $4 its name, $5 version, $6 plan, $7 mode, $8 trigger, $9 actor, $10 inputs, $11 payloads, $12 origin,
 * $13 the bound of its active time
 */
export const acceptExecution = /* sql */ `
with ${live}, inserted as (
  insert into executions (id, workspace_id, workflow_id, workflow_name, version, plan_hash, mode, trigger, actor, inputs, origin, active_ms_max)
  select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $12::json, $13::int from live
  on conflict (id) do nothing
  returning id, created_at
), ${stored} ${answer}`;

/**
 * The same for a run that has begun already, with its block log and what Temporal is shown of one that has ended. It was created
 * when it began, which is before this transaction. $14 status,
 * $15 output, $16 failure, $17 response, $18 started, $19 ended, $20 visits, $21 the time of this record, $22 what
 * Temporal is shown, or null
 */
export const acceptBegun = /* sql */ `
with ${live}, inserted as (
  insert into executions (id, workspace_id, workflow_id, workflow_name, version, plan_hash, mode, trigger, actor, inputs, origin, active_ms_max,
    status, output, failure, response, started_at, completed_at, created_at)
  select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $12::json, $13::int, $14, $15::json, $16::json, $17::json, $18, $19,
    least(now(), $18::timestamptz) from live
  on conflict (id) do nothing
  returning id, created_at
), ${stored}, logged as (
  insert into visits (execution_id, workspace_id, ${visitColumns}, first_recorded_at, recorded_at)
  select i.id, $2, ${visitColumns}, $21, $21 from inserted i, json_to_recordset($20::json) as r (${visitShape})
), handed as (
  insert into inline_start_outbox (execution_id, workspace_id, ended, start_input, due_at)
  select i.id, $2, true, $22::json, now() from inserted i where $22::json is not null
) ${answer}`;
