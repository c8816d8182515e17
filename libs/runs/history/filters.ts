import type { ExecutionStatus } from '#libs/runs/executions/execution.entity';
import { executionNamed } from '#libs/runs/executions/executions';

export const levels = ['info', 'error'] as const;

/** Which executions a list of logs has. What is left out does not narrow it. */
export interface LogFilters {
  workflowIds?: string[];
  /** Folders, with all that lies below them. */
  folders?: string[];
  triggers?: string[];
  statuses?: ExecutionStatus[];
  level?: (typeof levels)[number];
  /** Both inclusive, of the moment at which an execution was accepted. */
  from?: Date;
  to?: Date;
  /** Also that of a resume, which is a further name of the execution. */
  executionId?: string;
  /** The one that began them. */
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

/** The values of a statement that is put together, and their places in it. */
export class FilterValues {
  readonly all: unknown[] = [];

  /** The place of a value, as `$3`. */
  add(value: unknown): string {
    this.all.push(value);
    return `$${this.all.length}`;
  }
}

const micros = (cost: number) => Math.round(cost * 1_000_000);

/** The columns that say which execution it is, and when it was accepted. */
interface Identity {
  at: string;
  id: string;
}

/** The conditions on where an execution stands in the list, whichever table says it. */
export function standingOf(
  { from, to, executionId }: LogFilters,
  values: FilterValues,
  { at, id }: Identity,
): string[] {
  return [
    ...given(from, values, (place) => `${at} >= ${place}::timestamptz`),
    ...given(to, values, (place) => `${at} <= ${place}::timestamptz`),
    ...given(executionId, values, (place) => `${id} = ${executionNamed(place)}`),
  ];
}

/** The conditions on an execution `e`, but for its standing and its cost. */
export function conditionsOf(filters: LogFilters, values: FilterValues): string[] {
  const { triggers, statuses, level, model, parentExecutionId } = filters;
  return [
    ...given(parentExecutionId, values, (place) => `e.parent_id = ${place}`),
    ...oneOf('e.trigger', triggers, values),
    ...oneOf('e.status', statuses, values),
    ...(level ? [`e.status ${level === 'error' ? '=' : '<>'} 'failed'`] : []),
    ...durationsOf(filters, values),
    ...given(
      model,
      values,
      (place) =>
        `exists (select from visits v where v.workspace_id = e.workspace_id and v.model = ${place} and v.execution_id = e.id)`,
    ),
  ];
}

function given<T>(
  value: T | undefined,
  values: FilterValues,
  condition: (place: string) => string,
): string[] {
  return value === undefined ? [] : [condition(values.add(value))];
}

/** An index keeps its order behind one value, and not behind a list that happens to have one. */
function oneOf(column: string, wanted: string[] | undefined, values: FilterValues): string[] {
  if (!wanted) return [];
  const [only] = wanted;
  if (only !== undefined && wanted.length === 1) return [`${column} = ${values.add(only)}`];
  return [`${column} = any (${values.add(wanted)}::text[])`];
}

/** The conditions on a cost `u`. */
export function costsOf({ minCost, maxCost }: LogFilters, values: FilterValues): string[] {
  return [
    ...(minCost === undefined ? [] : [`u.cost_micros >= ${values.add(micros(minCost))}::bigint`]),
    ...(maxCost === undefined ? [] : [`u.cost_micros <= ${values.add(micros(maxCost))}::bigint`]),
  ];
}

/** The conditions on the duration of an execution `e`. */
export function durationsOf({ minDurationMs, maxDurationMs }: LogFilters, values: FilterValues): string[] {
  return [
    ...given(minDurationMs, values, (place) => `e.duration_ms >= ${place}::bigint`),
    ...given(maxDurationMs, values, (place) => `e.duration_ms <= ${place}::bigint`),
  ];
}

/** So many costs or durations are read and sorted faster than a list is walked along in which one of twenty has such a one. */
const fewMax = 50_000;

/** Counts the costs that the filters let through, as far as they are few. */
export function countOfCosts(filters: LogFilters, workspaceIds: string[], values: FilterValues): string {
  const conditions = [
    `u.workspace_id = any (${values.add(workspaceIds)})`,
    ...given(filters.workflowIds, values, (place) => `u.workflow_id = any (${place}::text[])`),
    ...costsOf(filters, values),
  ];
  return areFew('execution_costs u', conditions);
}

/** Counts the executions that took so long, as far as they are few. */
export function countOfDurations(filters: LogFilters, workspaceIds: string[], values: FilterValues): string {
  const workspaces = `unnest(${values.add(workspaceIds)}::text[]) w (id)`;
  // In a workspace at a time the index alone answers.
  const within = ['e.workspace_id = w.id', ...durationsOf(filters, values)].join(' and ');
  return areFew(`${workspaces} cross join lateral (select from executions e where ${within} offset 0) e`, []);
}

const areFew = (from: string, conditions: string[]) => /* sql */ `
select count(*) < ${fewMax} as few from (select from ${from} where ${['true', ...conditions].join(' and ')} limit ${fewMax}) c`;

/** The workflows that executions must be of, each once; null when they may be of any. `w` is their workspace. */
export function workflowsOf({ workflowIds, folders }: LogFilters, values: FilterValues): string | null {
  const named = workflowIds && `select unnest(${values.add(workflowIds)}::text[])`;
  const lying = folders && workflowsIn(values.add(folders));
  return [named, lying].filter(Boolean).join(' intersect ') || null;
}

/** All that lies below a folder comes, in the order of bytes, before what follows a slash. */
const workflowsIn = (folders: string) => /* sql */ `
select f.id from workflows f, unnest(${folders}::text[]) p (path) where f.workspace_id = w.id
  and (f.folder = p.path collate "C" or (f.folder >= (p.path || '/') collate "C" and f.folder < (p.path || '0') collate "C"))`;

/** True when the duration alone decides, in all of the list or between two moments. With another filter, the list is walked along by that one. */
export function isOfDurations(filters: LogFilters): boolean {
  const { minDurationMs, maxDurationMs, from: _from, to: _to, ...others } = filters;
  const bounded = minDurationMs !== undefined || maxDurationMs !== undefined;
  return bounded && Object.values(others).every((value) => value === undefined);
}

/** True when the filters need the cost of an execution: one that has none is then left out. */
export const needsUsage = ({ minCost, maxCost }: LogFilters) =>
  minCost !== undefined || maxCost !== undefined;
