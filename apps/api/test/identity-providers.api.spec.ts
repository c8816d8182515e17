import pg from 'pg';
import { signInMethods } from '#libs/workspace/auth/sessions';
import { Authenticator } from './support/authenticator.ts';
import { browse, IdentityProviderServer } from './support/identity-provider.ts';
import { approval } from './support/definitions.ts';
import { Mailbox } from './support/mailbox.ts';
import {
  type BrowserUser,
  toBrowserUser,
  getCookie,
  givenOwner,
  givenSignedIn,
  growOld,
  ownerToken,
  pageHeaders,
  parseToken,
} from './support/sessions.ts';
import { submit } from './support/people.ts';
import { Stack, until } from './support/stack.ts';

let stack: Stack;
let provider: IdentityProviderServer;
let mailbox: Mailbox;
let database: pg.Client;
beforeAll(async () => {
  mailbox = await Mailbox.start();
  // The provider and the client know each other's address, so the port is chosen first.
  stack = await Stack.startPublic(
    { SMTP_URL: mailbox.url, MAIL_FROM: 'holdfast@example.org' },
    { worker: false },
  );
  database = new pg.Client({ connectionString: stack.env['DATABASE_URL'] });
  await database.connect();
  provider = await IdentityProviderServer.start(`${stack.url}/api/v1/sign-in/providers/corp/callback`);
  await stack.api.kill('SIGTERM');
  const join = [
    { workspaceId: stack.home.id, role: 'viewer', domain: 'example.com' },
    { workspaceId: stack.home.id, role: 'editor', group: 'builders' },
    { workspaceId: stack.home.id, role: 'admin', group: 'ops' },
  ];
  await stack.startApi({
    OIDC_PROVIDERS: JSON.stringify([{ ...provider.entry(join), scope: 'openid email profile groups' }]),
  });
});
afterAll(async () => {
  await database.end();
  await stack.stop();
  await provider.stop();
  await mailbox.stop();
});

const start = () => `${stack.url}/api/v1/sign-in/providers/corp`;
const home = () => `${stack.url}/console`;
const callback = () => `${stack.url}/api/v1/sign-in/providers/corp/callback`;
const headersOf = (jar: Map<string, string>) => ({
  ...pageHeaders(stack),
  cookie: `holdfast_session=${jar.get('holdfast_session') ?? ''}`,
});
const meOf = async (jar: Map<string, string>) =>
  (await stack.get('/api/v1/users/me', headersOf(jar))).body.data;

/** Signs in at the provider; gives the cookies of the browser and where it ends. */
async function signIn(subject: string, jar?: Map<string, string>) {
  provider.signInAs(subject);
  return browse(start(), home(), jar);
}

test('a person of an allowed domain becomes a member, and later sign-ins find the same account', async () => {
  provider.people.set('ann', { email: 'ann@example.com', name: 'Ann' });
  const first = await signIn('ann');
  expect(first.url).toBe(`${stack.url}/console`);
  const ann = await meOf(first.jar);
  expect(ann).toMatchObject({ email: 'ann@example.com', name: 'Ann', emailProven: true });
  expect(ann.workspaces).toMatchObject([{ id: stack.home.id, role: 'viewer' }]);
  provider.people.set('ann', { email: 'ann.changed@elsewhere.example', name: 'Ann' });
  expect((await meOf((await signIn('ann')).jar)).id).toBe(ann.id);
});

test('groups at the provider give the role, raise it, and take the membership away', async () => {
  const role = async (jar: Map<string, string>) => (await meOf(jar)).workspaces[0]?.role;
  provider.people.set('bob', { email: 'bob@other.example', groups: ['builders'] });
  expect(await role((await signIn('bob')).jar)).toBe('editor');
  provider.people.set('bob', { email: 'bob@other.example', groups: ['builders', 'ops'] });
  expect(await role((await signIn('bob')).jar)).toBe('admin');
  provider.people.set('bob', { email: 'bob@other.example', groups: [] });
  expect((await meOf((await signIn('bob')).jar)).workspaces).toEqual([]);
});

