import { holdCovers, isHoldIn } from './holds.sql.ts';
import { buildVisitValues, visitColumns, visitShape } from '../record/record.sql.ts';

/** A delivery to a trigger that starts the execution. It is inserted with it, and one that was accepted before starts nothing. */
export interface DeliveryRow {
  id: string;
  trigger_id: string;
  /** The revision of the trigger that the caller has read; null for a delivery that a person makes, whatever the state of the trigger. */
  revision: number | null;
  source: 'sender' | 'test' | 'replay' | 'backfill';
  sender_id: string | null;
  /** For a delivery without the sender's id: its hash, and the seconds in which an equal one is a repetition. */
  content_hash: string | null;
  repeat_seconds: number;
  headers: object;
  query: object;
  body: string;
  content_type: string | null;
  replay_of: string | null;
}

/** The line of an execution of a workflow with flow control. */
export interface FlowRow {
  key: string;
  priority: number;
  fair_key: string;
  is_in_series: boolean;
}

/**
 * The one argument of `acceptExecution`. Columns with JSON are text here, because JSON within JSON could not hold
 * every character.
 */
export interface AcceptedRow {
  id: string;
  workspace_id: string;
  workflow_id: string;
  workflow_name: string;
  title: string | null;
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
  /** Absent for an execution that was not made from another one. */
  made_from?: string | null;
  is_test?: boolean;
  /** True when the version need not be live. */
  pinned?: boolean;
  callback_url?: string;
  /** True when the caller knows that the execution does not start yet: a hold keeps it back, or it waits in a line. */
  is_held?: boolean;
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
  /** True when the run goes on, so that its log begins. */
  goes_on?: boolean;
  /** Read by `acceptDelivery` alone. */
  delivery?: DeliveryRow;
  /** Read by `acceptInFlow` and `acceptDeliveryInFlow` alone. */
  flow?: FlowRow;
}

const acceptedTypes: Record<
  Exclude<keyof AcceptedRow, 'delivery' | 'flow'>,
  'text' | 'int' | 'json' | 'timestamptz' | 'boolean'
> = {
  id: 'text',
  workspace_id: 'text',
  workflow_id: 'text',
  workflow_name: 'text',
  title: 'text',
  version: 'int',
  plan_hash: 'text',
  mode: 'text',
  trigger: 'text',
  actor: 'text',
  inputs: 'text',
  payloads: 'json',
  origin: 'text',
  active_ms_max: 'int',
  made_from: 'text',
  is_test: 'boolean',
  pinned: 'boolean',
  callback_url: 'text',
  is_held: 'boolean',
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
  goes_on: 'boolean',
};
// Named columns, because a statement with `*` is not prepared: planning this one takes longer than running it.
const acceptedColumns = Object.keys(acceptedTypes).join(', ');
const acceptedShape = Object.entries(acceptedTypes)
  .map(([name, type]) => `${name} ${type}`)
  .join(', ');

/** True for a row `l` of `live` that no hold keeps back, or that says so. */
const isUnheld = `not exists (select from hold where mode = 'refuse' or l.is_held is not true)`;

/** What a flow adds: a `verdict` on the row, and its place. The transaction has locked the line. */
const flowParts = {
  verdict: /* sql */ `, entered as (
  select f.key, f.priority, f.fair_key, f.is_in_series
  from given g, json_to_record(g.flow) as f (key text, priority smallint, fair_key text, is_in_series boolean)
), verdict as (
  select flow_verdict(l.workflow_id, n.key) as verdict from live l, entered n
)`,
  isTaken: `exists (select from verdict where verdict = 'start' or (verdict = 'wait' and l.is_held))`,
  placed: /* sql */ `, placed as (
  insert into flow_places (execution_id, workspace_id, workflow_id, key, state, priority, fair_key, first_at)
  select i.id, g.workspace_id, g.workflow_id, n.key,
    case when exists (select from hold) then 'held' when v.verdict = 'start' then 'running' else 'waiting' end,
    n.priority, n.fair_key, case when n.is_in_series then clock_timestamp() end
  from inserted i, given g, entered n, verdict v where g.completed_at is null
), noted as (
  select note_flow_start(g.workspace_id, g.workflow_id, n.key) from inserted i, given g, entered n, verdict v
  where v.verdict = 'start' and not exists (select from hold)
)`,
  answer: /* sql */ `, (select verdict from verdict) as verdict, (select count(*) from noted) as noted,
  case when (select verdict from verdict) = 'join' then (select p.execution_id from flow_places p, live l, entered n
    where p.workflow_id = l.workflow_id and p.key = n.key and p.state = 'running' order by p.no limit 1) end as joined`,
};

