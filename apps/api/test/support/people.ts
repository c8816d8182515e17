import pg from 'pg';
import { keyedHash } from '#libs/secrets/crypto';
import { hintOfKey, mintKey } from '#libs/auth/keys.format';
import { newId } from '#libs/ids/ids';
import type { Answer, Stack } from './stack.ts';

/** Someone with a personal key. */
export interface Member {
  id: string;
  email: string;
  headers: { 'x-api-key': string };
}

/** A member of the stack's workspace. Nobody can be given a first personal key over the API, so its row is written here. */
export async function givenMember(stack: Stack, email: string, role = 'editor'): Promise<Member> {
  const added = await stack.post(`/api/v1/workspaces/${stack.home.id}/members`, { email, role });
  const id: string = added.body.data.userId;
  const key = mintKey('personal');
  const client = new pg.Client({
    connectionString: stack.env.DATABASE_URL,
    options: '-c role=holdfast_system',
  });
  await client.connect();
  await client.query(
    `insert into api_keys (id, user_id, kind, role, name, digest, hint, created_by) values ($1, $2, 'personal', 'admin', 'test', $3, $4, $2)`,
    [newId('key'), id, keyedHash(stack.env.HOLDFAST_SECRET ?? '', 'api-key', key), hintOfKey(key)],
  );
  await client.end();
  return { id, email, headers: { 'x-api-key': key } };
}

/** What a form on the page sends. */
export async function submit(stack: Stack, link: string, answers: Record<string, string>): Promise<Answer> {
  const { pathname, search } = new URL(link);
  return stack.call('POST', pathname + search, new URLSearchParams(answers).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  });
}
