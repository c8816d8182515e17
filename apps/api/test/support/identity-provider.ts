import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { Provider } from 'oidc-provider';

export interface ProviderPerson {
  email: string;
  emailVerified?: boolean;
  name?: string;
  groups?: string[];
}

const clientId = 'holdfast';
const clientSecret = 'the-secret-of-the-client-which-is-long-enough';

/** A real OpenID Connect provider. `signInAs` decides who signs in next, without any form. */
export class IdentityProviderServer {
  readonly people = new Map<string, ProviderPerson>();
  private subject = '';

  private constructor(
    readonly issuer: string,
    private readonly server: Server,
  ) {}

  /** The entry of this provider in the setting OIDC_PROVIDERS. */
  entry(join: object[] = []): object {
    return { id: 'corp', name: 'Example Corp', issuer: this.issuer, clientId, clientSecret, join };
  }

  static async start(callback: string): Promise<IdentityProviderServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    const own = new IdentityProviderServer(issuer, server);
    const provider = new Provider(issuer, {
      clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [callback] }],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
      scopes: ['openid', 'email', 'profile', 'groups'],
      cookies: { keys: [randomBytes(16).toString('hex')] },
      features: { devInteractions: { enabled: false } },
      pkce: { required: () => true },
      findAccount: (_, id) => {
        const person = own.people.get(id);
        if (!person) return undefined;
        const { email, emailVerified = true, name, groups } = person;
        return {
          accountId: id,
          claims: () => ({ sub: id, email, email_verified: emailVerified, name, groups }),
        };
      },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    });
    const answer = provider.callback();
    server.on('request', (request, response) => {
      if (!request.url?.startsWith('/interaction/')) return void answer(request, response);
      void own.interact(provider, request, response);
    });
    return own;
  }

  /** Signs in the person of `signInAs`, and grants everything. */
  private async interact(
    provider: Provider,
    request: Parameters<Provider['interactionDetails']>[0],
    response: Parameters<Provider['interactionDetails']>[1],
  ): Promise<void> {
    const { params, grantId } = await provider.interactionDetails(request, response);
    if (!this.people.has(this.subject)) {
      const refusal = { error: 'access_denied', error_description: 'There is no such person.' };
      return provider.interactionFinished(request, response, refusal);
    }
    const grant =
      (grantId && (await provider.Grant.find(grantId))) ||
      new provider.Grant({ accountId: this.subject, clientId: String(params['client_id']) });
    grant.addOIDCScope(String(params['scope']));
    const consent = { grantId: await grant.save() };
    await provider.interactionFinished(request, response, {
      login: { accountId: this.subject, remember: false },
      consent,
    });
  }

  signInAs(subject: string): void {
    this.subject = subject;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}

/** Follows redirects like a browser, with its cookies, until a URL begins with `end`. */
export async function browse(
  url: string,
  end: string,
  jar = new Map<string, string>(),
): Promise<BrowsedAnswer> {
  let next = url;
  for (let hops = 0; hops < 12; hops++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
    for (const one of response.headers.getSetCookie()) {
      const [pair = ''] = one.split(';');
      const at = pair.indexOf('=');
      jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const location = response.headers.get('location');
    if (!location) throw new Error(`${next} answered ${response.status}.`);
    next = new URL(location, next).href;
    if (next.startsWith(end)) return { url: next, jar };
  }
  throw new Error(`The way from ${url} does not end.`);
}

export interface BrowsedAnswer {
  url: string;
  jar: Map<string, string>;
}