test.each([
  ['without an invitation', { email: 'eve@elsewhere.example' }, 'NOT_INVITED'],
  [
    'with an address that is not verified',
    { email: 'eve@example.com', emailVerified: false },
    'ADDRESS_NOT_VERIFIED',
  ],
])('a person %s does not get in', async (name, person, fault) => {
  provider.people.set(name, person);
  const { url, jar } = await signIn(name);
  expect(url).toBe(`${stack.url}/console/sign-in?fault=${fault}`);
  expect(jar.has('holdfast_session')).toBe(false);
});

test('an invited person joins the workspace of the invitation', async () => {
  const email = 'invited@elsewhere.example';
  await stack.post(`/api/v1/workspaces/${stack.home.id}/invitations`, { email, role: 'editor' });
  provider.people.set('invited', { email });
  const me = await meOf((await signIn('invited')).jar);
  expect(me.workspaces).toMatchObject([{ id: stack.home.id, role: 'editor' }]);
});

test('a person who was removed at the provider cannot sign in again', async () => {
  provider.people.set('leaver', { email: 'leaver@example.com' });
  await signIn('leaver');
  provider.people.delete('leaver');
  expect((await signIn('leaver')).url).toBe(`${stack.url}/console/sign-in?fault=SIGN_IN_REFUSED`);
});

test('an answer of the provider works once, in the browser that began it, and not when it is forged', async () => {
  provider.people.set('ann', { email: 'ann@example.com' });
  provider.signInAs('ann');
  const jar = new Map<string, string>();
  const { url } = await browse(start(), callback(), jar);
  const ended = `${stack.url}/console/sign-in?fault=SIGN_IN_ENDED`;
  const forged = new URL(url);
  forged.searchParams.set('state', 'a'.repeat(43));
  expect((await browse(forged.href, home(), new Map(jar))).url).toBe(ended);
  const other = await browse(url, home(), new Map());
  expect([other.url, other.jar.has('holdfast_session')]).toEqual([ended, false]);
  // The first browser that brings the state uses it up.
  expect((await browse(url, home(), new Map(jar))).url).toBe(ended);
});

test('a code of the provider that was changed or used before signs nobody in', async () => {
  provider.signInAs('ann');
  const jar = new Map<string, string>();
  const { url } = await browse(start(), callback(), jar);
  const changed = new URL(url);
  changed.searchParams.set('code', 'another');
  const refused = await browse(changed.href, home(), jar);
  expect([refused.url, refused.jar.has('holdfast_session')]).toEqual([
    `${stack.url}/console/sign-in?fault=SIGN_IN_REFUSED`,
    false,
  ]);
});

/** Begins to link an identity to the account of a browser; `finish` brings the answer of the provider, and gives where it leads. */
async function startLinking({ headers }: BrowserUser, subject: string) {
  provider.people.set(subject, { email: `${subject}@private.example` });
  provider.signInAs(subject);
  const begun = await fetch(`${start()}?link=1`, { redirect: 'manual', headers });
  const [cookie = '', session = ''] = [begun.headers.getSetCookie()[0]?.split(';')[0], headers['cookie']];
  const jar = new Map([cookie, session].map((one) => [one.split('=')[0] ?? '', one.split('=')[1] ?? '']));
  const finish = async () => (await browse(begun.headers.get('location') ?? '', home(), jar)).url;
  return { status: begun.status, jar, finish };
}

const identities = '/api/v1/users/me/identities';
const passkeys = '/api/v1/users/me/passkeys';
const ownKeys = '/api/v1/users/me/keys';

async function givenPasskey({ headers }: BrowserUser): Promise<Authenticator> {
  const authenticator = new Authenticator(stack.url);
  const { options } = (await stack.post(`${passkeys}/options`, {}, headers)).body.data;
  const response = authenticator.createPasskey(options);
  expect((await stack.post(passkeys, { name: 'Laptop', response }, headers)).status).toBe(201);
  return authenticator;
}

/** The newest mail to an address that has these words, once there is one. */
async function mailTo(address: string, words: string): Promise<string> {
  const texts = await until(
    async () => mailbox.to(address).map(({ text }) => text.replace(/\s+/g, ' ')),
    (found) => found.some((text) => text.includes(words)),
  );
  return texts.findLast((text) => text.includes(words)) ?? '';
}

