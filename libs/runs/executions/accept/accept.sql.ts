import { visitColumns, visitShape, visitValues } from '../record/record.sql.ts';

/**
 * The one argument of `acceptExecution`. Columns with JSON are text here, because JSON within JSON could not hold
 * every character.
 */
export interface AcceptedRow {
  id: string;
  workspace_id: string;
  workflow_id: string;
  workflow_name: string;
  version: number;
  plan_hash: string;
  mode: string;
  trigger: string;
  actor: string;
  inputs: string;
  /** The large inputs: id, text and bytes of each. */
  payloads: readonly object[];
  origin: string | null;
  active_ms_max: number | null;
  /** Absent for an execution that Temporal must start. The members below follow from an inline run. */
  status?: string;
  output?: string | null;
  failure?: string | null;
  response?: string | null;
  started_at?: Date;
  completed_at?: Date | null;
  visits?: object[];
  recorded_at?: Date;
  /** The row of the outbox, for an ended execution that Temporal must show. */
  start_input?: string | null;
  /** The process that carries the run out by itself. */
  process_id?: string;
}

const acceptedTypes: Record<keyof AcceptedRow, 'text' | 'int' | 'json' | 'timestamptz'> = {
  id: 'text',
  workspace_id: 'text',
  workflow_id: 'text',
  workflow_name: 'text',
  version: 'int',
  plan_hash: 'text',
  mode: 'text',
  trigger: 'text',
  actor: 'text',
  inputs: 'text',
  payloads: 'json',
  origin: 'text',
  active_ms_max: 'int',
  status: 'text',
  output: 'text',
  failure: 'text',
  response: 'text',
  started_at: 'timestamptz',
  completed_at: 'timestamptz',
  visits: 'json',
  recorded_at: 'timestamptz',
  start_input: 'text',
  process_id: 'text',
};
// Named columns, because a statement with `*` is not prepared: planning this one takes longer than running it.
const acceptedColumns = Object.keys(acceptedTypes).join(', ');
const acceptedShape = Object.entries(acceptedTypes)
  .map(([name, type]) => `${name} ${type}`)
  .join(', ');

/**
 * Inserts the execution with its large inputs, its block log and its row of the outbox. Returns no row when another
 * version is live now, and `is_new` false when the id was committed before. An inline run began before this
 * transaction, so its execution was created then.
 * $1 an `AcceptedRow`
 */
export const acceptExecution = /* sql */ `
with given as (
  select ${acceptedColumns} from json_to_record($1::json) as g (${acceptedShape})
), live as (
  select ${acceptedColumns} from given g where exists (select from workflows w where w.id = g.workflow_id
    and w.workspace_id = g.workspace_id and w.live_version = g.version and w.name = g.workflow_name)
), inserted as (
  insert into executions (id, workspace_id, workflow_id, workflow_name, version, plan_hash, mode, trigger, actor, inputs, origin, active_ms_max,
    status, output, failure, response, started_at, completed_at, created_at)
  select id, workspace_id, workflow_id, workflow_name, version, plan_hash, mode, trigger, actor::json, inputs::json, origin::json, active_ms_max,
    coalesce(status, 'queued'), output::json, failure::json, response::json, started_at, completed_at, least(now(), started_at)
  from live
  on conflict (id) do nothing
  returning id, workspace_id, created_at
), stored as (
  insert into payloads (id, workspace_id, execution_id, body, bytes)
  select p.id, i.workspace_id, i.id, p.body::json, p.bytes
  from inserted i, given g, json_to_recordset(g.payloads) as p (id text, body text, bytes int)
), logged as (
  insert into visits (execution_id, workspace_id, ${visitColumns}, first_recorded_at, recorded_at)
  select i.id, i.workspace_id, ${visitValues}, g.recorded_at, g.recorded_at
  from inserted i, given g, json_to_recordset(g.visits) as r (${visitShape})
), handed as (
  insert into inline_start_outbox (execution_id, workspace_id, ended, start_input, due_at)
  select i.id, i.workspace_id, true, g.start_input::json, now() from inserted i, given g where g.start_input is not null
), kept as (
  insert into direct_runs (execution_id, workspace_id, process_id)
  select i.id, i.workspace_id, g.process_id from inserted i, given g where g.process_id is not null
)
select exists (select from inserted) as is_new, (select created_at from inserted) as created_at from live`;

/**
 * Adds the row of the outbox for an execution that has come to a pause.
 * $1 execution, $2 workspace, $3 an `InlineStartInput`
 */
export const enqueueInlineStart = /* sql */ `
insert into inline_start_outbox (execution_id, workspace_id, ended, start_input, due_at)
values ($1, $2, false, $3, now())`;
