import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Denied, ApiError, Invalid } from '#libs/platform/errors/errors';
import { toReturnAddress } from '#libs/platform/return-addresses/return-address';
import { Settings } from '#libs/platform/settings/settings';
import { IdentityProviders } from '#libs/workspace/sign-in/identity-providers';
import { Public } from '../http/route-decorators.ts';
import { IsPage } from '../http/page-route.ts';
import { RawQuery } from '../http/raw-input.ts';
import { readBindingSecret, setBindingCookie } from './session-cookie.ts';
import { SignInEdge } from './sign-in-edge.ts';
import { SignInMails } from './sign-in-mails.ts';
import { toSignInPlace } from './sign-in-place.ts';

/**
 * Sends browsers to identity providers and takes them back. Only browsers call it, so it is not in the description of
 * the API.
 */
@ApiExcludeController()
@Controller('api/v1/sign-in')
export class ProviderSignInController {
  constructor(
    private readonly providers: IdentityProviders,
    private readonly edge: SignInEdge,
    private readonly mails: SignInMails,
    private readonly settings: Settings,
  ) {}

  /**
   * Redirects the browser to a provider. With `link=1` the identity is linked to the account that has signed in lately,
   * and the session stays as it is.
   */
  @Get('providers/:providerId')
  @Public()
  @IsPage()
  async startProviderSignIn(
    @Param('providerId') providerId: string,
    @RawQuery() { returnTo = '/console', link }: { returnTo?: string; link?: string },
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    this.edge.admitNavigation(request);
    const { origin } = new URL(this.settings.publicUrl);
    const returnAddress = typeof returnTo === 'string' ? toReturnAddress(returnTo, origin) : null;
    if (returnAddress === null)
      throw Invalid.field('returnTo', 'must be a path of the console or of a consent', 'pattern');
    const before = link === '1' ? await this.edge.signedInBefore(request) : null;
    if (link === '1' && !before)
      throw new Denied('Sign in first: an identity is linked to an account.', 'SIGN_IN_FIRST');
    const { url, browserSecret } = await this.providers.startSignIn(providerId, returnAddress, before);
    setBindingCookie(reply, this.settings, 'provider', browserSecret);
    return led(reply, url);
  }

  /** The provider sends the browser back to this path. Every fault leads to the sign-in page, which shows it. */
  @Get('providers/:providerId/callback')
  @Public()
  @IsPage()
  async finishProviderSignIn(
    @Param('providerId') providerId: string,
    @RawQuery() query: Record<string, string>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    this.edge.admitNavigation(request);
    const browserSecret = readBindingSecret(request, this.settings, 'provider');
    setBindingCookie(reply, this.settings, 'provider', '');
    try {
      const answer = { query: new URLSearchParams(query), browserSecret };
      const before = await this.edge.signedInBefore(request, { isNavigation: true });
      const place = toSignInPlace(request);
      const found = await this.providers.finishSignIn(providerId, answer, place, before);
      const { userId, newIdentityAt, begun, returnTo } = found;
      if (newIdentityAt !== null) this.mails.tellOfWay(userId, 'added', `the sign-in by ${newIdentityAt}`);
      if (begun) this.edge.answerSession(reply, begun);
      return led(reply, `${this.settings.publicUrl}${returnTo}`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return led(reply, `${this.settings.publicUrl}/console/sign-in?fault=${encodeURIComponent(error.code)}`);
    }
  }
}

function led(reply: FastifyReply, url: string): string {
  void reply.status(303).headers({ Location: url, 'Cache-Control': 'no-store' });
  return '';
}
