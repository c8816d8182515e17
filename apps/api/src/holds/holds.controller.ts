import { Body, Controller, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { toHostName } from '#libs/platform/egress/host-name';
import { Invalid } from '#libs/platform/errors/errors';
import { Holds } from '#libs/runs/executions/accept/holds';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RequirePermission } from '../http/route-decorators.ts';
import { ApiResult } from '../http/api-result.ts';
import { requireChange } from '../http/validation.ts';
import { CreateHoldBody, HoldView, ReleaseHoldBody, UpdateHoldBody } from './holds.dto.ts';

/** Holds: workflows, triggers and workspaces whose executions do not start. */
@ApiTags('Holds')
@Controller('api/v1/workspaces/:workspaceId/holds')
export class HoldsController {
  constructor(private readonly holds: Holds) {}

  @Get()
  @ApiOperation({
    summary: 'List the holds',
    description: 'Lists what is held in the workspace, by whom and why, and how many executions wait.',
  })
  @RequirePermission('read', 'workspace')
  @ApiResult(200, { data: [HoldView] }, 'All holds, the oldest first. Empty when nothing is held.')
  async listHolds(@CurrentCaller() { workspaceId }: Admission) {
    return { data: (await this.holds.list(workspaceId)).map((hold) => HoldView.of(hold, workspaceId)) };
  }

  @Post()
  @ApiOperation({
    summary: 'Hold a workflow, a trigger, a host or the workspace',
    description:
      'Keeps new executions from starting, for example during a deploy. They are accepted and queued, or refused. Executions that have started go on, with the runs that they call. With `stops: effects` they wait too, each before its next effect.',
  })
  @RequirePermission('admin', 'workspace')
  @ApiResult(201, { data: HoldView }, 'It is held from now on.', { also: [409] })
  async createHold(@CurrentCaller() { workspaceId, caller }: Admission, @Body() body: CreateHoldBody) {
    const wanted = toWanted(body);
    return { data: HoldView.of(await this.holds.create(workspaceId, wanted, caller.actor), workspaceId) };
  }

  @Get(':holdId')
  @ApiOperation({
    summary: 'Read one hold',
    description: 'Shows a hold and how many executions wait for it. It is gone when the last has started.',
  })
  @RequirePermission('read', 'workspace')
  @ApiResult(200, { data: HoldView }, 'The hold as it is now.')
  async getHold(@CurrentCaller() { workspaceId }: Admission, @Param('holdId') id: string) {
    return { data: HoldView.of(await this.holds.get(workspaceId, id), workspaceId) };
  }

  @Patch(':holdId')
  @ApiOperation({
    summary: 'Change a hold',
    description: 'Changes only the sent members. A hold that is being released holds again.',
  })
  @RequirePermission('admin', 'workspace')
  @ApiResult(200, { data: HoldView }, 'The hold as it is after the change.')
  async updateHold(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('holdId') id: string,
    @Body() { reason, mode, stops }: UpdateHoldBody,
  ) {
    requireChange({ reason, mode, stops }, ['reason', 'mode', 'stops']);
    return {
      data: HoldView.of(await this.holds.update(workspaceId, id, { reason, mode, stops }), workspaceId),
    };
  }

  @Post(':holdId/release')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Release a hold',
    description:
      'Starts what waits, the oldest first, at once or at a rate. New executions wait behind it. The hold is gone when nothing waits any more.',
  })
  @RequirePermission('admin', 'workspace')
  @ApiBody({ type: ReleaseHoldBody, required: false })
  @ApiResult(200, { data: HoldView }, 'The hold, which is being released.')
  async releaseHold(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('holdId') id: string,
    @Body() { perSecond }: ReleaseHoldBody,
  ) {
    return { data: HoldView.of(await this.holds.release(workspaceId, id, perSecond ?? null), workspaceId) };
  }
}

/** The hold that a body asks for. Throws when its members do not go together. */
function toWanted({
  workflowId = null,
  triggerId = null,
  host: named = null,
  reason,
  ...rest
}: CreateHoldBody) {
  const { mode = 'queue', stops = named === null ? 'starts' : 'effects' } = rest;
  if (workflowId !== null && triggerId !== null)
    throw Invalid.field(
      'triggerId',
      'must be given without workflowId: a trigger has its workflow',
      'conflict',
    );
  const host = named === null ? null : toHostName(named);
  if (named !== null) {
    if (host === null) throw Invalid.field('host', 'must be a host alone, as api.example.com', 'pattern');
    if (workflowId !== null || triggerId !== null)
      throw Invalid.field(
        'host',
        'must be given without workflowId and triggerId: a host is held for the whole workspace',
        'conflict',
      );
    if (stops !== 'effects') throw Invalid.field('stops', 'must be effects for a host', 'conflict');
    if (mode !== 'queue')
      throw Invalid.field('mode', 'must be queue for a host, which starts nothing', 'conflict');
  }
  return { workflowId, triggerId, host, stops, reason, mode };
}
