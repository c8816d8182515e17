/** A second of a release lets go no more than the rate, and what it missed in this time at most, in seconds. */
export const burstS = 1;

/** SQL for the trigger that has started the execution in the row `alias`; null for one that no trigger has. */
const triggerOf = (alias: string) => `(${alias}.actor ->> 'triggerId')`;

/** SQL that is true when the hold in the row `hold` is of a workspace, or of the installation. */
export const isHoldIn = (hold: string, workspace: string) =>
  `(${hold}.workspace_id is null or ${hold}.workspace_id = ${workspace})`;

const isAbout = (hold: string, workflow: string, trigger: string) =>
  `(${hold}.workflow_id is null or ${hold}.workflow_id = ${workflow}) and (${hold}.trigger_id is null or ${hold}.trigger_id = ${trigger})`;

/** SQL that is true when the hold in the row `hold` keeps back what starts a workflow. `trigger` is what starts it, or null. */
export const holdCovers = (hold: string, workflow: string, trigger: string) =>
  `${hold}.host is null and ${isAbout(hold, workflow, trigger)}`;

/** SQL that is true when the hold in the row `hold` stops an effect of the execution `e`. `host` is what the effect calls, or null. */
const holdStops = (hold: string, host: string) =>
  `${hold}.stops = 'effects' and (${hold}.host is null or ${hold}.host = ${host}) and ${isAbout(hold, 'e.workflow_id', triggerOf('e'))}`;

const columns = `id, workspace_id as "workspaceId", workflow_id as "workflowId", trigger_id as "triggerId", host, stops, mode, reason, actor, held_at as "heldAt",
  released_at as "releasedAt", per_second as "perSecond"`;

/** True for a row `e` that a hold keeps back. The index of due rows serves it. */
export const keptBack = `e.status = 'queued' and e.next_delivery_at = 'infinity'
  and not exists (select from flow_places p where p.execution_id = e.id and p.state <> 'held')`;

/** True for a row `k` of `held_effects` that is held, of the open execution `e`. */
const isHeld = `k.due_at is null and k.waits_for = 'hold' and e.status in ('queued', 'running', 'paused')`;

/** SQL that counts what waits for a hold. `isIn` gives the condition for a row of a workspace that counts. */
const countWaiting = (
  isIn: (row: string) => string,
) => /* sql */ `(select count(*) from (select from executions e where ${isIn('e')} and ${keptBack}
  and ${holdCovers('holds', 'e.workflow_id', triggerOf('e'))} limit 10000) kept)::int + (
  select count(*) from (select distinct k.execution_id from held_effects k join executions e on e.id = k.execution_id
    where ${isIn('k')} and ${isHeld} and ${holdStops('holds', 'k.host')} limit 10000) stopped)::int as waiting`;

/** $1 workspace */
export const shown = /* sql */ `select ${columns}, ${countWaiting((row) => `${row}.workspace_id = $1`)} from holds where ${isHoldIn('holds', '$1')}`;

/** The hold of the installation, with all that waits for it. */
export const shownInstallation = /* sql */ `select ${columns}, ${countWaiting(() => 'true')} from holds where workspace_id is null`;

/**
 * A hold of a trigger takes what it has started back out of the lines, because the lines look at no triggers. A hold of a trigger has its workflow.
 * $1 id, $2 workspace, $3 workflow, $4 trigger, $5 mode, $6 reason, $7 actor, $8 host, $9 what stops
 */
export const insertHold = /* sql */ `
with subject as (
  select $3::text as workflow_id where $4::text is null and ($3::text is null or exists (select from workflows w where w.workspace_id = $2 and w.id = $3))
  union all select t.workflow_id from triggers t where t.workspace_id = $2 and t.id = $4::text and t.left_out_at is null
), out_of_line as (
  update flow_places p set state = 'held' from subject s, executions e
  where $4::text is not null and p.workflow_id = s.workflow_id and p.state = 'waiting' and p.leaving is null
    and e.id = p.execution_id and ${triggerOf('e')} = $4
)
insert into holds (id, workspace_id, workflow_id, trigger_id, mode, reason, actor, host, stops)
select $1, $2, s.workflow_id, $4, $5, $6, $7, $8, $9 from subject s
on conflict on constraint holds_once do nothing
returning ${columns}, 0 as waiting`;

/** Locks the hold of a subject, so that nothing that still meets it is under way. A hold of a trigger has its workflow too. $1 workspace, $2 workflow, $3 trigger, $4 host */
export const lockSubject = /* sql */ `
select id, released_at is not null as "isReleased" from holds where workspace_id is not distinct from $1::text
  and trigger_id is not distinct from $3::text and ($3 is not null or workflow_id is not distinct from $2::text)
  and host is not distinct from $4::text for update`;

/** Like `lockSubject`, for a hold that has an id. $1 workspace, $2 id */
export const lockHold = /* sql */ `
select host, stops from holds where workspace_id is not distinct from $1::text and id = $2 for update`;

/** $1 hold, $2 mode, $3 reason, $4 what stops, $5 who holds; null leaves a value as it is */
export const holdAgain = /* sql */ `
update holds set mode = coalesce($2, mode), reason = coalesce($3, reason), stops = coalesce($4, stops), actor = coalesce($5::json, actor),
  held_at = case when $5::json is null then held_at else now() end, released_at = null, per_second = null where id = $1`;

/** Lets effects of a workspace go on that no hold stops any more. $1 workspace, or null for all */
export const freeEffects = /* sql */ `
update held_effects k set due_at = now() from executions e
where e.id = k.execution_id and ($1::text is null or k.workspace_id = $1) and ${isHeld}
  and not exists (select from holds o where ${isHoldIn('o', 'k.workspace_id')} and ${holdStops('o', 'k.host')})`;

