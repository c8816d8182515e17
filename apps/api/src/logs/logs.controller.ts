import type { Readable } from 'node:stream';
import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { Audit } from '#libs/workspace/audit/audit';
import { Invalid } from '#libs/platform/errors/errors';
import { Limits } from '#libs/workspace/limits/limits';
import { LogStatistics } from '#libs/runs/history/log-stats';
import { type LogEntry, Logs } from '#libs/runs/history/logs';
import { BlockLogQuery } from '../executions/block-log.dto.ts';
import { LimitsView } from '../executions/executions.dto.ts';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RequirePermission } from '../http/route-decorators.ts';
import { LastingAnswers } from '../http/lasting-answers.ts';
import { ApiErrors, ApiResult } from '../http/api-result.ts';
import { exportedBy, parseFilters, parseStats } from './log-filters.ts';
import {
  ExecutionDataView,
  LogDetailView,
  LogFilterQuery,
  LogsQuery,
  LogStatsQuery,
  LogStatsView,
  LogStateView,
  LogView,
} from './logs.dto.ts';

const fullMax = 100;

@ApiTags('Logs')
@Controller('api/v1/logs')
export class LogsController {
  constructor(
    private readonly logs: Logs,
    private readonly statistics: LogStatistics,
    private readonly limits: Limits,
    private readonly audit: Audit,
    private readonly lasting: LastingAnswers,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List the logs of executions',
    description:
      'Finds executions of all workflows by time, state, duration, cost, model or text. An execution must match all filters. `details=full` adds the workflow and the blocks.',
  })
  @RequirePermission('read', 'readable')
  @ApiResult(
    200,
    { data: [LogView], limits: LimitsView, cut: 'flag' },
    'One page of executions, by default the newest first. `cut` is true when a search reached its time limit; `nextCursor` continues it.',
    {
      paged: true,
    },
  )
  async listLogs(@CurrentCaller() admission: Admission, @Query() query: LogsQuery) {
    const { limit, cursor, order } = query;
    if (query.details === 'full' && limit > fullMax)
      throw Invalid.field('limit', `must be at most ${fullMax} with details=full`, 'range');
    const { readable: reach } = admission;
    const page = { ...parseFilters(query), order, limit, cursor };
    const { items, nextCursor, cut } = await this.logs.list(reach, page);
    if (items.length === 0) await this.logs.requireKnown(reach, page);
    return {
      data: await this.views(reach, query, items),
      limits: await this.readLimits(admission),
      cut,
      nextCursor,
    };
  }

  @Get('export')
  @ApiOperation({
    summary: 'Export the logs of executions as lines of JSON',
    description:
      'Streams all executions that match the filters of the list, one JSON object a line, for a data warehouse or a spreadsheet.',
  })
  @RequirePermission('read', 'readable')
  @ApiResponse({
    status: 200,
    description:
      'All executions that match the filters, in the form of the list. The connection breaks when the export cannot finish.',
    content: { 'application/x-ndjson': { schema: { type: 'string' } } },
  })
  @ApiErrors()
  async exportLogs(
    @CurrentCaller() { readable: reach }: Admission,
    @Query() query: LogFilterQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    const filters = parseFilters(query);
    await this.logs.requireKnown(reach, filters);
    const changes = exportedBy(query, filters);
    for (const id of reach)
      await this.audit.noteEvent(id, {
        action: 'logs.exported',
        resourceType: 'workspace',
        resourceId: id,
        changes,
      });
    const pages = this.logs.all(reach, { ...filters, order: query.order });
    reply.header('Content-Type', 'application/x-ndjson').header('Cache-Control', 'no-store');
    return this.lasting.file(request, this.lines(reach, query, pages));
  }

  @Get('stats')
  @ApiOperation({
    summary: 'Count executions by hour or day',
    description:
      'Counts the executions that were accepted in each hour or day, with their failures, durations and costs. An hour without an execution has zeros.',
  })
  @RequirePermission('read', 'readable')
  @ApiResult(200, { data: [LogStatsView] }, 'One line for each hour or day, the oldest first.')
  async countLogs(@CurrentCaller() { readable: reach }: Admission, @Query() query: LogStatsQuery) {
    const wish = parseStats(query, readClockMs());
    await this.logs.requireKnown(reach, wish);
    const found = await this.statistics.count(reach, wish);
    return { data: found.map((one) => LogStatsView.of(one)) };
  }

  @Get('executions/:executionId')
  @ApiOperation({
    summary: 'Read the definition of an execution',
    description: 'Shows the definition that an execution ran, even after a change of the workflow.',
  })
  @RequirePermission('read', 'execution')
  @ApiResult(
    200,
    LogStateView,
    'The definition of the executed version, with the times and the cost of the execution.',
  )
  async getLogState(
    @CurrentCaller() admission: Admission,
    @Param('executionId') executionId: string,
  ): Promise<LogStateView> {
    const { entry, definition } = await this.logs.withDefinition(admission.workspaceId, executionId);
    return LogStateView.of(entry, definition, await this.readLimits(admission));
  }

  @Get(':logId')
  @ApiOperation({
    summary: 'Read one log',
    description:
      'Shows one log with its output and a page of its blocks. It takes the id of the log or of the execution.',
  })
  @RequirePermission('read', 'execution')
  @ApiResult(
    200,
    { data: LogDetailView, limits: LimitsView },
    'The execution with its output and one page of its block log.',
  )
  async getLog(
    @CurrentCaller() admission: Admission,
    @Param('logId') logId: string,
    @Query() page: BlockLogQuery,
  ) {
    const executionId = logId.replace(/^log_/, 'exec_');
    const { entry, execution } = await this.logs.detail(admission.workspaceId, executionId, {
      ...page,
      seesValues: admission.caller.seesValuesIn(admission.workspaceId),
    });
    const data = {
      ...LogView.of(entry),
      workflow: entry.workflow,
      executionData: ExecutionDataView.of(execution),
    };
    return { data, limits: await this.readLimits(admission) };
  }

  private async views(reach: string[], query: LogFilterQuery, entries: LogEntry[]): Promise<LogView[]> {
    if (query.details === 'basic') return entries.map((entry) => LogView.of(entry));
    const full = await this.logs.full(reach, entries);
    return full.map((entry) => LogView.ofFull(entry, query));
  }

  private async *lines(
    reach: string[],
    query: LogFilterQuery,
    pages: AsyncIterable<LogEntry[]>,
  ): AsyncGenerator<string> {
    for await (const page of pages)
      for (const view of await this.views(reach, query, page)) yield `${JSON.stringify(view)}\n`;
  }

  private async readLimits({ payer }: Admission): Promise<LimitsView> {
    return LimitsView.of(await this.limits.readLimits(payer));
  }
}
