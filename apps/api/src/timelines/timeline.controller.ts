import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { isGranted } from '#libs/workspace/auth/caller';
import { Timelines } from '#libs/runs/executions/read/timelines';
import { Admitted, type Admission, Needs } from '../http/caller.guard.ts';
import { Responds } from '../http/responds.ts';
import { TimelineQuery, TimelineView } from './timeline.shapes.ts';
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
    summary: 'Read what an execution did when, as a graph',
    description:
      'Shows which way an execution went through its graph, when each block ran, and which pauses are open. `pageUrl` is the same as a page that anyone with the link can open for a day.',
  })
  @Needs('read', 'execution')
  @Responds(200, { data: TimelineView }, 'The graph with what each block did, and one page of the visits.', {
    paged: true,
  })
  async getTimeline(
    @Admitted() { workspaceId, caller, reach }: Admission,
    @Param('executionId') executionId: string,
    @Query() page: TimelineQuery,
  ): Promise<{ data: TimelineView; nextCursor: string | null }> {
    const timeline = await this.timelines.read(workspaceId, executionId, page);
    const as = isGranted(reach.role, 'execute') ? TimelineViews.answererOf(caller) : null;
    return { data: await this.views.viewOf(timeline, as), nextCursor: timeline.visits.nextCursor };
  }
}
