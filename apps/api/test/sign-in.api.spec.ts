import pg from 'pg';
import { Mailbox } from './support/mailbox.ts';
import {
  type BrowserUser,
  toBrowserUser,
  getCookie,
  givenOwner,
  givenSignedIn,
  ownerToken,
  pageHeaders,
  safariOnMac,
  parseToken,
} from './support/sessions.ts';
import { pure } from './support/definitions.ts';
import { type Answer, Stack, until } from './support/stack.ts';

let stack: Stack;
let mailbox: Mailbox;
let database: pg.Client;
beforeAll(async () => {
  mailbox = await Mailbox.start();
  stack = await Stack.startPublic(
    {
      SMTP_URL: mailbox.url,
      MAIL_FROM: 'holdfast@example.org',
      TRUSTED_PROXIES: '127.0.0.1,::1',
    },
    { worker: false },
  );
  database = new pg.Client({ connectionString: stack.env['DATABASE_URL'] });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await stack.stop();
  await mailbox.stop();
});

const me = '/api/v1/users/me';
const signInByLink = (token: string, headers = pageHeaders(stack)) =>
  stack.post('/api/v1/sign-in/link', { token }, headers);

async function auditOf(action: string): Promise<object[]> {
  return (await stack.get(`/api/v1/audit-logs?action=${action}&limit=100`)).body.data;
}

