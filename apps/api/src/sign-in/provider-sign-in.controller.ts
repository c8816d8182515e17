import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Denied, Fault, Invalid } from '#libs/platform/errors/errors';
import { Settings } from '#libs/platform/settings/settings';
import { IdentityProviders } from '#libs/workspace/sign-in/identity-providers';
import { Public } from '../http/caller.guard.ts';
import { IsPage } from '../http/page-route.ts';
import { RawQuery } from '../http/raw-input.ts';
import { bindingSecretOf, setBindingCookie } from './session-cookie.ts';
import { SignInEdge } from './sign-in-edge.ts';
import { placeOf } from './sign-in-place.ts';

const returnLengthMax = 1000;

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
    private readonly settings: Settings,
  ) {}

  /** Redirects the browser to a provider. With `link=1` the identity is linked to the account that has signed in. */
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
    if (!this.isOwnPath(returnTo))
      throw Invalid.field('returnTo', 'must be a path of the console or of a consent', 'pattern');
    const before = link === '1' ? await this.edge.signedInBefore(request) : null;
    if (link === '1' && !before)
      throw new Denied('Sign in first: an identity is linked to an account.', 'SIGN_IN_FIRST');
    const { url, browserSecret } = await this.providers.startSignIn(
      providerId,
      returnTo,
      before?.userId ?? null,
    );
    setBindingCookie(reply, this.settings, browserSecret);
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
    const browserSecret = bindingSecretOf(request, this.settings);
    setBindingCookie(reply, this.settings, '');
    try {
      const answer = { query: new URLSearchParams(query), browserSecret };
      const before = await this.edge.signedInBefore(request, { isNavigation: true });
      const { begun, returnTo } = await this.providers.finishSignIn(
        providerId,
        answer,
        placeOf(request),
        before,
      );
      this.edge.answerSession(reply, begun);
      return led(reply, `${this.settings.publicUrl}${returnTo}`);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return led(reply, `${this.settings.publicUrl}/console/sign-in?fault=${encodeURIComponent(error.code)}`);
    }
  }

  /**
   * True for a path of the console or of a request for consent, as the browser resolves it. Other paths are no valid
   * targets.
   */
  private isOwnPath(path: string): boolean {
    const { origin } = new URL(this.settings.publicUrl);
    const own = /^\/(console(\/|$)|oauth\/consent\/[\w-]+$)/;
    if (path.length > returnLengthMax || !/^\/[^/\\]/.test(path) || !URL.canParse(path, origin)) return false;
    const url = new URL(path, origin);
    return url.origin === origin && own.test(url.pathname);
  }
}

function led(reply: FastifyReply, url: string): string {
  void reply.status(303).headers({ Location: url, 'Cache-Control': 'no-store' });
  return '';
}
