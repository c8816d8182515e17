import { type AddressInfo, createServer } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import pg from 'pg';
import type { Browser } from 'playwright-core';
import { describeWith } from '#libs/platform/binaries/support/needs';
import { findObstacles, measureOverflow, startBrowser } from './support/browser.ts';
import { approval, pure } from './support/definitions.ts';
import { ClientHost, PlainBrowser, redirectUrl, RememberedClient } from './support/oauth-client.ts';
import { givenMember } from './support/people.ts';
import { givenOwner, givenSignedIn, pageHeaders } from './support/sessions.ts';
import { Stack, until } from './support/stack.ts';

let stack: Stack;
let host: ClientHost;
let stranger: string;
let viewer: string;
let servers: { first: string; second: string };

beforeAll(async () => {
  host = await ClientHost.start();
  stack = await Stack.startPublic(
    {
      NODE_EXTRA_CA_CERTS: host.certificate,
      CLIENT_DOCUMENT_HOSTS: new URL(host.url).host,
      EGRESS_ALLOW: 'localhost',
    },
    { worker: false },
  );
  const workflowId = await stack.givenDeployed(pure);
  const made = async (name: string) => {
    const tools = [{ workflowId, name: 'rate' }];
    return (await stack.post('/api/v1/mcp-servers', { name, tools })).body.data.id;
  };
  const elsewhere = await stack.givenWorkspace('elsewhere');
  stranger = (await givenMember(stack, 'eve@example.org', 'editor', elsewhere)).headers['x-api-key'];
  viewer = (await givenMember(stack, 'vic@example.org', 'viewer')).headers['x-api-key'];
  servers = { first: await made('first'), second: await made('second') };
});
afterAll(async () => {
  await stack.stop();
  host.stop();
});

const addressOf = (serverId: string) => `${stack.url}/api/mcp/${serverId}`;
const form = (key: string) => ({ key, decision: 'allow' });

/** Begins a connection as the official client does, up to the address that a person opens. */
async function begun(serverId = servers.first) {
  const remembered = new RememberedClient(host.url);
  const url = new URL(addressOf(serverId));
  const transport = new StreamableHTTPClientTransport(url, { authProvider: remembered });
  const client = new Client({ name: 'test', version: '1' });
  await expect(client.connect(transport)).rejects.toThrow('Unauthorized');
  const open = async () => new PlainBrowser().open(String(remembered.authorizationUrl));
  return { remembered, transport, url, open };
}

/** A connection that a person has allowed with their key. */
async function allowed(key = stack.personalKey, serverId = servers.first) {
  const { remembered, transport, url, open } = await begun(serverId);
  const browser = await open();
  await browser.open(browser.at, form(key));
  await transport.finishAuth(String(browser.answer['code']));
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(url, { authProvider: remembered }));
  return { client, remembered, browser };
}

const tokenOf = ({ remembered }: { remembered: RememberedClient }) =>
  String(remembered.tokens()?.access_token);

