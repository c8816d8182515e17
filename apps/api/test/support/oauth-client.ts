import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import selfsigned from 'selfsigned';

/** A host for a client's metadata, over TLS with a certificate of its own. */
export class ClientHost {
  /** The served document; a test may change it. */
  document: object;

  private constructor(
    private readonly server: Server,
    private readonly folder: string,
    readonly certificate: string,
  ) {
    this.document = metadataOf(this.url);
  }

  static async start(): Promise<ClientHost> {
    const pems = await selfsigned.generate([{ name: 'commonName', value: 'localhost' }], {
      keyType: 'ec',
      curve: 'P-256',
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
    });
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-client-host-'));
    const certificate = join(folder, 'certificate.pem');
    writeFileSync(certificate, pems.cert);
    const server = createServer({ key: pems.private, cert: pems.cert });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const host = new ClientHost(server, folder, certificate);
    server.on('request', (_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(host.document));
    });
    return host;
  }

  /** The URL of the document, which is the id of the client. */
  get url(): string {
    return `https://localhost:${(this.server.address() as AddressInfo).port}/client.json`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export const redirectUrl = 'http://127.0.0.1:7891/callback';

const metadataOf = (url: string) => ({
  client_id: url,
  client_name: 'A <b>desktop</b> client',
  redirect_uris: [redirectUrl],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
});

/** The memory of an official client for one connection, with the URL that it would open in a browser. */
export class RememberedClient implements OAuthClientProvider {
  authorizationUrl: URL | undefined;
  private verifier = '';
  private kept: OAuthTokens | undefined;
  private information: OAuthClientInformationMixed | undefined;

  constructor(readonly clientMetadataUrl: string) {}

  readonly redirectUrl = redirectUrl;
  readonly clientMetadata = { client_name: 'A desktop client', redirect_uris: [redirectUrl] };

  clientInformation = () => this.information;
  saveClientInformation = (information: OAuthClientInformationMixed) => {
    this.information = information;
  };
  tokens = () => this.kept;
  saveTokens = (tokens: OAuthTokens | undefined) => {
    this.kept = tokens;
  };
  redirectToAuthorization = (url: URL) => {
    this.authorizationUrl = url;
  };
  saveCodeVerifier = (verifier: string) => {
    this.verifier = verifier;
  };
  codeVerifier = () => this.verifier;
}

/** A minimal browser: it follows redirects and keeps cookies. It stops at a URL of the client. */
export class PlainBrowser {
  private readonly cookies = new Map<string, string>();
  /** The URL of the last page. */
  at = '';
  text = '';
  status = 0;
  headers = new Headers();

  /** `own` are headers of each request, for example of a signed-in browser. */
  constructor(private readonly own: Record<string, string> = {}) {}

  async open(url: string, form?: Record<string, string>): Promise<this> {
    const { cookie: ownCookie, ...own } = this.own;
    const cookies = [...this.cookies].map(([name, value]) => `${name}=${value}`);
    const cookie = [...cookies, ...(ownCookie === undefined ? [] : [ownCookie])].join('; ');
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { ...own, cookie },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    this.at = url;
    this.status = answer.status;
    this.headers = answer.headers;
    this.text = await answer.text();
    if (location === null) return this;
    const next = new URL(location, url).href;
    if (!next.startsWith(redirectUrl)) return this.open(next);
    this.at = next;
    return this;
  }

  /** The parameters with which the browser returned to the client. */
  get answer(): Record<string, string> {
    return Object.fromEntries(new URL(this.at).searchParams);
  }
}
