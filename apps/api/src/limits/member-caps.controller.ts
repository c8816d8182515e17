import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type MemberCap, MemberCaps } from '#libs/workspace/limits/member-caps';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RequirePermission } from '../http/route-decorators.ts';
import { Bool, Num, Text, Time } from '../http/fields.ts';
import { ApiResult } from '../http/api-result.ts';
import { DeletedView } from '../workflows/workflows.dto.ts';

const costMax = 1_000_000_000;

export class SetMemberCapBody {
  @Num({
    min: 0,
    max: costMax,
    description: 'The cost cap of the member for a calendar month. 0 refuses every execution.',
  })
  monthlyCost!: number;
}

export class MemberCapView {
  @Text({ description: 'The id of the member.' }) userId!: string;
  @Num({ description: 'The cost cap of the member for a calendar month.' }) monthlyCost!: number;
  @Num({ description: 'The cost of the member in this calendar month, in UTC.' }) currentPeriodCost!: number;
  @Bool({
    description: 'True when the cost of the month has reached the cap. Executions are then refused with 402.',
  })
  isExceeded!: boolean;
  @Time({ description: 'The time at which the cap was set last, in ISO 8601 and UTC.' }) updatedAt!: string;

  static of({ updatedAt, ...cap }: MemberCap): MemberCapView {
    return { ...cap, updatedAt: updatedAt.toISOString() };
  }
}

@ApiTags('Usage')
@Controller('api/v1/workspaces/:workspaceId')
export class MemberCapsController {
  constructor(private readonly caps: MemberCaps) {}

  @Get('caps')
  @ApiOperation({
    summary: 'List the cost caps of the members',
    description: 'Lists the monthly cost caps of the members that have a cap.',
  })
  @RequirePermission('read', 'workspace')
  @ApiResult(200, { data: [MemberCapView] }, 'The caps of all members with a cap.')
  async listMemberCaps(@CurrentCaller() { workspaceId }: Admission) {
    return { data: (await this.caps.list(workspaceId)).map((cap) => MemberCapView.of(cap)) };
  }

  @Get('members/:userId/cap')
  @ApiOperation({
    summary: 'Read the cost cap of a member',
    description: 'Shows the cost cap of a member and the cost of this month.',
  })
  @RequirePermission('read', 'workspace')
  @ApiResult(
    200,
    { data: MemberCapView },
    'The cap and the cost of the member. Without a cap the answer is 404.',
  )
  async getMemberCap(@CurrentCaller() { workspaceId }: Admission, @Param('userId') userId: string) {
    return { data: MemberCapView.of(await this.caps.get(workspaceId, userId)) };
  }

  /** Above the cap, executions with a personal key of the member are refused with 402. Running ones go on. */
  @Put('members/:userId/cap')
  @ApiOperation({
    summary: 'Set the cost cap of a member',
    description:
      'Limits the cost of executions with the personal keys of a member in a calendar month. Above the cap they are refused with 402. Running executions go on.',
  })
  @RequirePermission('admin', 'workspace')
  @ApiResult(200, { data: MemberCapView }, 'The cap as it holds from now on.')
  async setMemberCap(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('userId') userId: string,
    @Body() { monthlyCost }: SetMemberCapBody,
  ) {
    return { data: MemberCapView.of(await this.caps.set(workspaceId, userId, monthlyCost)) };
  }

  @Delete('members/:userId/cap')
  @ApiOperation({ summary: 'Remove the cap of a member', description: 'Removes the cap of a member.' })
  @RequirePermission('admin', 'workspace')
  @ApiResult(
    200,
    { data: DeletedView },
    'The cap was removed. Only the workspace plan limits the member now.',
  )
  async removeMemberCap(@CurrentCaller() { workspaceId }: Admission, @Param('userId') userId: string) {
    await this.caps.remove(workspaceId, userId);
    return { data: { id: userId, deleted: true } };
  }
}
