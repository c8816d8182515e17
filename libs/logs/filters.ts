import type { ExecutionStatus } from '#libs/executions/execution.entity';

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
  executionId?: string;
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
export class Values {
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

/** The conditions on an execution `e`, and on its cost `u` where that matters. */
export function conditionsOf(filters: LogFilters, values: Values, { at, id }: Identity): string[] {
  const { triggers, statuses, level, from, to, executionId, model } = filters;
  const { minDurationMs, maxDurationMs } = filters;
  const given = <T>(value: T | undefined, condition: (place: string) => string) =>
    value === undefined ? [] : [condition(values.add(value))];
  return [
    ...given(triggers, (place) => `e.trigger = any (${place}::text[])`),
    ...given(statuses, (place) => `e.status = any (${place}::text[])`),
    ...(level ? [`e.status ${level === 'error' ? '=' : '<>'} 'failed'`] : []),
    ...given(from, (place) => `${at} >= ${place}::timestamptz`),
    ...given(to, (place) => `${at} <= ${place}::timestamptz`),
    ...given(executionId, (place) => `${id} = ${place}`),
    ...given(minDurationMs, (place) => `e.duration_ms >= ${place}::bigint`),
    ...given(maxDurationMs, (place) => `e.duration_ms <= ${place}::bigint`),
    ...costsOf(filters, values),
    ...given(
      model,
      (place) =>
        `exists (select from visits v where v.workspace_id = e.workspace_id and v.model = ${place} and v.execution_id = e.id)`,
    ),
  ];
}

/** The conditions on a cost `u`. */
function costsOf({ minCost, maxCost }: LogFilters, values: Values): string[] {
  return [
    ...(minCost === undefined ? [] : [`u.cost_micros >= ${values.add(micros(minCost))}::bigint`]),
    ...(maxCost === undefined ? [] : [`u.cost_micros <= ${values.add(micros(maxCost))}::bigint`]),
  ];
}

/** So many costs are read and sorted faster than a list is walked along in which one of twenty has such a cost. */
const fewMax = 50_000;

/** Counts the costs that the filters let through, as far as they are few. */
export function countOfCosts(filters: LogFilters, workspaceIds: string[], values: Values): string {
  const conditions = [`u.workspace_id = any (${values.add(workspaceIds)})`, ...costsOf(filters, values)];
  return /* sql */ `
select count(*) < ${fewMax} as few from (select from execution_costs u where ${conditions.join(' and ')} limit ${fewMax}) c`;
}

/** The workflows that executions must be of, each once; null when they may be of any. `w` is their workspace. */
export function workflowsOf({ workflowIds, folders }: LogFilters, values: Values): string | null {
  const named = workflowIds && `select unnest(${values.add(workflowIds)}::text[])`;
  const lying = folders && workflowsIn(values.add(folders));
  return [named, lying].filter(Boolean).join(' intersect ') || null;
}

/** All that lies below a folder comes, in the order of bytes, before what follows a slash. */
const workflowsIn = (folders: string) => /* sql */ `
select f.id from workflows f, unnest(${folders}::text[]) p (path) where f.workspace_id = w.id
  and (f.folder = p.path collate "C" or (f.folder >= (p.path || '/') collate "C" and f.folder < (p.path || '0') collate "C"))`;

/** True when the filters need the cost of an execution: one that has none is then left out. */
export const needsUsage = ({ minCost, maxCost }: LogFilters) =>
  minCost !== undefined || maxCost !== undefined;