test('each way to sign in that is added or removed is told by mail, where mails are sent', async () => {
  const person = await givenSignedIn(stack, 'viewer', 'told@example.org');
  await givenPasskey(person);
  await mailTo('told@example.org', 'the passkey "Laptop" was added');
  const [{ id }] = (await stack.get(passkeys, person.headers)).body.data;
  // A link by mail is left as a way in.
  expect((await stack.call('DELETE', `${passkeys}/${id}`, undefined, person.headers)).status).toBe(200);
  await mailTo('told@example.org', 'a sign-in by a passkey was removed');
});

describe('identity', () => {
  test('an identity is linked by a person who signed in lately, is told by mail, listed, and signs the person in', async () => {
    const person = await givenSignedIn(stack, 'editor', 'links@example.org');
    const linking = await startLinking(person, 'boss');
    await linking.finish();
    // The linking begins no session.
    expect(linking.jar.get('holdfast_session')).toBe(person.headers['cookie']?.split('=')[1]);
    await mailTo('links@example.org', 'Example Corp was added');
    const { data } = (await stack.get(identities, person.headers)).body;
    expect(data).toEqual([
      expect.objectContaining({
        provider: 'corp',
        providerName: 'Example Corp',
        email: 'boss@private.example',
      }),
    ]);
    expect((await meOf((await signIn('boss')).jar)).id).toBe(person.userId);
  });

  test('an identity signs nobody in after it is unlinked by its person', async () => {
    const [person, stranger] = [await givenSignedIn(stack, 'viewer'), await givenSignedIn(stack, 'viewer')];
    await (await startLinking(person, 'former')).finish();
    const [{ id }] = (await stack.get(identities, person.headers)).body.data;
    const foreign = await stack.call('DELETE', `${identities}/${id}`, undefined, stranger.headers);
    expect(foreign.status).toBe(404);
    expect((await stack.call('DELETE', `${identities}/${id}`, undefined, person.headers)).status).toBe(200);
    expect((await stack.get(identities, person.headers)).body.data).toEqual([]);
    expect((await signIn('former')).url).toBe(`${stack.url}/console/sign-in?fault=NOT_INVITED`);
  });

  test('an identity is linked neither by an old sign-in, nor by one that grows old meanwhile, nor for another person', async () => {
    const person = await givenSignedIn(stack, 'viewer');
    const meanwhile = await startLinking(person, 'meanwhile');
    const swapped = await startLinking(person, 'swapped');
    swapped.jar.set('holdfast_session', (await givenOwner(stack)).headers['cookie']?.split('=')[1] ?? '');
    expect(await swapped.finish()).toBe(`${stack.url}/console/sign-in?fault=SIGN_IN_ENDED`);
    await growOld(stack, person);
    expect((await startLinking(person, 'late')).status).toBe(403);
    provider.signInAs('meanwhile');
    expect(await meanwhile.finish()).toBe(`${stack.url}/console/sign-in?fault=SIGN_IN_AGAIN`);
    expect((await stack.get(identities, person.headers)).body.data).toEqual([]);
  });
});

/** Each way in which a person with an old session gets another one, or keeps it; gives the session that the browser has then. */
const renewals: Record<(typeof signInMethods)[number], (person: BrowserUser) => Promise<BrowserUser>> = {
  async link({ headers }) {
    const token = await ownerToken(stack);
    return toBrowserUser(
      stack,
      await stack.post('/api/v1/sign-in/link', { token, confirmed: true }, headers),
    );
  },
  async mail({ headers }) {
    const { email } = (await stack.get('/api/v1/users/me', headers)).body.data;
    const asked = await stack.post('/api/v1/sign-in/mail', { email }, headers);
    const cookie = `${headers['cookie']}; ${getCookie(asked, 'holdfast_mail_link')}`;
    const token = parseToken(/http\S+/.exec(await mailTo(email, '#token='))?.[0] ?? 'http://none/');
    return toBrowserUser(stack, await stack.post('/api/v1/sign-in/link', { token }, { ...headers, cookie }));
  },
  async oidc(person) {
    const jar = new Map([['holdfast_session', person.headers['cookie']?.split('=')[1] ?? '']]);
    await signIn(`linked-${person.userId}`, jar);
    return { ...person, headers: headersOf(jar) };
  },
  async passkey({ headers, userId }) {
    const { options } = (await stack.post('/api/v1/sign-in/passkey/options', {}, headers)).body.data;
    const response = authenticators.get(userId)?.signIn(options);
    return toBrowserUser(stack, await stack.post('/api/v1/sign-in/passkey', { response }, headers));
  },
  async invitation({ headers }) {
    const { email } = (await stack.get('/api/v1/users/me', headers)).body.data;
    const elsewhere = await stack.givenWorkspace();
    const path = `/api/v1/workspaces/${elsewhere.id}/invitations`;
    const invited = await stack.post(path, { email, role: 'viewer' }, { 'x-api-key': elsewhere.key });
    const { token } = invited.body.data;
    return toBrowserUser(stack, await stack.post('/api/v1/sign-in/invitation', { token }, headers));
  },
};
const authenticators = new Map<string, Authenticator>();

