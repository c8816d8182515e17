import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type MemberCap, MemberCaps } from '#libs/limits/member-caps';
import { Admitted, type Admission, Needs } from '../http/caller.guard.ts';
import { Bool, Num, Text, Time } from '../http/fields.ts';
import { Responds } from '../http/responds.ts';
import { DeletedView } from '../workflows/workflows.shapes.ts';

const costMax = 1_000_000_000;

export class SetMemberCapBody {
  @Num({
    min: 0,
    max: costMax,
    description: 'What the member may cost in a calendar month; 0 refuses each execution.',
  })
  monthlyCost!: number;
}

export class MemberCapView {
  @Text() userId!: string;
  @Num() monthlyCost!: number;
  @Num({ description: 'What the member has cost in this month, in UTC.' }) currentPeriodCost!: number;
  @Bool() isExceeded!: boolean;
  @Time() updatedAt!: string;

  static of({ updatedAt, ...cap }: MemberCap): MemberCapView {
    return { ...cap, updatedAt: updatedAt.toISOString() };
  }
}

@ApiTags('Usage')
@Controller('api/v1/workspaces/:workspaceId')
export class MemberCapsController {
  constructor(private readonly caps: MemberCaps) {}

  @Get('caps')
  @ApiOperation({ summary: 'List what members may cost in a month' })
  @Needs('read', 'workspace')
  @Responds(200, { data: [MemberCapView] }, 'The caps of all members that have one.')
  async listMemberCaps(@Admitted() { workspaceId }: Admission) {
    return { data: (await this.caps.list(workspaceId)).map((cap) => MemberCapView.of(cap)) };
  }

  @Get('members/:userId/cap')
  @ApiOperation({ summary: 'Read what a member may cost in a month' })
  @Needs('read', 'workspace')
  @Responds(200, { data: MemberCapView }, 'The cap, and what the member has cost. Without a cap it is 404.')
  async getMemberCap(@Admitted() { workspaceId }: Admission, @Param('userId') userId: string) {
    return { data: MemberCapView.of(await this.caps.get(workspaceId, userId)) };
  }

  /** Executions with a personal key of a member above the cap are refused with 402; what runs already goes on. */
  @Put('members/:userId/cap')
  @ApiOperation({ summary: 'Set what a member may cost in a month' })
  @Needs('admin', 'workspace')
  @Responds(200, { data: MemberCapView }, 'The cap as it holds from now on.')
  async setMemberCap(
    @Admitted() { workspaceId }: Admission,
    @Param('userId') userId: string,
    @Body() { monthlyCost }: SetMemberCapBody,
  ) {
    return { data: MemberCapView.of(await this.caps.set(workspaceId, userId, monthlyCost)) };
  }

  @Delete('members/:userId/cap')
  @ApiOperation({ summary: 'Remove the cap of a member' })
  @Needs('admin', 'workspace')
  @Responds(200, { data: DeletedView }, 'Only the plan of the workspace limits the member from now on.')
  async removeMemberCap(@Admitted() { workspaceId }: Admission, @Param('userId') userId: string) {
    await this.caps.remove(workspaceId, userId);
    return { data: { id: userId, deleted: true } };
  }
}
