import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createOwnerLink } from '#libs/workspace/sign-in/owner-link';
import { type Answer, type Stack, until } from './stack.ts';

/** A person in a browser: the headers that it sends with each call of our pages. */
export interface BrowserUser {
  userId: string;
  sessionId: string;
  headers: Record<string, string>;
}

/** The headers of a page of the product, without a key. */
export function pageHeaders(stack: Stack): Record<string, string> {
  return { 'x-api-key': '', origin: stack.url, 'sec-fetch-site': 'same-origin', 'user-agent': chromeOnLinux };
}

export const chromeOnLinux =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36';

export const safariOnMac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15';

/** The token of the link that the operator's command prints. */
export async function ownerToken(stack: Stack): Promise<string> {
  const settings = {
    databaseDirectUrl: stack.env['DATABASE_DIRECT_URL'] ?? stack.env['DATABASE_URL'] ?? '',
    secret: stack.env['HOLDFAST_SECRET'] ?? '',
    publicUrl: stack.url,
  };
  const link = await createOwnerLink(settings, { email: stack.email });
  return parseToken(link?.url ?? '');
}

export const parseToken = (url: string): string => new URL(url).hash.replace('#token=', '');

/** The cookie of a response, as a browser sends it back. */
export function getCookie({ headers }: Answer, name = 'holdfast_session'): string {
  const cookie = headers.getSetCookie().find((one) => one.startsWith(`${name}=`));
  return cookie?.split(';')[0] ?? '';
}

/** The admin of the stack's workspace, signed in by a link. */
export async function givenOwner(stack: Stack): Promise<BrowserUser> {
  const answer = await stack.post(
    '/api/v1/sign-in/link',
    { token: await ownerToken(stack) },
    pageHeaders(stack),
  );
  return toBrowserUser(stack, answer);
}

/** The browser of the person whom a response has signed in. */
export function toBrowserUser(stack: Stack, answer: Answer): BrowserUser {
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  const { userId, sessionId } = answer.body.data;
  return { userId, sessionId, headers: { ...pageHeaders(stack), cookie: getCookie(answer) } };
}

/** A new member of the stack's workspace, signed in by an invitation. */
export async function givenSignedIn(
  stack: Stack,
  role: 'viewer' | 'editor' | 'admin',
  email = `${role}-${randomBytes(4).toString('hex')}@example.org`,
): Promise<BrowserUser> {
  const invited = await stack.post(`/api/v1/workspaces/${stack.home.id}/invitations`, { email, role });
  const { token } = invited.body.data;
  return toBrowserUser(stack, await stack.post('/api/v1/sign-in/invitation', { token }, pageHeaders(stack)));
}

/** Makes the sign-in of a session older than it may be for a change of permissions. */
export async function growOld(stack: Stack, { sessionId, headers }: BrowserUser): Promise<void> {
  const client = new pg.Client({ connectionString: stack.env['DATABASE_URL'] });
  await client.connect();
  await client.query(`update sessions set created_at = now() - interval '3 hours' where id = $1`, [
    sessionId,
  ]);
  await client.end();
  // A sign-in empties the cache in which the process knows the session as it was.
  await givenOwner(stack);
  await until(
    () =>
      stack.call('DELETE', '/api/v1/users/me/keys/key_00000000000000000000000000000000', undefined, headers),
    ({ body }) => body.code === 'SIGN_IN_AGAIN',
  );
}
