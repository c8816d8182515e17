import { createPrivateKey } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import type { Configuration, JWK, Provider } from 'oidc-provider';
import { Callers } from '#libs/workspace/auth/callers';
import { Egress } from '#libs/platform/egress/egress';
import { Unauthenticated } from '#libs/platform/errors/errors';
import { OAuthRecords } from '#libs/workspace/oauth/oauth-records';
import { keyedHash } from '#libs/platform/crypto/crypto';
import { Settings } from '#libs/platform/settings/settings';
import { pageHeaders } from '../http/html.ts';
import { refusedPage } from './consent.html.ts';
import { grantLastsS } from './consenters.ts';
import { RecordAdapter } from './record-adapter.ts';
import { buildScopes, parseResource } from './resources.ts';

const [minute, hour, day] = [60, 60 * 60, 24 * 60 * 60];
const documentBytesMax = 5120;

/**
 * Loaded when an API starts, but not for a description or after wrong settings: loading takes time and writes log
 * lines.
 */
type Library = typeof import('oidc-provider');

/** The paths of the protocol, after the public URL. */
export const routes = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  jwks: '/oauth/keys',
} as const;

/**
 * Lets a client act for a person who has signed in or shows a personal key: OAuth 2.1 with PKCE, only for the MCP
 * servers of this installation. The URL of its metadata document identifies a client, so it needs no registration.
 * Tokens are random, name one server, and end with the key by which they were granted.
 */
export class AuthorizationServer {
  readonly provider: Provider;
  private readonly log = new Logger(AuthorizationServer.name);
  private readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  private readonly address: URL;

  private constructor(
    private readonly library: Library,
    { publicUrl }: Settings,
    configuration: Configuration,
  ) {
    this.address = new URL(publicUrl);
    this.provider = new library.Provider(publicUrl, configuration);
    // Trusts only the headers that `serve` has set.
    this.provider.proxy = true;
    this.provider.on('server_error', (_, error) => this.log.error(error.stack ?? String(error)));
    this.answer = this.provider.callback();
  }

  static async load(
    settings: Settings,
    callers: Callers,
    records: OAuthRecords,
  ): Promise<AuthorizationServer> {
    const library = await import('oidc-provider');
    return new AuthorizationServer(
      library,
      settings,
      buildConfiguration(library, settings, { callers, records }),
    );
  }

  /** True when the error means that a request has ended, or that another browser began it. */
  isEnded(error: unknown): boolean {
    return error instanceof this.library.errors.SessionNotFound;
  }

  /** Answers a request. Replaces its host by the public one, because the URLs in the answer use the host. */
  serve(request: IncomingMessage, response: ServerResponse): void {
    this.showPublicAddress(request);
    void this.answer(request, response);
  }

  showPublicAddress({ headers }: IncomingMessage): void {
    headers.host = this.address.host;
    headers['x-forwarded-proto'] = this.address.protocol.slice(0, -1);
    delete headers['x-forwarded-host'];
  }
}

function buildConfiguration(
  library: Library,
  settings: Settings,
  { callers, records }: { callers: Callers; records: OAuthRecords },
): Configuration {
  const { secret } = settings;
  return {
    adapter: (kind: string) => new RecordAdapter(kind, records, settings.publicUrl),
    routes,
    jwks: { keys: [deriveSigningKey(secret)] },
    cookies: { keys: [keyedHash(secret, 'oauth-cookie', 'cookies')] },
    enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'EdDSA',
    },
    clientAuthMethods: ['none'],
    responseTypes: ['code'],
    scopes: [],
    pkce: { required: () => true },
    features: buildFeatures(library, settings),
    fetch: fetchWith(
      // Anybody can cause this read, so what blocks of tenants may call does not count here.
      new Egress({
        allow: settings.clientDocumentHosts,
        responseBytesMax: documentBytesMax,
        redirectsMax: 0,
      }),
    ),
    fetchResponseBodyLimits: { 'client_id metadata document': documentBytesMax },
    findAccount: (_, keyId) => loadAccount(callers, keyId),
    interactions: {
      policy: askEachTime(library),
      url: (_, { uid }) => `${settings.publicUrl}/oauth/consent/${uid}`,
    },
    issueRefreshToken: async (_, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    rotateRefreshToken: true,
    ttl: {
      AccessToken: hour,
      AuthorizationCode: minute,
      Grant: grantLastsS,
      IdToken: hour,
      Interaction: 15 * minute,
      RefreshToken: 30 * day,
      Session: 15 * minute,
    },
    renderError: (ctx, { error, error_description: description }) => {
      ctx.set(pageHeaders);
      ctx.body = refusedPage(error, description);
    },
  };
}

function buildFeatures({ errors }: Library, { publicUrl }: Settings): Configuration['features'] {
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    dPoP: { enabled: false },
    revocation: { enabled: true },
    clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => [],
      useGrantedResource: () => true,
      getResourceServerInfo: (_, resource) => {
        const serverId = parseResource(publicUrl, resource);
        if (!serverId)
          throw new errors.InvalidTarget(
            'The resource must be the address of an MCP server of this installation.',
          );
        return {
          scope: buildScopes(serverId).join(' '),
          audience: resource,
          accessTokenFormat: 'opaque',
          accessTokenTTL: hour,
        };
      },
    },
  };
}

/** The holder of a live key; undefined ends the grants of the key. */
async function loadAccount(callers: Callers, keyId: string) {
  try {
    const { keyId: accountId } = await callers.identifyById(keyId);
    return { accountId, claims: async () => ({ sub: accountId }) };
  } catch (error) {
    if (error instanceof Unauthenticated) return undefined;
    throw error;
  }
}

/** Asks for consent in each authorization: a consent in a browser must give no token to its next user. */
function askEachTime({ interactionPolicy }: Library) {
  const policy = interactionPolicy.base();
  const { Check } = interactionPolicy;
  policy
    .get('login')
    ?.checks.add(
      new Check('each_time', 'A person is asked for each client.', (ctx) =>
        ctx.oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
      ),
    );
  return policy;
}

/** Fetches metadata documents of clients through the egress, so only from public addresses. */
function fetchWith(egress: Egress): NonNullable<Configuration['fetch']> {
  return async (url, { method = 'GET', headers, signal } = {}) => {
    const answer = await egress.request({
      method,
      url: String(url),
      headers: Object.fromEntries(new Headers(headers)),
      ...(signal ? { signal } : {}),
    });
    return new Response(Buffer.from(answer.body), { status: answer.status, headers: answer.headers });
  };
}

/** The start of the DER form of an Ed25519 key. The 32 bytes of the key follow it (RFC 8410). */
const keyStart = '302e020100300506032b657004220420';

/** The signing key. It is derived from the secret, which all processes of an installation share. */
function deriveSigningKey(secret: string): JWK {
  const seed = Buffer.from(keyedHash(secret, 'oauth-signature', 'Ed25519'), 'base64url');
  const key = createPrivateKey({
    key: Buffer.concat([Buffer.from(keyStart, 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  });
  return { ...key.export({ format: 'jwk' }), use: 'sig', alg: 'EdDSA' };
}
