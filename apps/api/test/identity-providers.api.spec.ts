import { browse, IdentityProviderServer } from './support/identity-provider.ts';
import { givenOwner, pageHeaders } from './support/sessions.ts';
import { Stack, until } from './support/stack.ts';

let stack: Stack;
let provider: IdentityProviderServer;
beforeAll(async () => {
  // The provider and the client know each other's address, so the port is chosen first.
  stack = await Stack.startPublic({}, { worker: false });
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
  await stack.stop();
  await provider.stop();
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

test('somebody who has signed in links an identity, which signs them in from then on', async () => {
  const owner = await givenOwner(stack);
  provider.people.set('boss', { email: 'boss@private.example' });
  provider.signInAs('boss');
  const jar = new Map([['holdfast_session', owner.headers['cookie']?.split('=')[1] ?? '']]);
  const linking = await fetch(`${start()}?link=1`, {
    redirect: 'manual',
    headers: { ...owner.headers, 'sec-fetch-site': 'same-origin' },
  });
  const binding = linking.headers.getSetCookie()[0]?.split(';')[0]?.split('=') ?? [];
  jar.set(binding[0] ?? '', binding[1] ?? '');
  await browse(linking.headers.get('location') ?? '', home(), jar);
  expect((await meOf((await signIn('boss')).jar)).id).toBe(owner.userId);
});

test('a sign-in leads only to a page of the console', async () => {
  for (const returnTo of [
    'https://evil.example',
    '//evil.example',
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
