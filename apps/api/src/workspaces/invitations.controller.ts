import { Body, Controller, Delete, Get, Headers, Param, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Callers } from '#libs/workspace/auth/callers';
import { Invitations } from '#libs/workspace/auth/invitations';
import { requireUser } from '#libs/workspace/auth/keys';
import { Workspaces } from '#libs/workspace/auth/workspaces';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { Public, RecentSignIn, RequirePermission } from '../http/route-decorators.ts';
import { ApiResult } from '../http/api-result.ts';
import { SessionCallers } from '../sign-in/session-callers.ts';
import { DeletedView } from '../workflows/workflows.dto.ts';
import {
  DeclinedView,
  InvitationTokenBody,
  InvitationView,
  InviteBody,
  JoinedView,
  MadeInvitationView,
  OfferView,
} from './invitations.dto.ts';

@ApiTags('Invitations')
@Controller('api/v1')
export class InvitationsController {
  constructor(
    private readonly invitations: Invitations,
    private readonly callers: Callers,
    private readonly sessionCallers: SessionCallers,
    private readonly workspaces: Workspaces,
  ) {}

  @Get('workspaces/:workspaceId/invitations')
  @ApiOperation({
    summary: 'List the invitations of a workspace',
    description: 'Lists the invitations, the open invitations first.',
  })
  @RequirePermission('admin', 'workspace')
  @ApiResult(200, { data: [InvitationView] }, 'The newest 200 invitations, the open invitations first.')
  async listInvitations(@CurrentCaller() { workspaceId }: Admission) {
    return { data: (await this.invitations.list(workspaceId)).map((one) => InvitationView.of(one)) };
  }

  @Post('workspaces/:workspaceId/invitations')
  @ApiOperation({
    summary: 'Invite a person',
    description:
      'Invites a person by mail address. Give the token to the person. It is shown only in this answer and is valid for seven days.',
  })
  @RequirePermission('admin', 'workspace')
  @RecentSignIn()
  @ApiResult(
    201,
    { data: MadeInvitationView },
    'The person is invited for seven days and answers with `token`, which is shown only here.',
    { also: [409] },
  )
  async createInvitation(@CurrentCaller() { workspaceId, caller }: Admission, @Body() body: InviteBody) {
    const person = { ...body, within: caller.endsAt };
    const created = await this.invitations.create(workspaceId, person, caller.actor.id);
    return { data: MadeInvitationView.ofMade(created) };
  }

  @Delete('workspaces/:workspaceId/invitations/:invitationId')
  @ApiOperation({
    summary: 'Withdraw an invitation',
    description: 'Withdraws an open invitation. Its token becomes invalid.',
  })
  @RequirePermission('admin', 'workspace')
  @RecentSignIn()
  @ApiResult(200, { data: DeletedView }, 'The invitation is withdrawn. Its token is invalid.', {
    also: [409],
  })
  async withdrawInvitation(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('invitationId') invitationId: string,
  ) {
    await this.invitations.withdraw(workspaceId, invitationId);
    return { data: { id: invitationId, deleted: true } };
  }

  /** The token is in the body, because URLs are written into logs. */
  @Post('invitations/read')
  @ApiOperation({
    summary: 'Read an invitation that you were given',
    description: 'Shows an invited person the workspace and the role of the invitation. It needs no key.',
  })
  @Public()
  @ApiResult(200, { data: OfferView }, 'The workspace and the role that the invitation offers.', {
    also: [409],
  })
  async readInvitation(@Body() { token }: InvitationTokenBody) {
    return { data: OfferView.of(await this.invitations.readOffer(token)) };
  }

  /** With a personal key its user joins. Without one a new user is made. */
  @Post('invitations/accept')
  @ApiOperation({
    summary: 'Accept an invitation',
    description:
      'Joins the workspace. A new user needs no key and gets a first personal key, which is shown only in this answer. An existing user sends a personal key.',
  })
  @Public()
  @ApiSecurity({})
  @ApiSecurity('apiKey')
  @ApiResult(200, { data: JoinedView }, 'You are a member of the workspace.', { also: [409] })
  async acceptInvitation(
    @Body() { token }: InvitationTokenBody,
    @Headers('x-api-key') value: string | undefined,
    @Req() request: FastifyRequest,
  ) {
    const caller = value ? await this.callers.identify(value) : await this.sessionCallers.findIfAny(request);
    const userId = caller && requireUser(caller);
    return { data: await this.invitations.accept(token, userId) };
  }

  @Post('invitations/decline')
  @ApiOperation({
    summary: 'Decline an invitation',
    description: 'Declines an invitation, without a key. Its token becomes invalid.',
  })
  @Public()
  @ApiResult(200, { data: DeclinedView }, 'The invitation is declined; nothing has changed for you.', {
    also: [409],
  })
  async declineInvitation(@Body() { token }: InvitationTokenBody) {
    await this.invitations.decline(token);
    return { data: { status: 'declined' } };
  }

  /** Anyone may leave a workspace, also when personal keys are switched off. */
  @Delete('users/me/workspaces/:workspaceId')
  @ApiOperation({
    summary: 'Leave a workspace',
    description: 'Takes you out of a workspace. The last admin cannot leave.',
  })
  @RequirePermission('read', 'caller')
  @ApiResult(200, { data: DeletedView }, 'You are no longer a member of the workspace.', { also: [409] })
  async leaveWorkspace(@CurrentCaller() { caller }: Admission, @Param('workspaceId') workspaceId: string) {
    await this.workspaces.removeMember(caller.choose(workspaceId), requireUser(caller));
    return { data: { id: workspaceId, deleted: true } };
  }
}
