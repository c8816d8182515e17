import { Controller, Get, Header, Param, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Logs } from '#libs/runs/history/logs';
import { Listing } from '#libs/runs/workflows/listing';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RequirePermission } from '../http/route-decorators.ts';
import { parseFilters } from '../logs/log-filters.ts';
import { LogFilterQuery } from '../logs/logs.dto.ts';
import { ForeignLogsQuery, ForeignWorkflowsQuery, RunsQuery } from './lists.dto.ts';
import { folderIn, foreignFullLog, foreignLog, foreignRun, foreignWorkflow } from './lists.views.ts';

const json = 'application/json; charset=utf-8';
/** The longest page with blocks and outputs. `nextCursor` leads to the next. */
const fullMax = 100;

/** Workflows and executions, for clients of another product. */
@ApiExcludeController()
@Controller('api/v2')
export class ForeignLogsController {
  constructor(
    private readonly logs: Logs,
    private readonly listing: Listing,
  ) {}

  @Get('workflows')
  @RequirePermission('read', 'named')
  @Header('Content-Type', json)
  async listWorkflows(
    @CurrentCaller() { workspaceId }: Admission,
    @Query() { scope, deployedOnly, search, folderPath = '', limit, cursor }: ForeignWorkflowsQuery,
  ) {
    if (scope === 'archived') return { data: [], nextCursor: null };
    const filters = { deployedOnly, name: search, folder: folderIn(folderPath), limit, cursor };
    const { items, nextCursor } = await this.listing.workflows(workspaceId, filters);
    return { data: items.map(foreignWorkflow), nextCursor };
  }

  @Get('workflows/:workflowId/runs')
  @RequirePermission('read', 'workflow')
  @Header('Content-Type', json)
  async listRuns(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('workflowId') workflowId: string,
    @Query() { limit, cursor, order, status, trigger, startDate, endDate }: RunsQuery,
  ) {
    const query = {
      workflowIds: workflowId,
      status: ourWords(status),
      triggers: trigger,
      startDate,
      endDate,
    };
    const filters = parseFilters(Object.assign(new LogFilterQuery(), query));
    const { items, nextCursor } = await this.logs.list([workspaceId], { ...filters, order, limit, cursor });
    return { data: items.map(foreignRun), nextCursor };
  }

  @Get('logs')
  @RequirePermission('read', 'named')
  @Header('Content-Type', json)
  async listLogs(@CurrentCaller() { workspaceId }: Admission, @Query() query: ForeignLogsQuery) {
    const { limit, cursor, sortOrder: order, includeTraceSpans, includeFinalOutput } = query;
    const isFull = query.details === 'full' || includeTraceSpans || includeFinalOutput;
    const { workflowIds, triggers, level, startDate, endDate, model } = query;
    const { minDurationMs, maxDurationMs, minCost, maxCost } = query;
    const filterQuery = Object.assign(new LogFilterQuery(), {
      workflowIds,
      triggers,
      level,
      startDate,
      endDate,
      model,
      minDurationMs,
      maxDurationMs,
      minCost,
      maxCost,
      executionId: query.runId,
      folderIds: query.folderPaths?.split(',').map(folderIn).join(','),
      status: ourWords(query.status),
    });
    const page = {
      ...parseFilters(filterQuery),
      order,
      limit: isFull ? Math.min(limit, fullMax) : limit,
      cursor,
    };
    const { items, nextCursor } = await this.logs.list([workspaceId], page);
    if (!isFull) return { data: items.map(foreignLog), nextCursor };
    const full = await this.logs.full([workspaceId], items);
    const parts = { includeTraceSpans, includeFinalOutput };
    return { data: full.map((entry) => foreignFullLog(entry, parts)), nextCursor };
  }
}

/** Replaces the clients' word for a queued execution by ours. */
function ourWords(statuses: string | undefined): string | undefined {
  return statuses?.replaceAll(/\bpending\b/g, 'queued');
}
