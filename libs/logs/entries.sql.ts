import type { CursorPosition } from '#libs/pages/cursor';
import { conditionsOf, type LogFilters, needsUsage, type Values, workflowsOf } from './filters.ts';

/** Where a page begins, which way it goes, and how much it has. */
export interface Place {
  order: 'asc' | 'desc';
  limit: number;
  after: CursorPosition | null;
  workspaceIds: string[];
  /** Few executions have a cost that the filters let through: they are found by it, and not by walking along the list. */
  byCost?: boolean;
}

/**
 * Picks executions as `e`, in order. Reads no more of each workspace than the page has, or of each workflow when some are named: one
 * whose runs are all old is found by its own index, and not behind all newer runs.
 */
export function picked(
  filters: LogFilters,
  { order, limit, after, workspaceIds, byCost = false }: Place,
  values: Values,
): string {
  const [workspaces, most] = [values.add(workspaceIds), values.add(limit)];
  // The costs repeat what the order needs, so that a page is known before any execution is read.
  const one = byCost
    ? { at: 'u.created_at', id: 'u.execution_id', workflow: 'u.workflow_id' }
    : { at: 'e.created_at', id: 'e.id', workflow: 'e.workflow_id' };
  const conditions = ['e.workspace_id = w.id', ...conditionsOf(filters, values, one)];
  if (after) {
    const behind = order === 'desc' ? '<' : '>';
    conditions.push(
      `(${one.at}, ${one.id}) ${behind} (${values.add(after.at)}::timestamptz, ${values.add(after.id)})`,
    );
  }
  const usage = needsUsage(filters)
    ? 'join execution_costs u on u.execution_id = e.id and u.workspace_id = w.id'
    : '';
  const workflows = workflowsOf(filters, values);
  if (workflows) conditions.push(`${one.workflow} = f.id`);
  const each = workflows ? `cross join lateral (select distinct t.id from (${workflows}) t (id)) f` : '';
  return /* sql */ `
  select e.* from unnest(${workspaces}::text[]) w (id) ${each} cross join lateral (
    select e.* from executions e ${usage} where ${conditions.join(' and ')}
    order by ${one.at} ${order}, ${one.id} ${order} limit ${most}
  ) e order by e.created_at ${order}, e.id ${order} limit ${most}`;
}

/** The entries of the executions that `source` selects, with what belongs to those few. */
export const entriesOf = (source: string, order: 'asc' | 'desc') => /* sql */ `
select e.id as "executionId", e.workspace_id as "workspaceId", e.workflow_id as "workflowId", d.id as "deploymentId", e.status,
  e.trigger, e.created_at as "createdAt", e.started_at as "startedAt", e.completed_at as "endedAt", e.failure, u.cost_micros as cost,
  json_build_object('id', e.workflow_id, 'name', coalesce(f.name, e.workflow_name),
    'description', coalesce(f.description, ''), 'deleted', f.id is null) as workflow
from (${source}) e
left join workflows f on f.id = e.workflow_id
left join deployments d on d.workflow_id = e.workflow_id and d.version = e.version
left join execution_costs u on u.execution_id = e.id
order by e.created_at ${order}, e.id ${order}`;