/** What a delivery adds to the acceptance: `open` when its trigger is unchanged, and `kept` when no earlier one was the same. */
const buildDeliveryParts = (isTaken: string) => /* sql */ `, delivered as (
  select d.id, d.trigger_id, d.revision, d.source, d.sender_id, d.content_hash, d.repeat_seconds, d.headers, d.query, d.body, d.content_type,
    d.replay_of
  from given g, json_to_record(g.delivery) as d (id text, trigger_id text, revision int, source text, sender_id text, content_hash text,
    repeat_seconds int, headers json, query json, body text, content_type text, replay_of text)
), open as (
  select from delivered d, live l join triggers t on t.workspace_id = l.workspace_id and t.workflow_id = l.workflow_id
  where t.id = d.trigger_id and t.left_out_at is null and (d.revision is null or (t.revision = d.revision and t.status = 'active'))
), kept as (
  insert into trigger_deliveries (id, workspace_id, trigger_id, source, verdict, execution_id, sender_id, content_hash, headers, query, body,
    content_type, replay_of)
  select d.id, l.workspace_id, d.trigger_id, d.source, 'accepted', l.id, d.sender_id, d.content_hash, d.headers, d.query, d.body,
    d.content_type, d.replay_of
  from live l, delivered d
  where exists (select from open) and ${isTaken} and (d.content_hash is null or not exists (
    select from trigger_deliveries e where e.trigger_id = d.trigger_id and e.content_hash = d.content_hash and e.verdict = 'accepted'
      and e.received_at > clock_timestamp() - make_interval(secs => d.repeat_seconds)))
  on conflict (trigger_id, sender_id) where verdict = 'accepted' and sender_id is not null do nothing
  returning trigger_id
), trusted as (
  update triggers set forgeries = 0 where id = (select trigger_id from kept) and forgeries > 0
)`;

/** The caller of a run that Temporal starts waits at least so long for its end. A waiter that stays marks the row again. In seconds. */
const awaitedAtFirstS = 5;

interface Parts {
  isDelivery?: boolean;
  isInFlow?: boolean;
}

function buildAcceptance({ isDelivery = false, isInFlow = false }: Parts): string {
  const isTaken = isInFlow ? `${isUnheld} and ${flowParts.isTaken}` : isUnheld;
  const startsLater = isInFlow
    ? `exists (select from hold) or exists (select from verdict where verdict <> 'start')`
    : 'exists (select from hold)';
  return /* sql */ `
with given as (
  select ${acceptedColumns}${isDelivery ? ', delivery' : ''}${isInFlow ? ', flow' : ''}
  from json_to_record($1::json) as g (${acceptedShape}${isDelivery ? ', delivery json' : ''}${isInFlow ? ', flow json' : ''})
), live as (
  select ${acceptedColumns} from given g where exists (select from workflows w where w.id = g.workflow_id
    and w.workspace_id = g.workspace_id and (g.pinned or (w.live_version = g.version and w.name = g.workflow_name)))
), holding as (
  select h.workspace_id, h.workflow_id, h.trigger_id, h.stops, h.mode, h.reason, h.actor, h.held_at from holds h, given g
  where ${isHoldIn('h', 'g.workspace_id')} and ${holdCovers('h', 'g.workflow_id', "(g.actor::json ->> 'triggerId')")}
    and (h.released_at is null or h.mode = 'queue')
  for key share of h
), hold as (
  select workspace_id, workflow_id, trigger_id, stops, mode, reason, actor, held_at from holding
  order by mode = 'queue', workspace_id nulls first, workflow_id nulls first, trigger_id nulls first limit 1
)${isInFlow ? flowParts.verdict : ''}${isDelivery ? buildDeliveryParts(isTaken) : ''}, inserted as (
  insert into executions (id, workspace_id, workflow_id, workflow_name, title, version, plan_hash, mode, trigger, actor, inputs, origin, active_ms_max,
    callback_url, made_from, is_test, status, output, failure, response, started_at, completed_at, created_at, awaited_until, next_delivery_at${isInFlow ? ', flow_key' : ''})
  select id, workspace_id, workflow_id, workflow_name, title, version, plan_hash, mode, trigger, actor::json, inputs::json, origin::json, active_ms_max,
    callback_url, made_from::json, coalesce(is_test, false), coalesce(status, 'queued'), output::json, failure::json, response::json, started_at, completed_at, least(now(), started_at),
    case when mode = 'sync' and status is null then now() + make_interval(secs => ${awaitedAtFirstS}) end,
    case when ${startsLater} then 'infinity' else now() + interval '3 seconds' end${isInFlow ? ', (select key from entered)' : ''}
  from live l where ${isDelivery ? 'exists (select from kept)' : isTaken}
  on conflict (id) do nothing
  returning id, workspace_id, created_at
), stored as (
  insert into payloads (id, workspace_id, execution_id, body, bytes)
  select p.id, i.workspace_id, i.id, p.body::json, p.bytes
  from inserted i, given g, json_to_recordset(g.payloads) as p (id text, body text, bytes int)
), logged as (
  insert into visits (execution_id, workspace_id, ${visitColumns}, first_recorded_at, recorded_at)
  select i.id, i.workspace_id, ${buildVisitValues('i.workspace_id')}, g.recorded_at, g.recorded_at
  from inserted i, given g, json_to_recordset(g.visits) as r (${visitShape})
), handed as (
  insert into inline_start_outbox (execution_id, workspace_id, ended, start_input, due_at)
  select i.id, i.workspace_id, true, g.start_input::json, now() from inserted i, given g where g.start_input is not null
), begun as (
  insert into run_events (execution_id, number, workspace_id, event, at)
  select i.id, 1, i.workspace_id, '{"kind":"started"}', g.started_at from inserted i, given g where g.goes_on
), carried as (
  insert into direct_runs (execution_id, workspace_id, process_id)
  select i.id, i.workspace_id, g.process_id from inserted i, given g where g.process_id is not null
)${isInFlow ? flowParts.placed : ''}
select exists (select from inserted) as is_new, (select created_at from inserted) as created_at${isDelivery ? ', exists (select from open) as is_open' : ''},
  (select json_build_object('workflowId', workflow_id, 'triggerId', trigger_id, 'host', null, 'stops', stops, 'mode', mode, 'reason', reason, 'actor', actor, 'heldAt', held_at) from hold) as hold${isInFlow ? flowParts.answer : ''}
from live`;
}

