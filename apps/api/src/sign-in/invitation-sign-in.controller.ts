import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Invitations } from '#libs/workspace/auth/invitations';
import { Sessions } from '#libs/workspace/auth/sessions';
import { Public } from '../http/route-decorators.ts';
import { ApiResult } from '../http/api-result.ts';
import { InvitationTokenBody } from '../workspaces/invitations.dto.ts';
import { SignInEdge } from './sign-in-edge.ts';
import { toSignInPlace } from './sign-in-place.ts';
import { SignedInView } from './sign-in.dto.ts';

/** Signs in a person who accepts an invitation. */
@ApiTags('Sign-in')
@Controller('api/v1/sign-in')
export class InvitationSignInController {
  constructor(
    private readonly invitations: Invitations,
    private readonly sessions: Sessions,
    private readonly edge: SignInEdge,
  ) {}

  @Post('invitation')
  @ApiOperation({
    summary: 'Accept an invitation and sign in',
    description:
      'Joins the workspace of an invitation. It begins a session for a new person. A person who has already signed in joins as that user, and keeps the session with its time.',
  })
  @Public()
  @ApiResult(200, { data: SignedInView }, 'You are a member of the workspace, and have signed in.', {
    also: [403, 409],
  })
  async signInByInvitation(
    @Body() { token }: InvitationTokenBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    this.edge.admitAttempt(request);
    const before = await this.edge.signedInBefore(request);
    const { userId } = await this.invitations.accept(token, before?.userId ?? null, { withKey: false });
    if (before) return this.edge.answerSameSession(request, reply, before);
    return this.edge.answerSession(
      reply,
      await this.sessions.beginSession(userId, 'invitation', toSignInPlace(request)),
    );
  }
}
