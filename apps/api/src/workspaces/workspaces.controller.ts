import { setTimeout as pause } from 'node:timers/promises';
import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ageMsMax } from '#libs/runs/executions/control/effect-holds';
import { requireUser } from '#libs/workspace/auth/keys';
import { Workspaces } from '#libs/workspace/auth/workspaces';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RecentSignIn, RequirePermission } from '../http/route-decorators.ts';
import { ApiResult } from '../http/api-result.ts';
import { requireChange } from '../http/validation.ts';
import { DeletedView } from '../workflows/workflows.dto.ts';
import {
  ChangeRoleBody,
  CreateWorkspaceBody,
  MemberView,
  toHostLimits,
  UpdateWorkspaceBody,
  WorkspaceView,
} from './workspaces.dto.ts';

@ApiTags('Workspaces')
@Controller('api/v1/workspaces')
export class WorkspacesController {
  constructor(private readonly workspaces: Workspaces) {}

  @Get()
  @ApiOperation({
    summary: 'List the workspaces that the key reaches',
    description:
      "Lists the workspaces that the key reaches: one for a workspace key, all of its user's for a personal key.",
  })
  @RequirePermission('read', 'caller')
  @ApiResult(200, { data: [WorkspaceView] }, 'The workspaces that the key reaches.')
  async listWorkspaces(@CurrentCaller() { caller }: Admission) {
    const workspaces = await this.workspaces.list(caller.workspaceIds);
    return { data: workspaces.map((workspace) => WorkspaceView.of(workspace)) };
  }

  /** Needs a personal key. Its user becomes the first admin. */
  @Post()
  @ApiOperation({
    summary: 'Create a workspace with you as its admin',
    description:
      'Makes a workspace, with the user of the personal key as its admin. A workspace key belongs to no user, so it cannot.',
  })
  @RequirePermission('read', 'caller')
  @ApiResult(201, { data: WorkspaceView }, 'The workspace was created, and you are its admin.')
  async createWorkspace(@CurrentCaller() { caller }: Admission, @Body() { name }: CreateWorkspaceBody) {
    return { data: WorkspaceView.of(await this.workspaces.create(requireUser(caller), name)) };
  }

  @Get(':workspaceId')
  @ApiOperation({
    summary: 'Read one workspace',
    description: 'Shows the name, the plan and the policy of a workspace.',
  })
  @RequirePermission('read', 'workspace')
  @ApiResult(200, { data: WorkspaceView }, 'The workspace and its settings.')
  async getWorkspace(@CurrentCaller() { workspaceId }: Admission) {
    return { data: WorkspaceView.of(await this.workspaces.get(workspaceId)) };
  }

  @Patch(':workspaceId')
  @ApiOperation({
    summary: 'Change name or settings of a workspace',
    description:
      'Changes only the sent members. `personalKeysAllowed: false` allows only workspace keys. It is refused while no workspace key has the role admin. `recordsValues: false` keeps no further values of what blocks send. `hostLimits` replaces all limits of hosts.',
  })
  @RequirePermission('admin', 'workspace')
  @RecentSignIn()
  @ApiResult(200, { data: WorkspaceView }, 'The workspace as it is after the change.', { also: [409] })
  async updateWorkspace(@CurrentCaller() { workspaceId }: Admission, @Body() changes: UpdateWorkspaceBody) {
    requireChange(changes, ['name', 'personalKeysAllowed', 'recordsValues', 'hostLimits']);
    const { hostLimits, ...rest } = changes;
    const wanted = { ...rest, ...(hostLimits ? { hostLimits: toHostLimits(hostLimits) } : {}) };
    const workspace = await this.workspaces.update(workspaceId, wanted);
    // From the answer on, every process knows the limits.
    if (hostLimits && hostLimits.length > 0) await pause(ageMsMax);
    return { data: WorkspaceView.of(workspace) };
  }

  @Get(':workspaceId/members')
  @ApiOperation({
    summary: 'List the members',
    description: 'Lists the members of the workspace with their roles.',
  })
  @RequirePermission('read', 'workspace')
  @ApiResult(200, { data: [MemberView] }, 'The members of the workspace with their roles.')
  async listMembers(@CurrentCaller() { workspaceId }: Admission) {
    return { data: (await this.workspaces.members(workspaceId)).map((member) => MemberView.of(member)) };
  }

  @Patch(':workspaceId/members/:userId')
  @ApiOperation({
    summary: 'Change the role of a member',
    description:
      'Gives a member another role, which holds from the next call on. A workspace keeps at least one admin.',
  })
  @RequirePermission('admin', 'workspace')
  @RecentSignIn()
  @ApiResult(200, { data: MemberView }, 'The member with the new role.', { also: [409] })
  async changeMemberRole(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('userId') userId: string,
    @Body() { role }: ChangeRoleBody,
  ) {
    return { data: MemberView.of(await this.workspaces.changeRole(workspaceId, userId, role)) };
  }

  @Delete(':workspaceId/members/:userId')
  @ApiOperation({
    summary: 'Remove a member',
    description:
      'Takes a member out of the workspace. Their personal keys do not reach it from then on; the last admin cannot be removed.',
  })
  @RequirePermission('admin', 'workspace')
  @RecentSignIn()
  @ApiResult(200, { data: DeletedView }, 'The person is no longer a member of the workspace.', {
    also: [409],
  })
  async removeMember(@CurrentCaller() { workspaceId }: Admission, @Param('userId') userId: string) {
    await this.workspaces.removeMember(workspaceId, userId);
    return { data: { id: userId, deleted: true } };
  }
}
