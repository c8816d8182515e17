import { approval } from './support/definitions.ts';
import { givenOwner } from './support/sessions.ts';
import { follow } from './support/streams.ts';
import { Stack, until } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.shared();
});
afterAll(() => stack.stop());

const followChanges = (headers: Record<string, string>) =>
  follow(`${stack.url}/api/v1/events?workspaceId=${stack.home.id}`, { headers });

const changesIn = (text: string): string[] =>
  [...text.matchAll(/^data: (.*)$/gm)].flatMap(([, data = '{}']) => JSON.parse(data).changed);
const idIn = (text: string): string => /^id: (.*)$/m.exec(text)?.[1] ?? '';

test('a stream tells that executions, pauses and settings have changed', async () => {
  const heard = await followChanges({ 'x-api-key': stack.home.key });
  await until(
    async () => idIn(heard.text),
    (id) => id !== '',
  );
  const workflow = await stack.givenDeployed(approval);
  const { apiUrl } = await stack.givenPaused(workflow, { amount: 5000 });
  await until(
    async () => changesIn(heard.text),
    (changed) => ['executions', 'pauses', 'settings'].every((part) => changed.includes(part)),
  );
  const before = heard.text.length;
  await stack.post(apiUrl, { input: { approved: true, note: 'yes' } });
  await until(
    async () => changesIn(heard.text.slice(before)),
    (changed) => changed.includes('pauses'),
  );
  heard.close();
});

test('a client that comes back with the id of its last event gets only new events', async () => {
  const first = await followChanges({ 'x-api-key': stack.home.key });
  await until(
    async () => idIn(first.text),
    (id) => id !== '',
  );
  first.close();
  const headers = { 'x-api-key': stack.home.key, 'last-event-id': idIn(first.text) };
  const second = await followChanges(headers);
  await until(
    async () => second.text,
    (text) => text !== '',
  );
  expect(second.text).toMatch(/^: nothing has changed/);
  second.close();
});

test('a stream ends when its session or its key is revoked', async () => {
  const owner = await givenOwner(stack);
  const bySession = await followChanges(owner.headers);
  const keys = `/api/v1/workspaces/${stack.home.id}/keys`;
  const { id, key } = (await stack.post(keys, { name: 'short', role: 'viewer' })).body.data;
  const byKey = await followChanges({ 'x-api-key': key });
  await stack.post('/api/v1/users/me/sign-out', {}, owner.headers);
  await stack.call('DELETE', `${keys}/${id}`);
  await until(
    async () => [bySession.isOpen, byKey.isOpen],
    (open) => !open.includes(true),
  );
});

test('a stream is opened to nobody but readers of the workspace', async () => {
  expect((await followChanges({})).status).toBe(401);
  const theirs = await stack.givenWorkspace();
  expect((await followChanges({ 'x-api-key': theirs.key })).status).toBe(404);
});