/**
 * Inserts the execution with its large inputs, its block log and its row of the outbox. Returns no row when another
 * version is live now, and `is_new` false when the id was committed before. An inline run began before this
 * transaction, so its execution was created then. While a hold is there, it inserts only a row that says `is_held`, and returns the
 * hold. It locks the hold, so that the hold does not end before the row is committed.
 * $1 an `AcceptedRow`
 */
export const acceptExecution = buildAcceptance({});

/**
 * Like `acceptExecution`, for an execution that a delivery to a trigger starts. `is_new` is also false for a repetition, and
 * `is_open` for a trigger that has changed. Then nothing is inserted.
 * $1 an `AcceptedRow` with its delivery
 */
export const acceptDelivery = buildAcceptance({ isDelivery: true });

/**
 * Like `acceptExecution`, for a workflow with flow control. It inserts a row that must wait only when the row says `is_held`, and
 * returns the verdict of the line. Run `lockLine` before it, in its transaction.
 * $1 an `AcceptedRow` with its flow
 */
export const acceptInFlow = buildAcceptance({ isInFlow: true });

/** Both. $1 an `AcceptedRow` with its delivery and its flow */
export const acceptDeliveryInFlow = buildAcceptance({ isDelivery: true, isInFlow: true });

/** Locks the line of a workflow until the end of the transaction. $1 workflow, $2 key */
export const lockLine = 'select lock_flow_line($1, $2)';

/**
 * Keeps two equal deliveries without an id from being accepted at once. Run it before `acceptDelivery`, in its transaction.
 * $1 trigger and hash
 */
export const lockContent = 'select pg_advisory_xact_lock(hashtextextended($1, 0))';

/**
 * The delivery that was accepted before an equal one.
 * $1 trigger, $2 the sender's id or null, $3 the hash or null, $4 the seconds for which a hash counts
 */
export const findAccepted = /* sql */ `
select id as "deliveryId", execution_id as "executionId" from trigger_deliveries
where trigger_id = $1 and verdict = 'accepted' and (
  sender_id = $2 or (content_hash = $3 and received_at > clock_timestamp() - make_interval(secs => $4)))
order by received_at desc limit 1`;

/**
 * Adds the row of the outbox for an execution that has come to a pause.
 * $1 execution, $2 workspace, $3 an `InlineStartInput`
 */
export const enqueueInlineStart = /* sql */ `
insert into inline_start_outbox (execution_id, workspace_id, ended, start_input, due_at)
values ($1, $2, false, $3, now())`;

/**
 * True for a row of `executions` whose run Temporal carries. It has not got those of a process or of the outbox yet, nor their children,
 * because it starts a child when its root goes on.
 */
export const isWithTemporal = /* sql */ `
not exists (select from inline_start_outbox h where h.execution_id = coalesce(executions.root_id, executions.id))
and not exists (select from direct_runs d where d.execution_id = executions.id)`;

/** The rows of the open runs that Temporal must know. */
export const openInTemporal = /* sql */ `
from executions where status in ('running', 'paused') and ${isWithTemporal}`;
