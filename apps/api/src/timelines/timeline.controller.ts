import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Timelines } from '#libs/runs/executions/read/timelines';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RequirePermission } from '../http/route-decorators.ts';
import { ApiResult } from '../http/api-result.ts';
import { TimelineQuery, TimelineView } from './timeline.dto.ts';
import { TimelineViews } from './timeline-views.ts';

@ApiTags('Execution and jobs')
@Controller('api/v1/executions/:executionId')
export class TimelineController {
  constructor(
    private readonly timelines: Timelines,
    private readonly views: TimelineViews,
  ) {}

  @Get('timeline')
  @ApiOperation({
    summary: 'Read the timeline of an execution as a graph',
    description:
      'Shows the way of an execution through its graph, the times of each block, and the open pauses. `pageUrl` shows this as a page: anyone with the link can open it for a day, while the key or session that asked for it lives.',
  })
  @RequirePermission('read', 'execution')
  @ApiResult(
    200,
    { data: TimelineView },
    'The graph with the state of each block, and one page of the visits.',
    {
      paged: true,
    },
  )
  async getTimeline(
    @CurrentCaller() admission: Admission,
    @Param('executionId') executionId: string,
    @Query() page: TimelineQuery,
  ): Promise<{ data: TimelineView; nextCursor: string | null }> {
    const timeline = await this.timelines.read(admission.workspaceId, executionId, page);
    return { data: await this.views.toView(timeline, admission), nextCursor: timeline.visits.nextCursor };
  }
}
