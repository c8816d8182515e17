import { Injectable, Logger } from '@nestjs/common';
import * as oidc from 'openid-client';
import { type BegunSession, Sessions, type SignInPlace } from '#libs/workspace/auth/sessions';
import { Egress } from '#libs/platform/egress/egress';
import { requireRecentSignIn } from '#libs/workspace/auth/caller';
import { Denied, NotFound, Unavailable } from '#libs/platform/errors/errors';
import { OAuthRecords } from '#libs/workspace/oauth/oauth-records';
import type { IdentityProvider } from '#libs/platform/settings/identity-providers';
import { Settings } from '#libs/platform/settings/settings';
import { Accounts, type ProviderClaims } from './accounts.ts';
import { hashOfBinding, isBoundTo, newBinding } from './browser-binding.ts';
import type { SignedIn } from './links.ts';

const stateKind = 'OidcState';
const stateLastsS = 600;
const answerBytesMax = 256 * 1024;
const timeoutS = 10;

/** A new sign-in: the URL for the browser, and the secret for its cookie. */
export interface ProviderRequest {
  url: string;
  browserSecret: string;
}

/** The state of a sign-in while the browser is at the provider. */
interface KeptState {
  provider: string;
  nonce: string;
  codeVerifier: string;
  browserHash: string;
  returnTo: string;
  /** The user who links an identity to their account; null for a sign-in. */
  linkTo: string | null;
}

/** The result of the answer of a provider. */
export interface ProviderAnswer {
  userId: string;
  /** The name of the provider when the identity is new to the account; else null. */
  newIdentityAt: string | null;
  /** The new session; null when an identity was linked, which leaves the session as it is. */
  begun: BegunSession | null;
  returnTo: string;
}

/** Signs people in by OpenID Connect: code flow with PKCE, state and nonce. A cookie binds the answer of the provider to the browser. */
@Injectable()
export class IdentityProviders {
  private readonly log = new Logger(IdentityProviders.name);
  private readonly known = new Map<string, Promise<oidc.Configuration>>();

  constructor(
    private readonly settings: Settings,
    private readonly records: OAuthRecords,
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
  ) {}

  /** The providers by which people may sign in, for the buttons of the page. */
  listProviders(): { id: string; name: string }[] {
    return this.settings.identityProviders.map(({ id, name }) => ({ id, name }));
  }

  /** Begins a sign-in, or links an identity to the account of `linkTo`, who signed in lately. `returnTo` is a path of the console. */
  async startSignIn(providerId: string, returnTo: string, linkTo: SignedIn | null): Promise<ProviderRequest> {
    requireRecentSignIn({ session: linkTo });
    const provider = this.getProvider(providerId);
    const configuration = await this.readConfiguration(provider);
    const [state, browserSecret] = [newBinding(), newBinding()];
    const kept: KeptState = {
      provider: providerId,
      nonce: oidc.randomNonce(),
      codeVerifier: oidc.randomPKCECodeVerifier(),
      browserHash: hashOfBinding(browserSecret),
      returnTo,
      linkTo: linkTo?.userId ?? null,
    };
    const record = {
      payload: { ...kept },
      grantId: null,
      uid: null,
      serverId: null,
      expiresInS: stateLastsS,
    };
    await this.records.keep(stateKind, state, record);
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: this.buildCallback(providerId),
      scope: provider.scope,
      state,
      nonce: kept.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(kept.codeVerifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, browserSecret };
  }

  /**
   * Completes a sign-in with the answer of the provider. Throws `Denied` if the answer is forged, repeated, late, or from another browser.
   * An identity is linked only for the person who has asked for it, and whose sign-in is still recent.
   */
  async finishSignIn(
    providerId: string,
    { query, browserSecret }: { query: URLSearchParams; browserSecret: string },
    place: SignInPlace,
    before: SignedIn | null,
  ): Promise<ProviderAnswer> {
    const provider = this.getProvider(providerId);
    const state = query.get('state') ?? '';
    const record = state ? await this.records.consumeOnce(stateKind, state) : null;
    const kept = record?.payload as unknown as KeptState | undefined;
    if (!record?.isFirst || !kept || kept.provider !== providerId) throw ended();
    if (!isBoundTo(kept.browserHash, browserSecret)) throw ended();
    const { returnTo, linkTo } = kept;
    if (linkTo !== null) {
      if (before?.userId !== linkTo) throw ended();
      requireRecentSignIn({ session: before });
    }
    const claims = await this.readClaims(provider, query, kept);
    const { userId, isNew } = await this.accounts.findByIdentity(provider, claims, {
      signedInAs: before?.userId ?? null,
      linkTo,
    });
    const done = { userId, newIdentityAt: isNew ? provider.name : null, returnTo };
    if (linkTo !== null) return { ...done, begun: null };
    const replaces = before?.sessionId ?? null;
    const { sessionMs } = provider;
    const begun = await this.sessions.beginSession(userId, 'oidc', place, { replaces, longestMs: sessionMs });
    return { ...done, begun };
  }

