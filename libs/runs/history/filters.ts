import type { ExecutionStatus } from '#libs/runs/executions/execution.entity';
import { executionNamed } from '#libs/runs/executions/executions';

export const levels = ['info', 'error'] as const;

/** The filters of a list of logs. An absent filter lets everything through. */
export interface LogFilters {
  workflowIds?: string[];
  /** Folders, with everything below them. */
  folders?: string[];
  triggers?: string[];
  /** The triggers that started them. */
  triggerIds?: string[];
  statuses?: ExecutionStatus[];
  level?: (typeof levels)[number];
  failureCodes?: string[];
  /** The time at which an execution was accepted. Both bounds are inclusive. */
  from?: Date;
  to?: Date;
  /** The id of an execution or of one of its resumes. */
  executionId?: string;
  /** The execution that began them. */
  parentExecutionId?: string;
  minDurationMs?: number;
  maxDurationMs?: number;
  minCost?: number;
  maxCost?: number;
  /** A model that an llm block of the execution used. */
  model?: string;
  /** Text in the failure or the output, in any case. `search.ts` looks for it. */
  search?: string;
}

/** The values of a composed statement, and their places in it. */
export class FilterValues {
  readonly all: unknown[] = [];

  /** Adds a value and returns its place, such as `$3`. */
  add(value: unknown): string {
    this.all.push(value);
    return `$${this.all.length}`;
  }
}

const micros = (cost: number) => Math.round(cost * 1_000_000);

/** The columns with the id of an execution and the time of its acceptance. */
interface ExecutionPlace {
  at: string;
  id: string;
}

/** The conditions on an execution's place in the list, over the columns of whichever table has them. */
export function buildPositionConditions(
  { from, to, executionId }: LogFilters,
  values: FilterValues,
  { at, id }: ExecutionPlace,
): string[] {
  return [
    ...conditionOn(from, values, (place) => `${at} >= ${place}::timestamptz`),
    ...conditionOn(to, values, (place) => `${at} <= ${place}::timestamptz`),
    ...conditionOn(executionId, values, (place) => `${id} = ${executionNamed(place)}`),
  ];
}

/** The conditions on an execution `e`, except those on its place in the list and its cost. */
export function buildConditions(filters: LogFilters, values: FilterValues): string[] {
  const { triggers, triggerIds, statuses, level, failureCodes, model, parentExecutionId } = filters;
  return [
    ...conditionOn(parentExecutionId, values, (place) => `e.parent_id = ${place}`),
    ...oneOf('e.trigger', triggers, values),
    ...oneOf(`e.actor ->> 'triggerId'`, triggerIds, values),
    ...oneOf('e.status', statuses, values),
    ...(level ? [`e.status ${level === 'error' ? '=' : '<>'} 'failed'`] : []),
    // The index of states finds the failed ones.
    ...(failureCodes ? [`e.status = 'failed'`] : []),
    ...oneOf(`e.failure ->> 'code'`, failureCodes, values),
    ...buildDurationConditions(filters, values),
    ...conditionOn(
      model,
      values,
      (place) =>
        `exists (select from visits v where v.workspace_id = e.workspace_id and v.model = ${place} and v.execution_id = e.id)`,
    ),
  ];
}

function conditionOn<T>(
  value: T | undefined,
  values: FilterValues,
  condition: (place: string) => string,
): string[] {
  return value === undefined ? [] : [condition(values.add(value))];
}

/** With one value the index keeps its order; with a list, even of one value, it does not. */
function oneOf(column: string, allowed: string[] | undefined, values: FilterValues): string[] {
  if (!allowed) return [];
  const [only] = allowed;
  if (only !== undefined && allowed.length === 1) return [`${column} = ${values.add(only)}`];
  return [`${column} = any (${values.add(allowed)}::text[])`];
}

/** The conditions on a cost `u`. */
export function buildCostConditions({ minCost, maxCost }: LogFilters, values: FilterValues): string[] {
  return [
    ...(minCost === undefined ? [] : [`u.cost_micros >= ${values.add(micros(minCost))}::bigint`]),
    ...(maxCost === undefined ? [] : [`u.cost_micros <= ${values.add(micros(maxCost))}::bigint`]),
  ];
}

/** The conditions on the duration of an execution `e`. */
export function buildDurationConditions(
  { minDurationMs, maxDurationMs }: LogFilters,
  values: FilterValues,
): string[] {
  return [
    ...conditionOn(minDurationMs, values, (place) => `e.duration_ms >= ${place}::bigint`),
    ...conditionOn(maxDurationMs, values, (place) => `e.duration_ms <= ${place}::bigint`),
  ];
}

/** Fewer matches than this are read and sorted faster than a walk along a list in which one of twenty matches. */
const fewMax = 50_000;

/** Tells whether few costs match the filters. */
export function countOfCosts(filters: LogFilters, workspaceIds: string[], values: FilterValues): string {
  const conditions = [
    `u.workspace_id = any (${values.add(workspaceIds)})`,
    ...conditionOn(filters.workflowIds, values, (place) => `u.workflow_id = any (${place}::text[])`),
    ...buildCostConditions(filters, values),
  ];
  return areFew('execution_costs u', conditions);
}

/** Tells whether few executions match the filters on duration. */
export function countOfDurations(filters: LogFilters, workspaceIds: string[], values: FilterValues): string {
  const workspaces = `unnest(${values.add(workspaceIds)}::text[]) w (id)`;
  // In one workspace at a time, the index alone can answer.
  const within = ['e.workspace_id = w.id', ...buildDurationConditions(filters, values)].join(' and ');
  return areFew(`${workspaces} cross join lateral (select from executions e where ${within} offset 0) e`, []);
}

const areFew = (from: string, conditions: string[]) => /* sql */ `
select count(*) < ${fewMax} as few from (select from ${from} where ${['true', ...conditions].join(' and ')} limit ${fewMax}) c`;

/** The workflows that the filters allow, each once; null when they allow any. `w` is their workspace. */
export function buildWorkflowsQuery(
  { workflowIds, folders }: LogFilters,
  values: FilterValues,
): string | null {
  const byId = workflowIds && `select unnest(${values.add(workflowIds)}::text[])`;
  const lying = folders && workflowsIn(values.add(folders));
  return [byId, lying].filter(Boolean).join(' intersect ') || null;
}

/** In byte order, everything below a folder comes between its path with `/` and its path with `0`. */
const workflowsIn = (folders: string) => /* sql */ `
select f.id from workflows f, unnest(${folders}::text[]) p (path) where f.workspace_id = w.id
  and (f.folder = p.path collate "C" or (f.folder >= (p.path || '/') collate "C" and f.folder < (p.path || '0') collate "C"))`;

/**
 * True when only the duration, and perhaps a time range, narrows the list. Any other filter makes a walk along the
 * list quicker.
 */
export function isOfDurations(filters: LogFilters): boolean {
  const { minDurationMs, maxDurationMs, from: _from, to: _to, ...others } = filters;
  const bounded = minDurationMs !== undefined || maxDurationMs !== undefined;
  return bounded && Object.values(others).every((value) => value === undefined);
}

/** True when the filters need the cost of an execution. An execution without a cost does not match. */
export const needsUsage = ({ minCost, maxCost }: LogFilters) =>
  minCost !== undefined || maxCost !== undefined;
