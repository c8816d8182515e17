import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AuthenticationResponseJSON, Passkeys } from '#libs/workspace/sign-in/passkeys';
import { Public } from '../http/route-decorators.ts';
import { ApiResult } from '../http/api-result.ts';
import { SignInEdge } from './sign-in-edge.ts';
import { toSignInPlace } from './sign-in-place.ts';
import { PasskeyAnswerBody, PasskeyOptionsView, SignedInView } from './sign-in.dto.ts';

/** Signs people in by passkeys. */
@ApiTags('Sign-in')
@Controller('api/v1/sign-in')
export class PasskeySignInController {
  constructor(
    private readonly passkeys: Passkeys,
    private readonly edge: SignInEdge,
  ) {}

  @Post('passkey/options')
  @ApiOperation({
    summary: 'Begin to sign in by a passkey',
    description: 'Gives the options for `navigator.credentials.get`. They work once, within five minutes.',
  })
  @Public()
  @ApiResult(200, { data: PasskeyOptionsView }, 'The options for the browser.', { also: [403] })
  async startPasskeySignIn(@Req() request: FastifyRequest) {
    this.edge.admitAttempt(request);
    return { data: { options: await this.passkeys.startSignIn() } };
  }

  @Post('passkey')
  @ApiOperation({
    summary: 'Sign in by a passkey',
    description: 'Begins a session with the answer of the browser to the options.',
  })
  @Public()
  @ApiResult(200, { data: SignedInView }, 'You have signed in; the cookie holds the session.', {
    also: [403],
  })
  async signInByPasskey(
    @Body() { response }: PasskeyAnswerBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    this.edge.admitAttempt(request);
    const before = await this.edge.signedInBefore(request);
    const session = await this.passkeys.finishSignIn(
      // The library checks each member.
      response as AuthenticationResponseJSON,
      toSignInPlace(request),
      before?.sessionId ?? null,
    );
    return this.edge.answerSession(reply, session);
  }
}
