import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Links } from '#libs/runs/pauses/links';
import { Pauses, parseStatuses } from '#libs/runs/pauses/pauses';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RequirePermission } from '../http/route-decorators.ts';
import { ApiResult } from '../http/api-result.ts';
import { linksFor } from './caller-links.ts';
import {
  PausedDetailView,
  PausedExecutionView,
  PausedQuery,
  type PauseParams,
  PausePointsQuery,
} from './pauses.dto.ts';

@ApiTags('Paused executions')
@Controller('api')
export class PausesController {
  constructor(
    private readonly pauses: Pauses,
    private readonly links: Links,
  ) {}

  @Get('workflows/:workflowId/paused')
  @ApiOperation({
    summary: 'List the paused executions of a workflow',
    description:
      'Lists the executions of a workflow that wait or waited for people. Filter by `status`. Each has its open pauses with links to answer them.',
  })
  @RequirePermission('read', 'workflow')
  @ApiResult(
    200,
    { pausedExecutions: [PausedExecutionView] },
    'One page of executions that wait or waited for a person, the newest first.',
    { paged: true },
  )
  async listPausedExecutions(
    @CurrentCaller() admission: Admission,
    @Param('workflowId') id: string,
    @Query() query: PausedQuery,
  ) {
    const statuses = parseStatuses(query.status);
    const { items, nextCursor } = await this.pauses.list(admission.workspaceId, id, { ...query, statuses });
    const links = linksFor(this.links, admission);
    return { pausedExecutions: items.map((item) => PausedExecutionView.of(item, links)), nextCursor };
  }

  @Get('resume/:workflowId/:executionId')
  @ApiOperation({
    summary: 'Read one paused execution with its snapshot and queue',
    description: 'Shows the pauses of one execution, their questions, and all answers so far.',
  })
  @RequirePermission('read', 'workflow')
  @ApiResult(
    200,
    PausedDetailView,
    'The paused execution with its state, one page of its pauses, and their answers so far.',
  )
  async getPausedExecution(
    @CurrentCaller() admission: Admission,
    @Param() { workflowId, executionId }: PauseParams,
    @Query() page: PausePointsQuery,
  ): Promise<PausedDetailView> {
    const detail = await this.pauses.get(admission.workspaceId, workflowId, executionId, page);
    return PausedDetailView.ofDetail(detail, linksFor(this.links, admission));
  }
}
