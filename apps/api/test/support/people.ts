import type { Answer, Stack } from './stack.ts';

/** Someone with a personal key. */
export interface Member {
  id: string;
  email: string;
  headers: { 'x-api-key': string };
}

/** A new member of the stack's workspace or of another one, invited by its key, who has accepted. */
export async function givenMember(
  stack: Stack,
  email: string,
  role = 'editor',
  { id, key } = stack.home,
): Promise<Member> {
  const person = { email, role };
  const invited = await stack.post(`/api/v1/workspaces/${id}/invitations`, person, { 'x-api-key': key });
  const { token } = invited.body.data;
  const joined = await stack.post('/api/v1/invitations/accept', { token }, { 'x-api-key': '' });
  const { userId, key: own } = joined.body.data;
  return { id: userId, email, headers: { 'x-api-key': own } };
}

/** What a form on the page sends. */
export async function submit(stack: Stack, link: string, answers: Record<string, string>): Promise<Answer> {
  const { pathname, search } = new URL(link);
  return stack.call('POST', pathname + search, new URLSearchParams(answers).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  });
}
