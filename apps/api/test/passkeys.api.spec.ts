import { Authenticator } from './support/authenticator.ts';
import {
  type BrowserUser,
  toBrowserUser,
  givenOwner,
  givenSignedIn,
  growOld,
  pageHeaders,
} from './support/sessions.ts';
import { Stack } from './support/stack.ts';

let stack: Stack;
let owner: BrowserUser;
beforeAll(async () => {
  stack = await Stack.shared();
  owner = await givenOwner(stack);
});
afterAll(() => stack.stop());

const passkeys = '/api/v1/users/me/passkeys';
const creationOptions = async ({ headers } = owner) =>
  (await stack.post(`${passkeys}/options`, {}, headers)).body.data.options;
const requestOptions = async () =>
  (await stack.post('/api/v1/sign-in/passkey/options', {}, pageHeaders(stack))).body.data.options;
const keep = (response: object, { headers } = owner) =>
  stack.post(passkeys, { name: 'Laptop', response }, headers);
const remove = (id: string, { headers } = owner) =>
  stack.call('DELETE', `${passkeys}/${id}`, undefined, headers);
const signIn = (response: object) => stack.post('/api/v1/sign-in/passkey', { response }, pageHeaders(stack));

async function givenPasskey(person = owner): Promise<{ authenticator: Authenticator; id: string }> {
  const authenticator = new Authenticator(stack.url);
  const made = await keep(authenticator.createPasskey(await creationOptions(person)), person);
  expect(made.status).toBe(201);
  return { authenticator, id: made.body.data.id };
}

test('a passkey signs in the person who made it, without a name or a mail', async () => {
  const { authenticator } = await givenPasskey();
  const user = toBrowserUser(stack, await signIn(authenticator.signIn(await requestOptions())));
  expect(user.userId).toBe(owner.userId);
  const [passkey] = (await stack.get(passkeys, user.headers)).body.data;
  expect(passkey.lastUsedAt).not.toBeNull();
});

test('an answer of a passkey works once', async () => {
  const { authenticator } = await givenPasskey();
  const answer = authenticator.signIn(await requestOptions());
  expect((await signIn(answer)).status).toBe(200);
  const again = await signIn(answer);
  expect([again.status, again.body.details[0]]).toEqual([
    400,
    { path: 'response', message: 'answers no open challenge; begin again', code: 'challenge' },
  ]);
});

test('an answer that a page of another site collected signs nobody in', async () => {
  const options = await creationOptions();
  const elsewhere = new Authenticator('https://evil.example');
  expect((await keep(elsewhere.createPasskey(options))).body.details[0].code).toBe('signature');
  const { authenticator } = await givenPasskey();
  const wrongDomain = { ...(await requestOptions()), rpId: 'evil.example' };
  expect((await signIn(authenticator.signIn(wrongDomain))).body.details[0].code).toBe('signature');
});

test('an answer with the signature of another key is refused', async () => {
  const { authenticator } = await givenPasskey();
  const stranger = new Authenticator(stack.url);
  const forged = { ...stranger.signIn(await requestOptions()), id: authenticator.id.toString('base64url') };
  expect((await signIn(forged)).status).toBe(400);
});

test('a passkey that nobody has made here, or that was deleted, signs nobody in', async () => {
  const unknown = await signIn(new Authenticator(stack.url).signIn(await requestOptions()));
  expect([unknown.status, unknown.body.code]).toEqual([403, 'PASSKEY_UNKNOWN']);
  await givenPasskey();
  const { authenticator, id } = await givenPasskey();
  expect((await remove(id)).status).toBe(200);
  const deleted = await signIn(authenticator.signIn(await requestOptions()));
  expect(deleted.body.code).toBe('PASSKEY_UNKNOWN');
});

test('the challenge of a sign-in makes no passkey, and the challenge of a person makes none for another person', async () => {
  const authenticator = new Authenticator(stack.url);
  const forSignIn = { ...(await creationOptions()), challenge: (await requestOptions()).challenge };
  expect((await keep(authenticator.createPasskey(forSignIn))).body.details[0].code).toBe('challenge');
});

test.each([
  ['nothing', {}],
  ['a text as client data', { response: { clientDataJSON: 'no json' } }],
  [
    'a challenge that is a number',
    { response: { clientDataJSON: Buffer.from('{"challenge":1}').toString('base64url') } },
  ],
])('an answer with %s is refused with 400', async (_, response) => {
  expect((await signIn(response)).status).toBe(400);
});

describe('where no mail is sent', () => {
  test('the last passkey cannot be deleted, and the refusal says what to do', async () => {
    const person = await givenSignedIn(stack, 'viewer');
    const [first, second] = [await givenPasskey(person), await givenPasskey(person)];
    expect((await remove(first.id, person)).status).toBe(200);
    const refused = await remove(second.id, person);
    expect([refused.status, refused.body.code]).toEqual([409, 'LAST_WAY_IN']);
    expect(refused.body.error).toContain('Make another passkey first');
    expect((await stack.get(passkeys, person.headers)).body.data).toHaveLength(1);
  });

  test('a person without any way in makes the first passkey late, in the session of the link, and signs in by it', async () => {
    const person = await givenSignedIn(stack, 'admin');
    await growOld(stack, person);
    expect((await stack.get('/api/v1/users/me', person.headers)).body.data.ways).toEqual({
      passkey: false,
      mail: false,
      providers: [],
    });
    const { authenticator } = await givenPasskey(person);
    // The passkey is made, and the old sign-in is still old.
    const invitations = `/api/v1/workspaces/${stack.home.id}/invitations`;
    const invite = (headers: Record<string, string>) =>
      stack.post(invitations, { email: `${person.userId}@example.org`, role: 'viewer' }, headers);
    expect((await invite(person.headers)).body.code).toBe('SIGN_IN_AGAIN');
    const second = await stack.post(`${passkeys}/options`, {}, person.headers);
    expect([second.status, second.body.code]).toEqual([403, 'SIGN_IN_AGAIN']);
    const renewed = toBrowserUser(stack, await signIn(authenticator.signIn(await requestOptions())));
    expect((await invite(renewed.headers)).status).toBe(201);
  });

  test('an old session that a passkey has begun makes no passkey', async () => {
    const person = await givenSignedIn(stack, 'viewer');
    const { authenticator } = await givenPasskey(person);
    const renewed = toBrowserUser(stack, await signIn(authenticator.signIn(await requestOptions())));
    await growOld(stack, renewed);
    const refused = await stack.post(`${passkeys}/options`, {}, renewed.headers);
    expect([refused.status, refused.body.code]).toEqual([403, 'SIGN_IN_AGAIN']);
  });
});
