import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Delegations } from '#libs/runs/pauses/delegations';
import { PauseHistory } from '#libs/runs/pauses/pause-history';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RequirePermission } from '../http/route-decorators.ts';
import { ApiResult } from '../http/api-result.ts';
import { DelegateBody, type PauseParams, TrailEntryView } from './pauses.dto.ts';

/** The history of a pause's request to people, and its delegation to another person. */
@ApiTags('Paused executions')
@Controller('api/resume/:workflowId/:executionId/:contextId')
export class RequestsController {
  constructor(
    private readonly trail: PauseHistory,
    private readonly delegations: Delegations,
  ) {}

  @Get('trail')
  @ApiOperation({
    summary: 'Read the history of a request',
    description: 'Lists, in order, who was notified of a request, who delegated it, and who answered it.',
  })
  @RequirePermission('read', 'workflow')
  @ApiResult(200, { data: [TrailEntryView] }, 'The events of the request, the oldest first.')
  async getRequestTrail(@CurrentCaller() { workspaceId }: Admission, @Param() params: PauseParams) {
    return {
      data: (await this.trail.readPauseHistory(workspaceId, params)).map((entry) => TrailEntryView.of(entry)),
    };
  }

  @Post('delegate')
  @ApiOperation({
    summary: 'Let another person answer in your place',
    description:
      'Lets another person answer in your place, by mail address or user id. The person gets a mail, and the history shows the delegation.',
  })
  @RequirePermission('execute', 'workflow')
  @ApiResult(
    200,
    { data: [TrailEntryView] },
    'The history of the request. The other person may answer now.',
    {
      also: [409],
    },
  )
  async delegateRequest(
    @CurrentCaller() admission: Admission,
    @Param() params: PauseParams,
    @Body() { to, note = '' }: DelegateBody,
  ) {
    const { workspaceId, caller } = admission;
    const who = caller.userId ?? undefined;
    await this.delegations.make({ ...params, workspaceId, who, to, note, actor: caller.actor });
    return this.getRequestTrail(admission, params);
  }
}
