import { Body, Controller, Get, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Denied } from '#libs/platform/errors/errors';
import { IdentityProviders } from '#libs/workspace/sign-in/identity-providers';
import { LinkSpent, SignInLinks } from '#libs/workspace/sign-in/links';
import { Public } from '../http/caller.guard.ts';
import { Responds } from '../http/responds.ts';
import { SignInEdge } from './sign-in-edge.ts';
import { SignInMails } from './sign-in-mails.ts';
import { placeOf } from './sign-in-place.ts';
import {
  SentMailView,
  SignedInView,
  SignInLinkBody,
  SignInMailBody,
  SignInWaysView,
} from './sign-in.shapes.ts';
import { SpentLinks } from './spent-links.ts';

/** The ways to sign in, and the sign-in by a link. */
@ApiTags('Sign-in')
@Controller('api/v1/sign-in')
export class SignInController {
  constructor(
    private readonly links: SignInLinks,
    private readonly mails: SignInMails,
    private readonly providers: IdentityProviders,
    private readonly spentLinks: SpentLinks,
    private readonly edge: SignInEdge,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List the ways to sign in',
    description: 'Lists the ways to sign in to the console of this installation. Programs use keys instead.',
  })
  @Public()
  @Responds(200, { data: SignInWaysView }, 'The ways in which people sign in here.')
  async getSignInWays() {
    const providers = this.providers.listProviders();
    return { data: { mail: this.mails.configured, passkeys: true, providers } };
  }

  @Post('link')
  @ApiOperation({
    summary: 'Sign in by a link',
    description:
      'Begins a session by the token of a link that the operator printed or a mail brought. The link works once, within an hour. The session is in a cookie.',
  })
  @Public()
  @Responds(200, { data: SignedInView }, 'You have signed in; the cookie holds the session.', { also: [403] })
  async signInByLink(
    @Body() { token }: SignInLinkBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    this.edge.admitAttempt(request);
    try {
      const before = await this.edge.signedInBefore(request);
      return this.edge.answerSession(reply, await this.links.signInByLink(token, placeOf(request), before));
    } catch (error) {
      if (error instanceof LinkSpent) await this.spentLinks.noteSpentLink(request, error);
      throw error;
    }
  }

  @Post('mail')
  @ApiOperation({
    summary: 'Ask for a link by mail',
    description:
      'Sends a link to the address when it has an account or an invitation. The answer is the same for every address.',
  })
  @Public()
  @Responds(200, { data: SentMailView }, 'A link is under way if the address is known.', { also: [403] })
  async requestSignInMail(@Body() { email }: SignInMailBody, @Req() request: FastifyRequest) {
    this.edge.admitAttempt(request);
    if (!this.mails.configured)
      throw new Denied('This installation sends no mail. Sign in in another way.', 'MAIL_NOT_CONFIGURED');
    // Nobody waits for this: the duration of the answer must not reveal whether the address is known.
    void this.mails.sendLink(email);
    return {
      data: { message: 'If this address is known here, a mail with a link arrives within a minute.' },
    };
  }
}
