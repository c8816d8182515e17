import { Body, Controller, Get, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Denied } from '#libs/platform/errors/errors';
import { Settings } from '#libs/platform/settings/settings';
import { newBinding } from '#libs/workspace/sign-in/browser-binding';
import { IdentityProviders } from '#libs/workspace/sign-in/identity-providers';
import { LinkSpent, SignInLinks } from '#libs/workspace/sign-in/links';
import { Public } from '../http/route-decorators.ts';
import { ApiResult } from '../http/api-result.ts';
import { readBindingSecret, setBindingCookie } from './session-cookie.ts';
import { SignInEdge } from './sign-in-edge.ts';
import { SignInMails } from './sign-in-mails.ts';
import { toSignInPlace } from './sign-in-place.ts';
import { SentMailView, SignedInView, SignInLinkBody, SignInMailBody, SignInWaysView } from './sign-in.dto.ts';
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
    private readonly settings: Settings,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List the ways to sign in',
    description: 'Lists the ways to sign in to the console of this installation. Programs use keys instead.',
  })
  @Public()
  @ApiResult(200, { data: SignInWaysView }, 'The ways in which people sign in here.')
  async getSignInWays() {
    const providers = this.providers.listProviders();
    return { data: { mail: this.mails.configured, passkeys: true, providers } };
  }

  @Post('link')
  @ApiOperation({
    summary: 'Sign in by a link',
    description:
      'Begins a session by the token of a link that the operator printed or a mail brought. The link works once, within an hour. The session is in a cookie. In another browser than the one that asked for the mail, and where another person has signed in, the answer is 409 `CONFIRM_SIGN_IN`; it names the account.',
  })
  @Public()
  @ApiResult(200, { data: SignedInView }, 'You have signed in; the cookie holds the session.', {
    also: [403, 409],
  })
  async signInByLink(
    @Body() { token, confirmed = false }: SignInLinkBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    this.edge.admitAttempt(request);
    try {
      const browser = {
        place: toSignInPlace(request),
        before: await this.edge.signedInBefore(request),
        browserSecret: readBindingSecret(request, this.settings, 'mail'),
        confirmed,
      };
      return this.edge.answerSession(reply, await this.links.signInByLink(token, browser));
    } catch (error) {
      if (error instanceof LinkSpent) await this.spentLinks.recordSpentLink(request, error);
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
  @ApiResult(200, { data: SentMailView }, 'A link is under way if the address is known.', { also: [403] })
  async requestSignInMail(
    @Body() { email }: SignInMailBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    this.edge.admitAttempt(request);
    if (!this.mails.configured)
      throw new Denied('This installation sends no mail. Sign in in another way.', 'MAIL_NOT_CONFIGURED');
    // The links of several mails work in this browser, and each address gets the same cookie.
    const browserSecret = readBindingSecret(request, this.settings, 'mail') || newBinding();
    setBindingCookie(reply, this.settings, 'mail', browserSecret);
    // Nobody waits for this: the duration of the answer must not reveal whether the address is known.
    void this.mails.sendLink(email, browserSecret);
    return {
      data: { message: 'If this address is known here, a mail with a link arrives within a minute.' },
    };
  }
}