test.each(signInMethods)('an old sign-in is renewed by a proof of the person alone: %s', async (method) => {
  const person = await givenSignedIn(stack, 'admin');
  await (await startLinking(person, `linked-${person.userId}`)).finish();
  authenticators.set(person.userId, await givenPasskey(person));
  await growOld(stack, person);
  const renewed = await renewals[method](person);
  const changed = await stack.post(ownKeys, { name: 'renewed' }, renewed.headers);
  expect([method, changed.status, changed.body.code]).toEqual(
    method === 'invitation' ? [method, 403, 'SIGN_IN_AGAIN'] : [method, 201, undefined],
  );
  const { createdAt } = (await stack.get('/api/v1/users/me', renewed.headers)).body.data.session;
  expect(Date.now() - Date.parse(createdAt) > 3_600_000).toBe(method === 'invitation');
});

test('a membership that a provider gave holds while the provider vouches for the person, whatever the credential', async () => {
  provider.people.set('mover', { email: 'mover@other.example', groups: ['ops'] });
  const { jar } = await signIn('mover');
  const { id, session } = await meOf(jar);
  const person = { userId: id, sessionId: session.id, headers: headersOf(jar) };
  const authenticator = await givenPasskey(person);
  const key = (await stack.post(ownKeys, { name: 'script' }, person.headers)).body.data.key;
  const paused = await stack.givenPaused(await stack.givenDeployed(approval), { amount: 7 });
  const inbox = await stack.get(`/api/v1/inbox?workspaceId=${stack.home.id}`, { 'x-api-key': key });
  const link = inbox.body.data[0].resumeLinks.uiUrl;
  expect(link).toContain(`as=${id}`);
  expect((await submit(stack, link, { note: 'incomplete' })).status).toBe(400);
  await database.query(
    `update identities set last_used_at = now() - interval '13 hours' where user_id = $1`,
    [id],
  );
  const byPasskey = async () => {
    const { options } = (await stack.post('/api/v1/sign-in/passkey/options', {}, pageHeaders(stack))).body
      .data;
    const response = authenticator.signIn(options);
    return toBrowserUser(
      stack,
      await stack.post('/api/v1/sign-in/passkey', { response }, pageHeaders(stack)),
    );
  };
  const byMail = async () => renewals.mail(await byPasskey());
  expect((await submit(stack, link, { approved: 'true' })).status).toBe(403);
  const job = await stack.get(`/api/jobs/job_${paused.executionId.slice(5)}`);
  expect(job.body.status).toBe('processing');
  const members = `/api/v1/workspaces/${stack.home.id}/members`;
  for (const headers of [
    person.headers,
    (await byPasskey()).headers,
    (await byMail()).headers,
    { 'x-api-key': key },
  ])
    for (const path of [members, '/api/v1/workflows', '/api/v1/logs']) {
      const answer = await stack.get(path, headers);
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'SIGN_IN_BY_PROVIDER']);
      expect(answer.body.error).toContain('Sign in by Example Corp.');
    }
  const { workspaces } = (await stack.get('/api/v1/users/me', { 'x-api-key': key })).body.data;
  expect(workspaces).toMatchObject([{ id: stack.home.id, awaitsProvider: 'Example Corp' }]);
  await signIn('mover');
  expect((await stack.get(members, { 'x-api-key': key })).status).toBe(200);
});

