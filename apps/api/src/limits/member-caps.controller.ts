import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type MemberCap, MemberCaps } from '#libs/workspace/limits/member-caps';
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
  @Text({ description: 'The id of the member.' }) userId!: string;
  @Num({ description: 'What the member may cost in a calendar month.' }) monthlyCost!: number;
  @Num({ description: 'What the member has cost in this month, in UTC.' }) currentPeriodCost!: number;
  @Bool({
    description:
      'True when the month has cost as much as the cap or more; executions are refused with 402 then.',
  })
  isExceeded!: boolean;
  @Time({ description: 'When the cap was set last, in ISO 8601 and UTC.' }) updatedAt!: string;

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
    summary: 'List what members may cost in a month',
    description: 'Lists what members may cost in a month, for those who have a cap.',
  })
  @Needs('read', 'workspace')
  @Responds(200, { data: [MemberCapView] }, 'The caps of all members that have one.')
  async listMemberCaps(@Admitted() { workspaceId }: Admission) {
    return { data: (await this.caps.list(workspaceId)).map((cap) => MemberCapView.of(cap)) };
  }

  @Get('members/:userId/cap')
  @ApiOperation({
    summary: 'Read what a member may cost in a month',
    description: 'Shows the cap of a member and what they have cost in this month.',
  })
  @Needs('read', 'workspace')
  @Responds(200, { data: MemberCapView }, 'The cap, and what the member has cost. Without a cap it is 404.')
  async getMemberCap(@Admitted() { workspaceId }: Admission, @Param('userId') userId: string) {
    return { data: MemberCapView.of(await this.caps.get(workspaceId, userId)) };
  }

  /** Above the cap, executions with a personal key of the member are refused with 402. Running ones go on. */
  @Put('members/:userId/cap')
  @ApiOperation({
    summary: 'Set what a member may cost in a month',
    description:
      'Limits what executions with the personal keys of a member may cost in a calendar month. Above it they are refused with 402; what runs goes on.',
  })
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
  @ApiOperation({ summary: 'Remove the cap of a member', description: 'Takes the cap of a member away.' })
  @Needs('admin', 'workspace')
  @Responds(200, { data: DeletedView }, 'Only the plan of the workspace limits the member from now on.')
  async removeMemberCap(@Admitted() { workspaceId }: Admission, @Param('userId') userId: string) {
    await this.caps.remove(workspaceId, userId);
    return { data: { id: userId, deleted: true } };
  }
}