/** A call with nothing but a bearer token. */
const send = async (path: string, token: string, message: object | null = null) => {
  const answer = await fetch(stack.url + path, {
    method: message ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    ...(message ? { body: JSON.stringify(message) } : {}),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

/** A message to a server, with a token. */
const ask = (serverId: string, token: string, method = 'tools/list', params = {}) =>
  send(`/api/mcp/${serverId}`, token, { jsonrpc: '2.0', id: 1, method, params });

const tokens = (body: Record<string, string>) =>
  fetch(`${stack.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(body) });

describe('client that knows nothing but the address of a server', () => {
  test('a client that knows nothing but the address of a server connects after a person has shown a personal key, and calls a tool', async () => {
    const { client } = await allowed();
    const result = await client.callTool({ name: 'rate', arguments: { amount: 7 } });
    expect(result.structuredContent).toMatchObject({ amount: 7 });
    await client.close();
    const { body } = await stack.get(`/api/v1/logs?workspaceId=${stack.home.id}&triggers=mcp`);
    expect(body.data.length).toBeGreaterThan(0);
    const log = await stack.get(
      `/api/v1/audit-logs?workspaceId=${stack.home.id}&action=mcp_server.access_granted`,
    );
    expect(log.body.data[0]).toMatchObject({ resourceId: servers.first });
  });

  test('a client that knows nothing but the address of a server is shown to the person as it is, and gets nothing when they refuse', async () => {
    const { open } = await begun();
    const browser = await open();
    expect(browser.text).toContain('A &lt;b&gt;desktop&lt;/b&gt; client');
    expect(browser.text).toContain(`<span class="host">${new URL(host.url).host}</span>`);
    expect(browser.text).toContain(addressOf(servers.first));
    expect(browser.text).toContain('also those that editors of the workspace add to it later');
    expect(browser.headers.get('content-security-policy')).toContain(
      `form-action 'self' ${new URL(redirectUrl).origin};`,
    );
    await browser.open(browser.at, { decision: 'deny' });
    expect(browser.answer).toMatchObject({ error: 'access_denied', iss: stack.url });
  });

  test('a client that knows nothing but the address of a server may read and not run where the person allowed no more', async () => {
    const { remembered, open, transport } = await begun();
    remembered.authorizationUrl?.searchParams.set('scope', 'read');
    const browser = await open();
    await browser.open(browser.at, form(stack.personalKey));
    await transport.finishAuth(String(browser.answer['code']));
    const token = tokenOf({ remembered });
    expect((await ask(servers.first, token)).status).toBe(200);
    const executionId = 'exec_00000000000000000000';
    const reading = { name: 'get_execution', arguments: { executionId } };
    expect((await ask(servers.first, token, 'tools/call', reading)).status).toBe(200);
    const tries = [
      ['tools/call', { name: 'rate', arguments: { amount: 7 } }],
      ['tools/call', { name: 'cancel_execution', arguments: { executionId } }],
      ['tools/call', { ...reading, inputResponses: {} }],
      ['tasks/update', { taskId: executionId }],
      ['tasks/cancel', { taskId: executionId }],
    ] as const;
    for (const [method, params] of tries) {
      const refused = await ask(servers.first, token, method, params);
      expect(refused.status).toBe(403);
      expect(refused.headers.get('www-authenticate')).toBe(
        `Bearer realm="holdfast", error="insufficient_scope", scope="execute:${servers.first} read", ` +
          `resource_metadata="${stack.url}/.well-known/oauth-protected-resource/api/mcp/${servers.first}"`,
      );
      expect(JSON.parse(refused.text).error).toMatchObject({
        message: `This call needs the scope execute:${servers.first}, which the access token does not have.`,
        data: { code: 'INSUFFICIENT_SCOPE' },
      });
    }
  });

  test('a client that knows nothing but the address of a server may be a page, whose browser asks before it reads public metadata', async () => {
    const asking = {
      origin: 'https://page.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'mcp-protocol-version',
    };
    const paths = [`oauth-protected-resource/api/mcp/${servers.first}`, 'oauth-authorization-server'];
    for (const path of paths) {
      const url = `${stack.url}/.well-known/${path}`;
      const { status, headers } = await fetch(url, { method: 'OPTIONS', headers: asking });
      const allowed = ['origin', 'methods', 'headers'].map((name) =>
        headers.get(`access-control-allow-${name}`),
      );
      expect([path, status, ...allowed]).toEqual([
        path,
        204,
        expect.stringMatching(/^(\*|https:\/\/page\.example)$/),
        expect.stringContaining('GET'),
        expect.stringMatching(/^(\*|mcp-protocol-version)$/),
      ]);
      const read = await fetch(url, {
        headers: { origin: asking.origin, 'mcp-protocol-version': '2025-06-18' },
      });
      expect([read.status, read.headers.get('access-control-allow-origin')]).toEqual([200, allowed[0]]);
    }
  });

  test('a client that knows nothing but the address of a server renews its token once for each refresh token', async () => {
    const { remembered } = await allowed();
    const refresh = { grant_type: 'refresh_token', client_id: host.url };
    const first = String(remembered.tokens()?.refresh_token);
    const answer = await tokens({ ...refresh, refresh_token: first });
    const renewed = (await answer.json()) as Record<'access_token' | 'refresh_token', string>;
    expect((await ask(servers.first, renewed.access_token)).status).toBe(200);
    // A refresh token that comes a second time was stolen: all that came from the grant ends.
    expect((await tokens({ ...refresh, refresh_token: first })).status).toBe(400);
    expect((await tokens({ ...refresh, refresh_token: renewed.refresh_token })).status).toBe(400);
  });

  test('a client that knows nothing but the address of a server goes on after the API was killed', async () => {
    const connection = await allowed();
    await stack.api.kill('SIGKILL');
    await stack.startApi();
    expect((await ask(servers.first, tokenOf(connection))).status).toBe(200);
  });
});

describe('token', () => {
  test('a token works for no other server, on no other path, and not as an API key', async () => {
    const token = tokenOf(await allowed());
    expect((await ask(servers.second, token)).status).toBe(401);
    expect((await ask('mcp_00000000000000000000000000000000', token)).status).toBe(401);
    expect((await send('/api/v1/workflows', token)).status).toBe(401);
    expect([401, 404]).toContain((await send('/api/mcp', token, {})).status);
    expect((await stack.get('/api/v1/workflows', { 'x-api-key': token })).status).toBe(401);
  });

  test('a token gives an agent no link that answers, only the place where the person signs in', async () => {
    const workflowId = await stack.givenDeployed(approval);
    const tools = [{ workflowId, name: 'approve' }];
    const { id } = (await stack.post('/api/v1/mcp-servers', { name: 'approvals', tools })).body.data;
    const { client, remembered } = await allowed(stack.personalKey, id);
    const called = await client.callTool({ name: 'approve', arguments: { amount: 7 } });
    const { executionId, links } = Object(called.structuredContent).execution;
    const reading = { name: 'get_execution', arguments: { executionId } };
    const read = await ask(id, tokenOf({ remembered }), 'tools/call', reading);
    await client.close();
    const inConsole = `${stack.url}/console/w/${stack.home.id}/inbox?open=ctx_`;
    expect(links).toEqual([expect.stringContaining(inConsole)]);
    for (const text of [JSON.stringify(called), read.text]) {
      expect(text).toContain(inConsole);
      expect(text).not.toMatch(/token=|as=usr_/);
    }
    const page = await fetch(links[0], { method: 'POST', body: new URLSearchParams({ approved: 'true' }) });
    expect(page.status).not.toBe(200);
    const row = await stack.get(`/api/jobs/job_${executionId.slice(5)}`);
    expect(row.body.status).toBe('processing');
  });

  test('a token is refused when it is unknown, and the answer says how to get a token', async () => {
    const refused = await ask(servers.first, 'x'.repeat(43));
    expect(refused.status).toBe(401);
    expect(JSON.parse(refused.text).error.message).toBe(
      'A valid API key is required, as X-API-Key or as Authorization: Bearer, or an access token as the latter.',
    );
    const challenge = String(refused.headers.get('www-authenticate'));
    expect(challenge).toContain('error="invalid_token"');
    const metadataUrl = /resource_metadata="([^"]+)"/.exec(challenge)?.[1];
    const metadata = await (await fetch(String(metadataUrl))).json();
    expect(metadata).toMatchObject({
      resource: addressOf(servers.first),
      authorization_servers: [stack.url],
    });
  });

  test('a token ends when it is revoked, and when the key of its grant is revoked', async () => {
    const connection = await allowed();
    const body = new URLSearchParams({ token: tokenOf(connection), client_id: host.url });
    await fetch(`${stack.url}/oauth/revoke`, { method: 'POST', body });
    await until(
      () => ask(servers.first, tokenOf(connection)),
      ({ status }) => status === 401,
    );
    const personal = { 'x-api-key': stack.personalKey };
    const made = await stack.post('/api/v1/users/me/keys', { name: 'short' }, personal);
    const { key, id } = made.body.data;
    const second = await allowed(key);
    await stack.call('DELETE', `/api/v1/users/me/keys/${id}`, undefined, personal);
    await until(
      () => ask(servers.first, tokenOf(second)),
      ({ status }) => status === 401,
    );
    const refresh = String(second.remembered.tokens()?.refresh_token);
    const answer = await tokens({ grant_type: 'refresh_token', client_id: host.url, refresh_token: refresh });
    expect(answer.status).toBe(400);
  });

  test('a token is in no row of the database', async () => {
    const token = tokenOf(await allowed());
    const owner = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
    await owner.connect();
    const { rows } = await owner.query('select payload::text as text, digest from oauth_records');
    await owner.end();
    expect(rows.length).toBeGreaterThan(3);
    expect(rows.filter(({ text, digest }) => text.includes(token) || digest === token)).toEqual([]);
  });
});

describe('grant', () => {
  test('a grant is seen by an admin, who ends it', async () => {
    const connection = await allowed();
    const grants = `/api/v1/mcp-servers/${servers.first}/grants`;
    const all = await stack.get(`${grants}?limit=100`);
    const [grant] = all.body.data.slice(-1);
    expect(grant).toMatchObject({
      client: host.url,
      scopes: [`execute:${servers.first}`, 'read'],
      person: { email: expect.stringContaining('@') },
    });
    const theirs = await stack.givenWorkspace('others');
    const asThem = { 'x-api-key': theirs.key };
    expect((await stack.get(grants, asThem)).status).toBe(404);
    const ended = await stack.call('DELETE', `${grants}/${grant.id}`, undefined, asThem);
    expect(ended.status).toBe(404);
    const other = `/api/v1/mcp-servers/${servers.second}/grants/${grant.id}`;
    expect((await stack.call('DELETE', other)).status).toBe(404);
    expect((await stack.call('DELETE', `${grants}/${grant.id}`)).status).toBe(200);
    await until(
      () => ask(servers.first, tokenOf(connection)),
      ({ status }) => status === 401,
    );
    expect((await stack.call('DELETE', `${grants}/${grant.id}`)).status).toBe(404);
  });
});

describe('person', () => {
  test.each([
    ['nothing', () => '', 'no key that works'],
    ['a wrong key', () => 'sk-holdfast-wrong', 'no key that works'],
    ['a key of the workspace', () => stack.home.key, 'A personal key is needed'],
    ['a key of somebody elsewhere', () => stranger, 'does not reach'],
    ['a key of a viewer', () => viewer, 'permission to execute'],
  ])('a person is asked again after showing %s, and nothing is granted', async (_, key, said) => {
    const { open } = await begun();
    const browser = await open();
    await browser.open(browser.at, form(key()));
    expect({ status: browser.status, said: browser.text.includes(said) }).toEqual({
      status: 400,
      said: true,
    });
    await browser.open(browser.at, form(stack.personalKey));
    expect(browser.answer['code']).toBeTruthy();
  });

  test('a person cannot allow a request that another browser began', async () => {
    const { open } = await begun();
    const { at } = await open();
    const other = await new PlainBrowser().open(at);
    expect(other.status).toBe(400);
    await other.open(at, form(stack.personalKey));
    expect(other.status).toBe(400);
    expect(other.text).toContain('This request cannot be allowed');
  });

  test('a person is asked for a key in each request, also in a browser that showed one', async () => {
    const { browser } = await allowed();
    const { remembered } = await begun(servers.second);
    await browser.open(String(remembered.authorizationUrl));
    expect(browser.text).toContain('Your personal key');
  });
});

describe('signed-in person', () => {
  const connect = async (headers: Record<string, string>) => {
    const { remembered, transport } = await begun();
    const browser = await new PlainBrowser(headers).open(String(remembered.authorizationUrl));
    return { remembered, transport, browser };
  };
  const personalKeys = async (headers: Record<string, string>) =>
    (await stack.get('/api/v1/users/me/keys', headers)).body.data as { id: string; name: string }[];

  test('a signed-in person allows a client without a key, and ends the grant in the list of keys', async () => {
    const owner = await givenOwner(stack);
    const { remembered, transport, browser } = await connect(owner.headers);
    expect(browser.text).not.toContain('Your personal key');
    await browser.open(browser.at, { decision: 'allow', user: owner.userId });
    await transport.finishAuth(String(browser.answer['code']));
    expect((await ask(servers.first, tokenOf({ remembered }))).status).toBe(200);
    const made = (await personalKeys(owner.headers)).find(
      ({ name }) => name === `MCP client at ${new URL(host.url).host}`,
    );
    await stack.call('DELETE', `/api/v1/users/me/keys/${made?.id}`, undefined, owner.headers);
    await until(
      () => ask(servers.first, tokenOf({ remembered })),
      ({ status }) => status === 401,
    );
  });

  test.each([
    ['not the person of the page', { user: 'usr_somebodyelse' }, {}, 'Another person'],
    ['sent there by another site', {}, { 'sec-fetch-site': 'cross-site' }, 'another site'],
  ])('a signed-in person allows nothing when the person is: %s', async (_, changed, headers, said) => {
    const owner = await givenOwner(stack);
    const before = (await personalKeys(owner.headers)).length;
    const { browser } = await connect({ ...owner.headers, ...headers });
    await browser.open(browser.at, { decision: 'allow', user: owner.userId, ...changed });
    expect([browser.status, browser.text.includes(said)]).toEqual([400, true]);
    expect(await personalKeys(owner.headers)).toHaveLength(before);
  });

  test('a signed-in person signs in again first when their sign-in is more than an hour old', async () => {
    const owner = await givenOwner(stack);
    const database = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
    await database.connect();
    await database.query(`update sessions set created_at = now() - interval '61 minutes' where id = $1`, [
      owner.sessionId,
    ]);
    await database.end();
    const { browser } = await until(
      () => connect(owner.headers),
      ({ browser: { text } }) => text.includes('Sign in again'),
    );
    expect(browser.text).not.toContain('value="allow"');
    expect(browser.text).toContain(`/console/sign-in?to=%2Foauth%2Fconsent%2F`);
    await browser.open(browser.at, { decision: 'allow', user: owner.userId });
    expect([browser.status, browser.text.includes('more than an hour old')]).toEqual([400, true]);
  });

  test('a signed-in person gets no client in where their role or the policy on personal keys forbids it', async () => {
    const reader = await givenSignedIn(stack, 'viewer');
    const { browser } = await connect(reader.headers);
    await browser.open(browser.at, { decision: 'allow', user: reader.userId });
    expect([browser.status, browser.text.includes('permission to execute')]).toEqual([400, true]);
    const editor = await givenSignedIn(stack, 'editor');
    const policy = `/api/v1/workspaces/${stack.home.id}`;
    await stack.call('PATCH', policy, { personalKeysAllowed: false });
    const closed = await connect(editor.headers);
    await closed.browser.open(closed.browser.at, { decision: 'allow', user: editor.userId });
    await stack.call('PATCH', policy, { personalKeysAllowed: true });
    expect([closed.browser.status, closed.browser.text.includes('does not allow them')]).toEqual([400, true]);
    expect(await personalKeys(editor.headers)).toEqual([]);
  });

  test('a signed-in person shows no key in place of a session that has ended', async () => {
    const { browser } = await connect({
      ...pageHeaders(stack),
      cookie: `holdfast_session=${'a'.repeat(43)}`,
    });
    await browser.open(browser.at, { decision: 'allow', user: 'usr_nobody' });
    expect([browser.status, browser.text.includes('Your session has ended')]).toEqual([400, true]);
    expect(browser.text).toContain('Your personal key');
  });
});

describeWith('a browser')('page of consent', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  test.each([
    ['light', 1000],
    ['dark', 360],
  ] as const)(
    'the page of consent leads a person in a real browser back to the client: %s, %i wide',
    async (colorScheme, width) => {
      const { remembered } = await begun();
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } });
      await page.goto(String(remembered.authorizationUrl));
      expect(await findObstacles(page)).toEqual([]);
      expect(await measureOverflow(page)).toBe(0);
      await page.getByLabel('Your personal key').fill('wrong');
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
      expect(await page.getByRole('alert').textContent()).toContain('no key that works');
      await page.getByLabel('Your personal key').fill(stack.personalKey);
      // Nobody listens there: that the browser asks is enough.
      const back = page.waitForRequest((request) => request.url().startsWith(redirectUrl));
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
      expect(new URL((await back).url()).searchParams.get('code')).toBeTruthy();
      await page.close();
    },
  );

  test.each([
    ['light', 1000],
    ['dark', 360],
  ] as const)(
    'the page of consent takes the consent of a person who has signed in: %s, %i wide',
    async (colorScheme, width) => {
      const owner = await givenOwner(stack);
      const { remembered } = await begun();
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } });
      const [name = '', value = ''] = (owner.headers['cookie'] ?? '').split('=');
      await page
        .context()
        .addCookies([{ name, value, url: stack.url, httpOnly: true, sameSite: 'Lax' as const }]);
      await page.goto(String(remembered.authorizationUrl));
      expect(await findObstacles(page)).toEqual([]);
      const back = page.waitForRequest((request) => request.url().startsWith(redirectUrl));
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
      expect(new URL((await back).url()).searchParams.get('code')).toBeTruthy();
      await page.close();
    },
  );
});

describe('request for authorization', () => {
  const opened = async (change: (query: URLSearchParams) => void) => {
    const { remembered } = await begun();
    const url = new URL(String(remembered.authorizationUrl));
    change(url.searchParams);
    return new PlainBrowser().open(url.href);
  };

  test.each<[string, (query: URLSearchParams) => void, string]>([
    ['without PKCE', (query) => query.delete('code_challenge'), 'invalid_request'],
    ['with plain PKCE', (query) => query.set('code_challenge_method', 'plain'), 'invalid_request'],
    ['for another address', (query) => query.set('resource', 'https://example.org/mcp'), 'invalid_target'],
    ['for no server', (query) => query.set('resource', `${stack.url}/api/mcp/x`), 'invalid_target'],
  ])('%s is sent back with an error', async (_, change, code) => {
    expect((await opened(change)).answer).toMatchObject({ error: code });
  });

  test.each<[string, (query: URLSearchParams) => void]>([
    ['from a client without a document', (query) => query.set('client_id', 'https://localhost:1/none.json')],
    ['from a client without an address', (query) => query.set('client_id', 'desktop')],
    ['with another redirect address', (query) => query.set('redirect_uri', 'https://example.org/')],
  ])('%s is a page, and the browser goes nowhere', async (_, change) => {
    const browser = await opened(change);
    expect(browser.status).toBe(400);
    expect(browser.text).toContain('This request cannot be allowed');
    expect(browser.headers.get('content-security-policy')).toContain(`default-src 'none'`);
  });

  test('a request for authorization reads no document from a private address', async () => {
    const browser = await opened((query) => query.set('client_id', 'https://127.0.0.1:9/client.json'));
    expect(browser.status).toBe(400);
    expect(browser.text).toContain('invalid_client');
  });

  test('a request for authorization by a stranger reaches no private host, though blocks of tenants may call it', async () => {
    let calls = 0;
    const inner = createServer((socket) => {
      calls++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve));
    const { port } = inner.address() as AddressInfo;
    const browser = await opened((query) => query.set('client_id', `https://localhost:${port}/client.json`));
    expect([browser.status, calls]).toEqual([400, 0]);
    await new Promise((resolve) => inner.close(resolve));
  });
});