describe('sign-in link', () => {
  test('a sign-in link signs in the first browser that opens it, with a cookie that scripts cannot read', async () => {
    const token = await ownerToken(stack);
    const answer = await signInByLink(token);
    const set = answer.headers.getSetCookie().join();
    expect(set).toMatch(/^holdfast_session=[\w-]{43}; /);
    expect(set).toMatch(/HttpOnly/);
    expect(set).toMatch(/SameSite=Lax/);
    const owner = toBrowserUser(stack, answer);
    const mine = await stack.get(me, owner.headers);
    expect(mine.body.data).toMatchObject({
      id: owner.userId,
      session: { id: owner.sessionId },
      workspaces: [{ id: stack.home.id, role: 'admin' }],
    });
    const again = await signInByLink(token);
    expect([again.status, again.body.code]).toEqual([403, 'LINK_SPENT']);
    expect(again.headers.getSetCookie()).toEqual([]);
    await until(
      () => auditOf('sign_in.refused'),
      (entries) => entries.length > 0,
    );
    expect(await auditOf('session.created')).toContainEqual(
      expect.objectContaining({ actorId: owner.userId, resourceId: owner.sessionId }),
    );
  });

  test('a sign-in link is refused when it is forged, late, or opened by another site', async () => {
    const forged = await signInByLink('a'.repeat(43));
    expect([forged.status, forged.body.code]).toEqual([403, 'LINK_SPENT']);
    const token = await ownerToken(stack);
    const foreign = { ...pageHeaders(stack), 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    const elsewhere = await signInByLink(token, foreign);
    expect([elsewhere.status, elsewhere.body.code]).toEqual([403, 'FOREIGN_ORIGIN']);
    await database.query(`update oauth_records set expires_at = now() where kind = 'SignInLink'`);
    expect((await signInByLink(token)).body.code).toBe('LINK_SPENT');
  });

  test('a sign-in link signs in one of two browsers that open it at the same moment', async () => {
    const token = await ownerToken(stack);
    const answers = await Promise.all([1, 2, 3].map(() => signInByLink(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(2);
  });
});

describe('session', () => {
  let owner: BrowserUser;
  beforeEach(async () => {
    owner = await givenOwner(stack);
  });

  test('a session may do what a personal key of its user may, and no more', async () => {
    const created = await stack.post(
      '/api/v1/workflows',
      { workspaceId: stack.home.id, name: `by hand ${owner.sessionId}`, definition: pure },
      owner.headers,
    );
    expect(created.status).toBe(201);
    const theirs = await stack.givenWorkspace();
    const withKey = await stack.get(`/api/v1/workspaces/${theirs.id}`, owner.headers);
    expect(withKey.status).toBe(200);
    expect(withKey.headers.get('cache-control')).toBe('no-store');
    const unknown = await stack.get('/api/v1/workspaces/ws_00000000000000000000000000000000', owner.headers);
    expect(unknown.status).toBe(404);
  });

  test('a session has access where personal keys are switched off', async () => {
    const { id, key } = await stack.givenWorkspace();
    await stack.call(
      'PATCH',
      `/api/v1/workspaces/${id}`,
      { personalKeysAllowed: false },
      { 'x-api-key': key },
    );
    const again = await givenOwner(stack);
    expect((await stack.get(`/api/v1/workspaces/${id}/members`, again.headers)).status).toBe(200);
    const personal = await stack.get(`/api/v1/workspaces/${id}/members`, { 'x-api-key': stack.personalKey });
    expect(personal.body.code).toBe('PERSONAL_KEYS_DISABLED');
  });

  test.each([
    ['a change by another site', 'PATCH', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a change by a page of a sister site', 'PATCH', { 'sec-fetch-site': 'same-site' }],
    [
      'a change by an old browser with a foreign origin',
      'PATCH',
      { origin: 'https://evil.example', 'sec-fetch-site': undefined },
    ],
    ['a change without any origin', 'PATCH', { origin: undefined, 'sec-fetch-site': undefined }],
    ['a read by a script of another site', 'GET', { 'sec-fetch-site': 'cross-site' }],
  ])('a session does not permit %s', async (_, method, changed) => {
    const headers = Object.fromEntries(
      Object.entries({ ...owner.headers, ...changed }).filter(([, value]) => value !== undefined),
    ) as Record<string, string>;
    const answer = await stack.call(method, me, method === 'GET' ? undefined : { name: 'Mallory' }, headers);
    expect([answer.status, answer.body.code]).toEqual([403, 'FOREIGN_ORIGIN']);
    expect((await stack.get(me, owner.headers)).body.data.name).toBe('Admin');
  });

  test('a session ends at sign-out, and its cookie opens nothing afterwards', async () => {
    const out = await stack.post(`${me}/sign-out`, {}, owner.headers);
    expect(getCookie(out)).toBe('holdfast_session=');
    const after = await stack.get(me, owner.headers);
    expect([after.status, after.body.code]).toEqual([401, 'SESSION_ENDED']);
  });

  test('a session is listed with its place, and is ended by its user from another browser', async () => {
    const other = await givenOwner(stack);
    const { data } = (await stack.get(`${me}/sessions`, owner.headers)).body;
    expect(data).toContainEqual(
      expect.objectContaining({
        id: other.sessionId,
        method: 'link',
        browser: 'Chrome on Linux',
        current: false,
      }),
    );
    expect(
      (await stack.call('DELETE', `${me}/sessions/${other.sessionId}`, undefined, owner.headers)).status,
    ).toBe(200);
    expect((await stack.get(me, other.headers)).body.code).toBe('SESSION_ENDED');
    const third = await givenOwner(stack);
    await stack.call('DELETE', `${me}/sessions`, undefined, owner.headers);
    expect((await stack.get(me, third.headers)).status).toBe(401);
    expect((await stack.get(me, owner.headers)).status).toBe(200);
  });

  test('a session cannot be ended by another person', async () => {
    const { token } = (
      await stack.post(`/api/v1/workspaces/${stack.home.id}/invitations`, {
        email: 'stranger@example.org',
        role: 'viewer',
      })
    ).body.data;
    const stranger = toBrowserUser(
      stack,
      await stack.post('/api/v1/sign-in/invitation', { token }, pageHeaders(stack)),
    );
    const answer = await stack.call(
      'DELETE',
      `${me}/sessions/${owner.sessionId}`,
      undefined,
      stranger.headers,
    );
    expect(answer.status).toBe(404);
    expect((await stack.get(me, owner.headers)).status).toBe(200);
  });

  test('a session opens nothing when its cookie comes from another browser at another address, and the log says so', async () => {
    const stolen = { ...owner.headers, 'user-agent': safariOnMac, 'x-forwarded-for': '203.0.113.9' };
    const answer = await stack.get(me, stolen);
    expect([answer.status, answer.body.code]).toEqual([401, 'SESSION_MOVED']);
    expect((await stack.get(me, { ...owner.headers, 'x-forwarded-for': '203.0.113.9' })).status).toBe(200);
    await until(
      () => auditOf('session.refused'),
      (entries) => entries.length > 0,
    );
  });

  test('a session does not act for another person in a page that was opened before the sign-in', async () => {
    const answer = await stack.get(me, {
      ...owner.headers,
      'x-holdfast-user': 'usr_00000000000000000000000000000000',
    });
    expect([answer.status, answer.body.code]).toEqual([403, 'ANOTHER_USER']);
    expect((await stack.get(me, { ...owner.headers, 'x-holdfast-user': owner.userId })).status).toBe(200);
  });

  test('a session changes no key, member or secret after an hour without a new sign-in', async () => {
    await database.query(`update sessions set created_at = now() - interval '61 minutes' where id = $1`, [
      owner.sessionId,
    ]);
    const keys = `/api/v1/workspaces/${stack.home.id}/keys`;
    const refused = await until(
      () => stack.post(keys, { name: `late ${owner.sessionId}` }, owner.headers),
      ({ status }) => status === 403,
    );
    expect(refused.body.code).toBe('SIGN_IN_AGAIN');
    const secret = `/api/v1/workspaces/${stack.home.id}/secrets/TOKEN`;
    expect((await stack.call('PUT', secret, { value: 'x' }, owner.headers)).body.code).toBe('SIGN_IN_AGAIN');
    expect((await stack.get(keys, owner.headers)).status).toBe(200);
    const renewed = toBrowserUser(stack, await signInByLink(await ownerToken(stack), owner.headers));
    expect((await stack.post(keys, { name: `soon ${owner.sessionId}` }, renewed.headers)).status).toBe(201);
    expect((await stack.get(me, owner.headers)).body.code).toBe('SESSION_ENDED');
  });

  test('a session ends after the time without a use, and after its longest time', async () => {
    await database.query(`update sessions set last_used_at = now() - interval '73 hours' where id = $1`, [
      owner.sessionId,
    ]);
    await until(
      () => stack.get(me, owner.headers),
      ({ body }) => body.code === 'SESSION_ENDED',
    );
    const other = await givenOwner(stack);
    await database.query(`update sessions set expires_at = now() where id = $1`, [other.sessionId]);
    await until(
      () => stack.get(me, other.headers),
      ({ body }) => body.code === 'SESSION_ENDED',
    );
  });
});

describe('link by mail', () => {
  const ask = (email: string, headers = pageHeaders(stack)) =>
    stack.post('/api/v1/sign-in/mail', { email }, headers);
  /** The headers of the browser that has asked. */
  const askedIn = (answer: Answer) => ({
    ...pageHeaders(stack),
    cookie: getCookie(answer, 'holdfast_mail_link'),
  });
  const linkTo = async (email: string) => {
    const [letter] = await until(
      async () => mailbox.to(email),
      (letters) => letters.length > 0,
    );
    return parseToken(/http\S+/.exec(letter?.text ?? '')?.[0] ?? 'http://none/');
  };

  test('a link by mail signs in an invited person, who becomes a member with a proven address', async () => {
    const email = 'invited@example.org';
    await stack.post(`/api/v1/workspaces/${stack.home.id}/invitations`, { email, role: 'editor' });
    const asked = await ask(email);
    expect(asked.status).toBe(200);
    const user = toBrowserUser(stack, await signInByLink(await linkTo(email), askedIn(asked)));
    const { data } = (await stack.get(me, user.headers)).body;
    expect(data).toMatchObject({
      email,
      emailProven: true,
      workspaces: [{ id: stack.home.id, role: 'editor' }],
    });
  });

  test('a link by mail signs in another browser than the one that asked only after a question that names the account', async () => {
    const email = 'asked@example.org';
    await stack.post(`/api/v1/workspaces/${stack.home.id}/invitations`, { email, role: 'viewer' });
    const asked = await ask(email);
    expect(asked.headers.getSetCookie().join()).toMatch(/^holdfast_mail_link=[\w-]{43}; .*HttpOnly/);
    const token = await linkTo(email);
    const foreign = askedIn(await ask('nobody@example.org'));
    for (const headers of [pageHeaders(stack), foreign]) {
      const refused = await signInByLink(token, headers);
      expect([refused.status, refused.body.code]).toEqual([409, 'CONFIRM_SIGN_IN']);
      expect(refused.body.error).toContain(email);
      expect(refused.headers.getSetCookie()).toEqual([]);
    }
    const confirmed = await stack.post(
      '/api/v1/sign-in/link',
      { token, confirmed: true },
      pageHeaders(stack),
    );
    expect((await stack.get(me, toBrowserUser(stack, confirmed).headers)).body.data.email).toBe(email);
  });

  test.each(['a link by mail', 'a link of the operator'])(
    'where another person has signed in, %s asks first, and changes no session',
    async (way) => {
      const other = await givenSignedIn(stack, 'viewer');
      const email = `${way.replaceAll(' ', '-')}@example.org`;
      await stack.post(`/api/v1/workspaces/${stack.home.id}/invitations`, { email, role: 'viewer' });
      const asked = await ask(email, other.headers);
      const cookie = `${other.headers['cookie']}; ${getCookie(asked, 'holdfast_mail_link')}`;
      const token = way === 'a link by mail' ? await linkTo(email) : await ownerToken(stack);
      const refused = await signInByLink(token, { ...other.headers, cookie });
      expect([refused.status, refused.body.code]).toEqual([409, 'CONFIRM_SIGN_IN']);
      expect(refused.body.error).toMatch(/another person has signed in/);
      expect((await stack.get(me, other.headers)).status).toBe(200);
      const headers = { ...other.headers, cookie };
      expect((await stack.post('/api/v1/sign-in/link', { token, confirmed: true }, headers)).status).toBe(
        200,
      );
    },
  );

  test('a link by mail is not sent to an address that nobody knows, and the answer does not tell', async () => {
    const [known, unknown] = await Promise.all([ask('invited@example.org'), ask('nobody@example.org')]);
    expect(unknown.body).toEqual(known.body);
    await until(
      async () => mailbox.to('invited@example.org'),
      (letters) => letters.length > 1,
    );
    expect(mailbox.to('nobody@example.org')).toEqual([]);
  });

  test('a link by mail is sent to one address five times in an hour at most', async () => {
    const email = 'often@example.org';
    await stack.post(`/api/v1/workspaces/${stack.home.id}/invitations`, { email, role: 'viewer' });
    for (let i = 0; i < 7; i++) await ask(email);
    await ask('invited@example.org');
    await until(
      async () => mailbox.to('invited@example.org'),
      (letters) => letters.length > 2,
    );
    expect(mailbox.to(email).length).toBeLessThanOrEqual(5);
  });

  test('a link by mail takes an account from a person who held it before its address was proven', async () => {
    const email = 'victim@example.org';
    const invitations = `/api/v1/workspaces/${stack.home.id}/invitations`;
    const { token } = (await stack.post(invitations, { email, role: 'viewer' })).body.data;
    const squatter = toBrowserUser(
      stack,
      await stack.post('/api/v1/sign-in/invitation', { token }, pageHeaders(stack)),
    );
    const { key } = (await stack.post(`${me}/keys`, { name: 'kept' }, squatter.headers)).body.data;
    const asked = await ask(email);
    const victim = toBrowserUser(stack, await signInByLink(await linkTo(email), askedIn(asked)));
    expect(victim.userId).toBe(squatter.userId);
    const withKey = await until(
      () => stack.get(me, { 'x-api-key': key }),
      ({ status }) => status === 401,
    );
    expect(withKey.status).toBe(401);
    expect((await stack.get(me, squatter.headers)).status).toBe(401);
    expect((await stack.get(me, victim.headers)).status).toBe(200);
  });
});

describe('invitation', () => {
  test('an invitation signs in a new person without a key', async () => {
    const invitations = `/api/v1/workspaces/${stack.home.id}/invitations`;
    const { token } = (await stack.post(invitations, { email: 'new@example.org', role: 'viewer' })).body.data;
    const user = toBrowserUser(
      stack,
      await stack.post('/api/v1/sign-in/invitation', { token }, pageHeaders(stack)),
    );
    expect((await stack.get(`${me}/keys`, user.headers)).body.data).toEqual([]);
    expect((await stack.get(me, user.headers)).body.data.emailProven).toBe(false);
    const denied = await stack.post(
      '/api/v1/workflows',
      { workspaceId: stack.home.id, name: 'n', definition: pure },
      user.headers,
    );
    expect(denied.status).toBe(403);
  });
});

describe('files of the console', () => {
  test('the files of the console come packed, with a policy that lets nothing foreign run', async () => {
    const page = await fetch(`${stack.url}/console/w/some/address?of=it`);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect([page.status, policy.includes('unsafe')]).toEqual([200, false]);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self' 'sha256-/);
    const [, file = ''] = /"(\/console\/_app\/immutable\/[^"]+\.js)"/.exec(await page.text()) ?? [];
    const script = await fetch(stack.url + file, { headers: { 'accept-encoding': 'gzip' } });
    expect([script.status, script.headers.get('content-encoding')]).toEqual([200, 'gzip']);
    expect(script.headers.get('cache-control')).toContain('immutable');
  });

  test('the files of the console include no file from outside of the console', async () => {
    for (const path of [
      '/console/..%2f..%2fpackage.json',
      '/console/%2e%2e/main.js',
      '/console/.git/config',
    ]) {
      const text = await (await fetch(stack.url + path)).text();
      expect([path, /"dependencies"|\[core\]/.test(text)]).toEqual([path, false]);
    }
    expect((await fetch(`${stack.url}/console/`, { method: 'POST' })).status).toBe(405);
  });
});
