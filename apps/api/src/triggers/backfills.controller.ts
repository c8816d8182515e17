import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Backfills } from '#libs/triggers/schedules/backfills';
import { Triggers } from '#libs/triggers/triggers';
import { HttpAnswer, KeyedWork } from '../http/answer.ts';
import { Idempotent } from '../http/answer.interceptor.ts';
import { ApiResult } from '../http/api-result.ts';
import { type Admission, CurrentCaller } from '../http/caller.guard.ts';
import { CursorQuery } from '../http/cursor-query.ts';
import { parseTime } from '../http/parse-time.ts';
import { RequirePermission } from '../http/route-decorators.ts';
import { BackfillBody, BackfillView, CreatedBackfillView, MomentCountsView } from './backfills.dto.ts';

/** Jobs that start a schedule at moments of the past. */
@ApiTags('Triggers')
@Controller('api/v1/workflows/:workflowId/triggers/:triggerId')
export class BackfillsController {
  constructor(
    private readonly backfills: Backfills,
    private readonly triggers: Triggers,
  ) {}

  @Post('backfill')
  @ApiOperation({
    summary: 'Start a schedule at moments of the past',
    description:
      'Starts an execution for each moment of a range, one after the other and in the background, under the limits, the flow and the holds of all others. A moment that has started an execution starts no other, unless `again` asks for it. With `dryRun` the answer counts the moments, and nothing starts. The executions act for the caller.',
  })
  @RequirePermission('write', 'workflow')
  @Idempotent('bkf')
  @ApiResult(202, { data: CreatedBackfillView }, 'The backfill was accepted, or counted with `dryRun`.', {
    also: [409],
  })
  async backfillTrigger(
    @CurrentCaller() { workspaceId, caller }: Admission,
    @Param('workflowId') workflowId: string,
    @Param('triggerId') triggerId: string,
    @Body() body: BackfillBody,
  ) {
    const trigger = await this.triggers.get(workspaceId, workflowId, triggerId);
    const { again = false, overlap = null, perSecond = null, dryRun = false } = body;
    const [from, to] = [parseTime(body, 'from'), parseTime(body, 'to')] as [Date, Date];
    const wish = { from, to, again, overlap, perSecond };
    return new KeyedWork(
      `backfill ${triggerId}`,
      body,
      async ({ id }): Promise<HttpAnswer<{ data: CreatedBackfillView }>> => {
        if (dryRun) {
          const counts = MomentCountsView.of(await this.backfills.countMoments(trigger, wish));
          return new HttpAnswer({ data: { dryRun, counts, backfill: null } });
        }
        const made = await this.backfills.createBackfill(trigger, id, wish, caller.actor);
        const counts = MomentCountsView.of(made.counts);
        return new HttpAnswer({ data: { dryRun, counts, backfill: BackfillView.of(made.backfill) } });
      },
    );
  }

  @Get('backfills')
  @ApiOperation({
    summary: 'List the backfills of a schedule',
    description: 'Lists the backfills of a schedule with their progress, for 30 days after their end.',
  })
  @RequirePermission('read', 'workflow')
  @ApiResult(200, { data: [BackfillView] }, 'One page of backfills, the newest first.', { paged: true })
  async listBackfills(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('workflowId') workflowId: string,
    @Param('triggerId') triggerId: string,
    @Query() query: CursorQuery,
  ) {
    const trigger = await this.triggers.get(workspaceId, workflowId, triggerId);
    const { items, nextCursor } = await this.backfills.listBackfills(trigger, query);
    return { data: items.map((item) => BackfillView.of(item)), nextCursor };
  }

  @Get('backfills/:backfillId')
  @ApiOperation({
    summary: 'Read a backfill',
    description: 'Shows a backfill with its progress, and why it waits.',
  })
  @RequirePermission('read', 'workflow')
  @ApiResult(200, { data: BackfillView }, 'The backfill with its progress, as it is now.')
  async getBackfill(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('workflowId') workflowId: string,
    @Param('triggerId') triggerId: string,
    @Param('backfillId') id: string,
  ) {
    const trigger = await this.triggers.get(workspaceId, workflowId, triggerId);
    return { data: BackfillView.of(await this.backfills.getBackfill(trigger, id)) };
  }

  @Post('backfills/:backfillId/abort')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Abort a backfill',
    description: 'Ends a backfill after the moment in hand. The executions that it has started go on.',
  })
  @RequirePermission('write', 'workflow')
  @ApiResult(200, { data: BackfillView }, 'The backfill is aborted.', { also: [409] })
  async abortBackfill(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('workflowId') workflowId: string,
    @Param('triggerId') triggerId: string,
    @Param('backfillId') id: string,
  ) {
    const trigger = await this.triggers.get(workspaceId, workflowId, triggerId);
    return { data: BackfillView.of(await this.backfills.abortBackfill(trigger, id)) };
  }
}
