import { Authenticator } from './support/authenticator.ts';
import { type BrowserUser, browserUserOf, givenOwner, pageHeaders } from './support/sessions.ts';
import { Stack } from './support/stack.ts';

let stack: Stack;
let owner: BrowserUser;
beforeAll(async () => {
  stack = await Stack.startPublic({}, { worker: false });
  owner = await givenOwner(stack);
});
afterAll(() => stack.stop());

const passkeys = '/api/v1/users/me/passkeys';
const creationOptions = async () =>
  (await stack.post(`${passkeys}/options`, {}, owner.headers)).body.data.options;
const requestOptions = async () =>
  (await stack.post('/api/v1/sign-in/passkey/options', {}, pageHeaders(stack))).body.data.options;
const keep = (response: object) => stack.post(passkeys, { name: 'Laptop', response }, owner.headers);
const signIn = (response: object) => stack.post('/api/v1/sign-in/passkey', { response }, pageHeaders(stack));

async function givenPasskey(): Promise<{ authenticator: Authenticator; id: string }> {
  const authenticator = new Authenticator(stack.url);
  const made = await keep(authenticator.createPasskey(await creationOptions()));
  expect(made.status).toBe(201);
  return { authenticator, id: made.body.data.id };
}

test('a passkey signs in the person who made it, without a name or a mail', async () => {
  const { authenticator } = await givenPasskey();
  const user = browserUserOf(stack, await signIn(authenticator.signIn(await requestOptions())));
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
  const { authenticator, id } = await givenPasskey();
  expect((await stack.call('DELETE', `${passkeys}/${id}`, undefined, owner.headers)).status).toBe(200);
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
