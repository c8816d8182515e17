import type { Answer, Stack } from './stack.ts';

/** A person with a personal key. */
export interface Member {
  id: string;
  email: string;
  headers: { 'x-api-key': string };
}

/** Invites a new member to the stack's workspace or to another one, and accepts the invitation. */
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

/** Submits the form of a page. */
export async function submit(stack: Stack, link: string, answers: Record<string, string>): Promise<Answer> {
  const { pathname, search } = new URL(link);
  return stack.call('POST', pathname + search, new URLSearchParams(answers).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  });
}