describe('a credential makes none that reaches further or lives longer', () => {
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const later = new Date(Date.now() + 7_200_000).toISOString();
  const callers = {
    'a session': async () => (await givenSignedIn(stack, 'admin')).headers,
    'an old session': async () => {
      const person = await givenSignedIn(stack, 'admin');
      await growOld(stack, person);
      return person.headers;
    },
    'a personal key': async () => {
      const { headers } = await givenSignedIn(stack, 'admin');
      return { 'x-api-key': (await stack.post(ownKeys, { name: 'one' }, headers)).body.data.key };
    },
    'a personal key that expires': async () => {
      const { headers } = await givenSignedIn(stack, 'admin');
      const body = { name: 'one', expiresAt: soon };
      return { 'x-api-key': (await stack.post(ownKeys, body, headers)).body.data.key };
    },
    'a key of the workspace that expires': async () => {
      const body = { name: `one ${Math.random()}`, role: 'admin', expiresAt: soon };
      return { 'x-api-key': (await stack.post(workspaceKeys(), body)).body.data.key };
    },
  };
  const workspaceKeys = () => `/api/v1/workspaces/${stack.home.id}/keys`;
  let count = 0;
  const keyBy = async (path: string, headers: Record<string, string>, expiresAt?: string) => {
    const { body } = await stack.post(
      path,
      { name: `made ${count++}`, role: path === ownKeys ? undefined : 'admin', expiresAt },
      headers,
    );
    return body.code === undefined ? body.data.expiresAt : (body.details?.[0]?.path ?? body.code);
  };
  const things: Record<string, (headers: Record<string, string>) => Promise<unknown>> = {
    'a personal key': (headers) => keyBy(ownKeys, headers),
    'a later personal key': (headers) => keyBy(ownKeys, headers, later),
    'a key of the workspace': (headers) => keyBy(workspaceKeys(), headers),
    'a later key of the workspace': (headers) => keyBy(workspaceKeys(), headers, later),
    'an invitation': async (headers) => {
      const person = { email: `invited-${count++}@example.org`, role: 'viewer' };
      const { body } = await stack.post(`/api/v1/workspaces/${stack.home.id}/invitations`, person, headers);
      return body.code ?? (body.data.expiresAt === soon ? soon : 'a week');
    },
    'a passkey': async (headers) =>
      (await stack.post(`${passkeys}/options`, {}, headers)).body.code ?? 'made',
    'an identity': async (headers) =>
      (await fetch(`${start()}?link=1`, { redirect: 'manual', headers })).status === 303 ? 'made' : 'refused',
  };

  test.each<[keyof typeof callers, unknown[]]>([
    ['a session', [null, later, null, later, 'a week', 'made', 'made']],
    ['an old session', [...Array<string>(6).fill('SIGN_IN_AGAIN'), 'refused']],
    ['a personal key', [null, later, null, later, 'a week', 'SESSION_NEEDED', 'refused']],
    [
      'a personal key that expires',
      [soon, 'expiresAt', soon, 'expiresAt', soon, 'SESSION_NEEDED', 'refused'],
    ],
    [
      'a key of the workspace that expires',
      ['PERSONAL_KEY_NEEDED', 'PERSONAL_KEY_NEEDED', soon, 'expiresAt', soon, 'SESSION_NEEDED', 'refused'],
    ],
  ])('%s', async (kind, expected) => {
    const headers = await callers[kind]();
    const found: unknown[] = [];
    for (const make of Object.values(things)) found.push(await make(headers));
    expect(found).toEqual(expected);
  });
});

test('a sign-in leads only to a page of the console', async () => {
  for (const returnTo of [
    'https://evil.example',
    '//evil.example',
    '/console/..//evil.example',
    '/console/../../evil',
    '/api',
    '/oauth/consent/../token',
  ]) {
    const answer = await fetch(`${start()}?returnTo=${encodeURIComponent(returnTo)}`, { redirect: 'manual' });
    expect([returnTo, answer.status]).toEqual([returnTo, 400]);
  }
});

test('a sign-in says that its provider is away, and works when the provider is back', async () => {
  const answer = await fetch(`${stack.url}/api/v1/sign-in/providers/none`, { redirect: 'manual' });
  expect(answer.status).toBe(404);
  await until(
    async () => (await stack.get('/api/v1/sign-in')).body.data.providers,
    (providers) => providers.length === 1,
  );
});