  private async readClaims(
    provider: IdentityProvider,
    query: URLSearchParams,
    { nonce, codeVerifier }: KeptState,
  ): Promise<ProviderClaims> {
    const configuration = await this.readConfiguration(provider);
    const address = new URL(`${this.buildCallback(provider.id)}?${query.toString()}`);
    try {
      const tokens = await oidc.authorizationCodeGrant(configuration, address, {
        pkceCodeVerifier: codeVerifier,
        expectedNonce: nonce,
        expectedState: query.get('state') ?? '',
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new Error('The answer has no ID token.');
      const more =
        claims['email'] === undefined
          ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : {};
      return readClaims({ ...more, ...claims }, provider.groupsClaim);
    } catch (error) {
      this.log.warn(`Sign-in by ${provider.id} is refused: ${String(error)}`);
      throw new Denied(
        'The identity provider did not confirm who you are. Begin again; if it fails again, tell your admin.',
        'SIGN_IN_REFUSED',
      );
    }
  }

  private buildCallback(providerId: string): string {
    return `${this.settings.publicUrl}/api/v1/sign-in/providers/${providerId}/callback`;
  }

  private getProvider(id: string): IdentityProvider {
    const provider = this.settings.identityProviders.find((one) => one.id === id);
    if (!provider) throw new NotFound('identity provider');
    return provider;
  }

  /** Reads the configuration of the provider once in each process, and again after a failure. */
  private async readConfiguration(provider: IdentityProvider): Promise<oidc.Configuration> {
    const found = this.known.get(provider.id) ?? this.discover(provider);
    this.known.set(provider.id, found);
    try {
      return await found;
    } catch (error) {
      this.known.delete(provider.id);
      this.log.warn(`The provider ${provider.id} does not answer: ${String(error)}`);
      throw new Unavailable('The identity provider does not answer. Try again in a moment.');
    }
  }

  private async discover({ issuer, clientId, clientSecret }: IdentityProvider): Promise<oidc.Configuration> {
    const { hostname, port, protocol } = new URL(issuer);
    // The operator configured the issuer, so it may be in a private network. Anybody can cause these calls, so no other private address may be called.
    const allow = [port ? `${hostname}:${port}` : hostname];
    const egress = new Egress({ allow, responseBytesMax: answerBytesMax, redirectsMax: 0 });
    const configuration = await oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      timeout: timeoutS,
      [oidc.customFetch]: fetchBy(egress),
      execute: protocol === 'http:' ? [oidc.allowInsecureRequests] : [],
    });
    // Checks the signature of ID tokens too. The library skips it by default, because they come directly from the provider.
    oidc.enableNonRepudiationChecks(configuration);
    return configuration;
  }
}

function fetchBy(egress: Egress): oidc.CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const answer = await egress.request({
      method,
      url,
      headers: { ...headers },
      ...(body === null || body === undefined ? {} : { body: textOf(body) }),
      ...(signal ? { signal } : {}),
    });
    return new Response(Buffer.from(answer.body), { status: answer.status, headers: answer.headers });
  };
}

function textOf(body: NonNullable<oidc.FetchBody>): string {
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('A call to a provider has a body of text.');
}

/** An address counts only when the provider says that it is verified. */
function readClaims(claims: Record<string, unknown>, groupsClaim: string): ProviderClaims {
  const { sub, email, email_verified: isVerified, name } = claims;
  const groups = claims[groupsClaim];
  return {
    subject: String(sub),
    email: typeof email === 'string' && isVerified === true && email.includes('@') ? email : null,
    name: typeof name === 'string' ? name : null,
    groups: Array.isArray(groups) ? groups.filter((one): one is string => typeof one === 'string') : [],
  };
}

const ended = () =>
  new Denied('This sign-in has ended, or another browser began it. Begin again.', 'SIGN_IN_ENDED');
