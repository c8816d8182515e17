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

/** The conditions on an execution `e`, and on its usage `u` where the cost matters. */
export function conditionsOf(filters: LogFilters, values: Values): string[] {
  const { triggers, statuses, level, from, to, executionId, model } = filters;
  const { minDurationMs, maxDurationMs, minCost, maxCost } = filters;
  const given = <T>(value: T | undefined, condition: (place: string) => string, bound: unknown = value) =>
    value === undefined ? [] : [condition(values.add(bound))];
  return [
    ...given(triggers, (place) => `e.trigger = any (${place}::text[])`),
    ...given(statuses, (place) => `e.status = any (${place}::text[])`),
    ...(level ? [`e.status ${level === 'error' ? '=' : '<>'} 'failed'`] : []),
    ...given(from, (place) => `e.created_at >= ${place}::timestamptz`),
    ...given(to, (place) => `e.created_at <= ${place}::timestamptz`),
    ...given(executionId, (place) => `e.id = ${place}`),
    ...given(minDurationMs, (place) => `e.duration_ms >= ${place}::bigint`),
    ...given(maxDurationMs, (place) => `e.duration_ms <= ${place}::bigint`),
    ...given(minCost, (place) => `u.cost_micros >= ${place}::bigint`, minCost && micros(minCost)),
    ...given(maxCost, (place) => `u.cost_micros <= ${place}::bigint`, maxCost && micros(maxCost)),
    ...given(
      model,
      (place) =>
        `exists (select from visits v where v.workspace_id = e.workspace_id and v.model = ${place} and v.execution_id = e.id)`,
    ),
  ];
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

/** True when the filters need the usage of an execution: one that has none is then left out. */
export const needsUsage = ({ minCost, maxCost }: LogFilters) =>
  minCost !== undefined || maxCost !== undefined;