/** $1 workspace or null, $2 id, $3 a second */
export const releaseHold = /* sql */ `
update holds set released_at = now(), per_second = $3, credited_at = now()
where workspace_id is not distinct from $1::text and id = $2 returning id`;

/** $1 workspace, $2 workflow, $3 trigger or null */
export const holdOfStart = /* sql */ `
select ${columns} from holds where ${isHoldIn('holds', '$1')} and ${holdCovers('holds', '$2', '$3::text')}
order by released_at is not null, workspace_id nulls first, workflow_id nulls first, trigger_id nulls first limit 1`;

/** $1 workspace, $2 workflow, $3 trigger */
export const refusingHold = /* sql */ `
select id from holds where ${isHoldIn('holds', '$1')} and ${holdCovers('holds', '$2', '$3')} and mode = 'refuse' and released_at is null limit 1`;

export const dueHolds = /* sql */ `
select id, workspace_id is null as is_of_all, per_second, extract(epoch from now() - credited_at)::float8 as for_s
from holds where released_at is not null order by id for no key update skip locked`;

/** True for a row `e` that another hold keeps, which is not being released. */
const isKeptByOther = /* sql */ `exists (select from holds o where ${isHoldIn('o', 'e.workspace_id')} and o.released_at is null
  and ${holdCovers('o', 'e.workflow_id', triggerOf('e'))})`;

/** True for a row `e` that only the hold `h` keeps back. */
const isKeptByThis = (isOfAll: boolean) =>
  `${isOfAll ? '' : 'e.workspace_id = h.workspace_id and '}${keptBack} and ${holdCovers('h', 'e.workflow_id', triggerOf('e'))} and not ${isKeptByOther}`;

/** What is let go joins the line of its key, if it has one. $1 hold, $2 most */
export const letGo = (isOfAll: boolean) => /* sql */ `
with chosen as (
  select e.id from holds h, executions e where h.id = $1 and ${isKeptByThis(isOfAll)} order by e.created_at, e.id limit $2 for no key update of e skip locked
), joined as (
  update flow_places p set state = 'waiting' from chosen c where p.execution_id = c.id returning p.execution_id, p.workspace_id, p.workflow_id, p.key
), due as (
  insert into flow_timers as t (line, workflow_id, key, workspace_id, due_at)
  select distinct workflow_id || ' ' || key, workflow_id, key, workspace_id, now() from joined order by 1
  on conflict (line) do update set due_at = least(t.due_at, excluded.due_at)
)
update executions e set updated_at = now(),
  next_delivery_at = case when exists (select from joined j where j.execution_id = e.id) then 'infinity' else now() end
from chosen c where e.id = c.id`;

/** True for a held row `k` of the execution `e` that only the hold `h` stops. */
const isStoppedByThis = (isOfAll: boolean) =>
  `${isOfAll ? '' : 'k.workspace_id = h.workspace_id and '}${isHeld} and ${holdStops('h', 'k.host')} and not exists (
  select from holds o where ${isHoldIn('o', 'k.workspace_id')} and o.released_at is null and ${holdStops('o', 'k.host')})`;

/** The runs of these effects are told next. $1 hold, $2 most */
export const letEffectsGo = (isOfAll: boolean) => /* sql */ `
with chosen as (
  select k.id from holds h, held_effects k join executions e on e.id = k.execution_id where h.id = $1 and ${isStoppedByThis(isOfAll)}
  order by k.held_at, k.id limit $2 for update of k skip locked
)
update held_effects k set due_at = now() from chosen c where k.id = c.id`;

/**
 * Notes an effect that a hold stops, and returns the hold. It locks the hold, so that the hold does not end before the row is committed.
 * A hold that is being released stops only what it has stopped before. $1 workspace, $2 execution, $3 path, $4 host or null, $5 whether
 * it is noted
 */
export const stopEffect = /* sql */ `
with e as (
  select id, workspace_id, workflow_id, actor from executions where workspace_id = $1 and id = $2
), kept as (
  select k.id from held_effects k where k.execution_id = $2 and k.path = $3 and k.due_at is null and k.waits_for = 'hold'
), holding as (
  select h.reason from holds h, e where ${isHoldIn('h', '$1')} and ${holdStops('h', '$4::text')}
    and (h.released_at is null or exists (select from kept))
  for key share of h
), noted as (
  insert into held_effects (execution_id, workspace_id, workflow_id, path, host)
  select e.id, e.workspace_id, e.workflow_id, $3, $4 from e where $5 and exists (select from holding)
  on conflict (execution_id, path, host) do update set due_at = null, told_at = null, waits_for = 'hold'
), free as (
  delete from held_effects k where k.execution_id = $2 and k.path = $3 and k.waits_for = 'hold' and not exists (select from holding)
)
select reason from holding limit 1`;

/** The hold that stops a visit of a run which has not ended. $1 workspace, $2 execution */
export const holdOfEffects = /* sql */ `
select ${columns} from holds where ${isHoldIn('holds', '$1')} and exists (
  select from held_effects k join executions e on e.id = k.execution_id where k.execution_id = $2 and ${isHeld} and ${holdStops('holds', 'k.host')})
order by released_at is not null, workflow_id nulls first limit 1`;

/** $1 hold, $2 seconds */
export const useCredit = /* sql */ `
update holds set credited_at = greatest(credited_at + make_interval(secs => $2), now() - interval '${burstS} seconds') where id = $1`;

/** $1 hold */
export const endHold = (isOfAll: boolean) => /* sql */ `
delete from holds h where id = $1 and not exists (select from executions e where ${isKeptByThis(isOfAll)})
  and not exists (select from held_effects k join executions e on e.id = k.execution_id where ${isStoppedByThis(isOfAll)})`;
