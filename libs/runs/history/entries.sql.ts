import { nameOfActor } from '#libs/platform/database/actor-context';
import type { CursorPosition } from '#libs/platform/cursors/cursor';
import {
  buildConditions,
  buildCostConditions,
  type LogFilters,
  buildPositionConditions,
  type FilterValues,
  buildWorkflowsQuery,
} from './filters.ts';

/** The position, the direction and the size of a page. */
export interface ListPosition {
  order: 'asc' | 'desc';
  limit: number;
  after: CursorPosition | null;
  workspaceIds: string[];
  /**
   * Set when few executions match the filters on cost or duration. They are then found by their index, not by a walk
   * along the list.
   */
  by?: 'cost' | 'duration';
}

/**
 * SQL that picks executions as `e`. It reads at most a page of each workspace, or of each workflow when the filters
 * name some. So the index of a workflow finds old runs without reading newer runs of others. Picking needs only index
 * columns, so the rows of excluded executions are not read.
 */
export function picked(filters: LogFilters, place: ListPosition, values: FilterValues): string {
  const { order, limit, after, workspaceIds, by } = place;
  const [workspaces, most] = [values.add(workspaceIds), values.add(limit)];
  const workflows = buildWorkflowsQuery(filters, values);
  const each = workflows ? `cross join lateral (select distinct t.id from (${workflows}) t (id)) f` : '';
  const one =
    by === 'cost'
      ? { at: 'u.created_at', id: 'u.execution_id', workflow: 'u.workflow_id' }
      : { at: 'e.created_at', id: 'e.id', workflow: 'e.workflow_id' };
  const standing = [
    ...buildPositionConditions(filters, values, one),
    ...(workflows ? [`${one.workflow} = f.id`] : []),
  ];
  if (after) {
    const behind = order === 'desc' ? '<' : '>';
    standing.push(
      `(${one.at}, ${one.id}) ${behind} (${values.add(after.at)}::timestamptz, ${values.add(after.id)})`,
    );
  }
  const conditions = buildConditions(filters, values);
  const costs = buildCostConditions(filters, values);
  const sources = {
    cost: () => sortedByCost([...standing, ...costs], conditions, order),
    duration: () => foundByDuration([...standing, ...conditions]),
    walk: () => walked([...standing, ...conditions], costs),
  };
  return /* sql */ `
  select e.* from (
    select p.id from unnest(${workspaces}::text[]) w (id) ${each} cross join lateral (
      ${sources[by ?? 'walk']()} order by at ${order}, id ${order} limit ${most}
    ) p order by p.at ${order}, p.id ${order} limit ${most}
  ) p join executions e on e.id = p.id`;
}

/** Walks along the list until the page is full. */
function walked(conditions: string[], costs: string[]): string {
  const usage =
    costs.length > 0 ? 'join execution_costs u on u.execution_id = e.id and u.workspace_id = w.id' : '';
  const all = ['e.workspace_id = w.id', ...conditions, ...costs];
  return `select e.created_at as at, e.id from executions e ${usage} where ${all.join(' and ')}`;
}

/**
 * Finds executions by the index of durations alone. The planner assumes that matches are spread evenly, so it would
 * walk along the list: for minutes when only old executions took that long.
 */
function foundByDuration(conditions: string[]): string {
  const all = ['e.workspace_id = w.id', ...conditions].join(' and ');
  return `select c.at, c.id from (select e.created_at as at, e.id from executions e where ${all} offset 0) c`;
}

/**
 * Reads the costs first, because they hold the columns of the order. The subquery keeps the planner from joining all
 * of them before it sorts.
 */
function sortedByCost(costs: string[], conditions: string[], order: string): string {
  const all = ['u.workspace_id = w.id', ...costs].join(' and ');
  return /* sql */ `select c.at, c.id from (
    select u.created_at as at, u.execution_id as id from execution_costs u where ${all} order by 1 ${order}, 2 ${order} offset 0
  ) c join executions e on e.id = c.id where ${['true', ...conditions].join(' and ')}`;
}

/** The entries of the executions that `source` selects. The joins read only rows of these few. */
export const selectEntries = (source: string, order: 'asc' | 'desc') => /* sql */ `
select e.id as "executionId", e.workspace_id as "workspaceId", e.workflow_id as "workflowId", e.title, e.version, d.id as "deploymentId", e.status,
  e.is_test as "isTest", e.trigger, e.actor ->> 'triggerId' as "triggerId", e.actor ->> 'id' as "startedById", ${nameOfActor("e.actor ->> 'id'")} as "startedBy", e.created_at as "createdAt", e.started_at as "startedAt", e.completed_at as "endedAt", e.failure, u.cost_micros as cost,
  case when e.status = 'queued' then e.next_delivery_at = 'infinity' and coalesce(p.state, 'held') = 'held'
    else e.status in ('running', 'paused') and exists (select from held_effects k where k.execution_id = e.id and k.due_at is null and k.waits_for = 'hold') end as held,
  coalesce(p.state = 'waiting', false) or (e.status in ('running', 'paused') and exists (
    select from held_effects k where k.execution_id = e.id and k.due_at is null and k.waits_for = 'limit')) as waits,
  json_build_object('id', e.workflow_id, 'name', coalesce(f.name, e.workflow_name),
    'description', coalesce(f.description, ''), 'folder', coalesce(f.folder, ''), 'deleted', f.id is null) as workflow
from (${source}) e
left join workflows f on f.id = e.workflow_id
left join deployments d on d.workflow_id = e.workflow_id and d.version = e.version
left join execution_costs u on u.execution_id = e.id
left join flow_places p on p.execution_id = e.id and e.status = 'queued'
order by e.created_at ${order}, e.id ${order}`;
