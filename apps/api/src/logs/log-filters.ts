import { type ExecutionStatus, executionStatuses } from '#libs/executions/execution.entity';
import { Invalid } from '#libs/faults/faults';
import type { LogFilters } from '#libs/logs/filters';
import type { LogFilterQuery } from './logs.shapes.ts';

const listMax = 100;
const dayMs = 24 * 60 * 60 * 1000;

/** What the query asks for. Refuses a status that there is not, a moment that no calendar has, and a range that ends before it begins. */
export function filtersOf(query: LogFilterQuery): LogFilters {
  const { level, executionId, minDurationMs, maxDurationMs, minCost, maxCost, model, search } = query;
  const filters = {
    workflowIds: listOf(query, 'workflowIds'),
    folders: listOf(query, 'folderIds'),
    triggers: listOf(query, 'triggers'),
    statuses: listOf(query, 'status')?.map(statusOf),
    level,
    from: momentOf(query, 'startDate'),
    to: momentOf(query, 'endDate', dayMs - 1),
    executionId,
    minDurationMs,
    maxDurationMs,
    minCost,
    maxCost,
    model,
    search,
  };
  inOrder(filters.from, filters.to, 'endDate', 'startDate');
  inOrder(minDurationMs, maxDurationMs, 'maxDurationMs', 'minDurationMs');
  inOrder(minCost, maxCost, 'maxCost', 'minCost');
  return filters;
}

type ListField = 'workflowIds' | 'folderIds' | 'triggers' | 'status';

function listOf(query: LogFilterQuery, field: ListField): string[] | undefined {
  const items = query[field]?.split(',').map((item) => item.trim());
  if (!items || items.includes('all')) return undefined;
  if (items.includes(''))
    throw Invalid.field(field, 'must not have an empty place between commas', 'pattern');
  if (items.length > listMax) throw Invalid.field(field, `must have at most ${listMax} items`, 'range');
  return items;
}

function statusOf(text: string): ExecutionStatus {
  const status = executionStatuses.find((one) => one === text);
  if (!status) throw Invalid.field('status', `must be of ${executionStatuses.join(', ')}`, 'enum');
  return status;
}

/** `dayEndsMs` is added to a date without a time. */
function momentOf(query: LogFilterQuery, field: 'startDate' | 'endDate', dayEndsMs = 0): Date | undefined {
  const text = query[field];
  if (text === undefined) return undefined;
  const atMs = Date.parse(text);
  if (Number.isNaN(atMs)) throw Invalid.field(field, 'must be an ISO 8601 date or time', 'type');
  return new Date(text.includes('T') ? atMs : atMs + dayEndsMs);
}

function inOrder<T extends number | Date>(
  low: T | undefined,
  high: T | undefined,
  path: string,
  other: string,
) {
  if (low !== undefined && high !== undefined && low > high)
    throw Invalid.field(path, `must not be below ${other}`, 'range');
}
