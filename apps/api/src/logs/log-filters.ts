import { type ExecutionStatus, executionStatuses } from '#libs/runs/executions/execution.entity';
import { Invalid } from '#libs/platform/errors/errors';
import type { JsonObject } from '#libs/platform/json/json';
import type { LogFilters } from '#libs/runs/history/filters';
import type { StatsQuery } from '#libs/runs/history/log-stats';
import { parseFolder } from '#libs/runs/workflows/folder';
import { requireTimeOrder, parseTime } from '../http/parse-time.ts';
import type { LogFilterQuery, LogSelection, LogStatsQuery } from './logs.dto.ts';

const listMax = 100;

/** The filters of the query. Throws for an unknown status, an invalid time, and a range that ends before it begins. */
export function parseFilters(query: LogSelection): LogFilters {
  const { executionId, parentExecutionId, minDurationMs, maxDurationMs, minCost, maxCost } = query;
  const filters = {
    workflowIds: parseList(query, 'workflowIds'),
    folders: parseList(query, 'folderIds')?.map((path) => parseFolder(path, 'folderIds')),
    triggers: parseList(query, 'triggers'),
    triggerIds: parseList(query, 'triggerIds'),
    statuses: parseList(query, 'status')?.map(parseStatus),
    level: query.level,
    failureCodes: parseList(query, 'failureCodes'),
    from: parseTime(query, 'startDate'),
    to: parseTime(query, 'endDate', { wholeDay: true }),
    executionId: executionId?.replace(/^log_/, 'exec_'),
    parentExecutionId: parentExecutionId?.replace(/^log_/, 'exec_'),
    minDurationMs,
    maxDurationMs,
    minCost,
    maxCost,
    model: query.model,
    search: query.search,
  };
  requireTimeOrder(filters.from, filters.to, 'endDate', 'startDate');
  requireTimeOrder(minDurationMs, maxDurationMs, 'maxDurationMs', 'minDurationMs');
  requireTimeOrder(minCost, maxCost, 'maxCost', 'minCost');
  return filters;
}

const hourMs = 3_600_000;
/** So many hours or days are counted at most. */
const linesMax = 750;

/** What the query counts: the last day by hours, or the last month by days, when it does not say. */
export function parseStats(query: LogStatsQuery, nowMs: number): StatsQuery {
  const { by } = query;
  const unitMs = by === 'hour' ? hourMs : 24 * hourMs;
  const to = parseTime(query, 'endDate', { wholeDay: true }) ?? new Date(nowMs);
  const from = parseTime(query, 'startDate') ?? new Date(to.getTime() - (by === 'hour' ? 24 : 30) * unitMs);
  requireTimeOrder(from, to, 'endDate', 'startDate');
  if (to.getTime() - from.getTime() > linesMax * unitMs)
    throw Invalid.field('startDate', `must be at most ${linesMax} ${by}s before endDate`, 'range');
  return { workflowIds: parseList(query, 'workflowIds') ?? null, from, to, by };
}

/** The contents of an export, for the audit log: its filters, and the exported parts of each execution. */
export function exportedBy(query: LogFilterQuery, filters: LogFilters): JsonObject {
  const { details, includeFinalOutput } = query;
  const { from, to, ...rest } = filters;
  const members = { ...rest, from: from?.toISOString(), to: to?.toISOString() };
  const present = Object.entries(members).filter(
    (one): one is [string, LogFilterInput] => one[1] !== undefined,
  );
  return { filters: Object.fromEntries(present), details, includeFinalOutput };
}

type LogFilterInput = string | number | string[];

type ListField = 'workflowIds' | 'folderIds' | 'triggers' | 'triggerIds' | 'status' | 'failureCodes';

function parseList(query: Partial<Record<ListField, string>>, field: ListField): string[] | undefined {
  const items = query[field]?.split(',').map((item) => item.trim());
  if (!items || items.includes('all')) return undefined;
  if (items.includes('')) throw Invalid.field(field, 'must not have an empty item between commas', 'pattern');
  if (items.length > listMax) throw Invalid.field(field, `must have at most ${listMax} items`, 'range');
  return items;
}

function parseStatus(text: string): ExecutionStatus {
  const status = executionStatuses.find((one) => one === text);
  if (!status) throw Invalid.field('status', `must be one of ${executionStatuses.join(', ')}`, 'enum');
  return status;
}
