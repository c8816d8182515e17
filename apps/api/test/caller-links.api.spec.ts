import pg from 'pg';
import { rpcRequest } from './support/agents.ts';
import { approval, longRest } from './support/definitions.ts';
import { givenMember, submit } from './support/people.ts';
import { givenSignedIn } from './support/sessions.ts';
import { type Answer, Stack, until } from './support/stack.ts';
import { follow } from './support/streams.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.shared();
});
afterAll(() => stack.stop());

type Paused = Awaited<ReturnType<Stack['givenPaused']>>;

/** Everything that may be read about a pause by a caller who may only read. */
async function readings(workflow: string, { executionId }: Paused, headers: Record<string, string>) {
  const paths = [
    `/api/workflows/${workflow}/paused`,
    `/api/resume/${workflow}/${executionId}`,
    `/api/v1/inbox`,
    `/api/jobs/job_${executionId.slice(5)}`,
    `/api/workflows/${workflow}/executions/${executionId}`,
  ];
  return Promise.all(paths.map((path) => stack.get(path, headers)));
}

/** The first state that the stream of a job tells. */
async function firstEvent({ executionId }: Paused, headers: Record<string, string>): Promise<string> {
  const url = `${stack.url}/api/jobs/job_${executionId.slice(5)}/events`;
  const { body } = await fetch(url, { headers });
  for await (const chunk of body ?? []) return new TextDecoder().decode(chunk);
  return '';
}

/** A new key of the workspace. */
async function givenKey(role: string) {
  const path = `/api/v1/workspaces/${stack.home.id}/keys`;
  const { id, key } = (await stack.post(path, { name: role, role })).body.data;
  return { headers: { 'x-api-key': String(key) }, revoke: () => stack.call('DELETE', `${path}/${id}`) };
}

const callers: Record<string, () => Promise<Record<string, string>>> = {
  'a key of the workspace as admin': async () => (await givenKey('admin')).headers,
  'a key of the workspace as viewer': async () => (await givenKey('viewer')).headers,
  'a personal key of an editor': async () => ({ ...(await givenMember(stack, stack.at('ed'))).headers }),
  'a personal key of a viewer': async () => ({
    ...(await givenMember(stack, stack.at('vi'), 'viewer')).headers,
  }),
  'a session of an editor': async () => (await givenSignedIn(stack, 'editor')).headers,
  'a session of a viewer': async () => (await givenSignedIn(stack, 'viewer')).headers,
};

test.each(Object.keys(callers))(
  '%s is given links everywhere if it may answer, else nowhere',
  async (kind) => {
    const headers = (await callers[kind]?.()) ?? {};
    const workflow = await stack.givenDeployed(approval);
    const paused = await stack.givenPaused(workflow, { amount: 7 });
    const timeline = await stack.get(`/api/v1/executions/${paused.executionId}/timeline`, headers);
    const page = await fetch(timeline.body.data.pageUrl);
    expect(page.status).toBe(200);
    const seen = [...(await readings(workflow, paused, headers)), timeline];
    expect(seen.map(({ status }) => status)).toEqual(seen.map(() => 200));
    const texts = [
      ...seen.map(({ body }) => JSON.stringify({ ...body.data, ...body, pageUrl: '' })),
      await firstEvent(paused, headers),
      await page.text(),
    ];
    const mayAnswer =
      (await stack.post(paused.apiUrl, { input: { approved: true } }, headers)).status !== 403;
    expect(mayAnswer).toBe(!kind.endsWith('viewer'));
    expect(texts.map((text) => /\/resume\/[^" ]*token=/.test(text))).toEqual(texts.map(() => mayAnswer));
  },
);

test('the links of a key end with the key, and those of a session with the session', async () => {
  const workflow = await stack.givenDeployed(approval);
  const paused = await stack.givenPaused(workflow, { amount: 7 });
  const key = await givenKey('editor');
  const signedIn = await givenSignedIn(stack, 'editor');
  const holders = [
    { headers: key.headers, end: key.revoke },
    {
      headers: signedIn.headers,
      end: () => stack.post('/api/v1/users/me/sign-out', {}, signedIn.headers),
    },
  ];
  for (const { headers, end } of holders) {
    const { resumeLinks } = (await readings(workflow, paused, headers))[1]?.body.pausePoints[0] ?? {};
    const timeline = await stack.get(`/api/v1/executions/${paused.executionId}/timeline`, headers);
    const urls: string[] = [resumeLinks.uiUrl, timeline.body.data.pageUrl];
    const open = () => Promise.all(urls.map(async (url) => (await fetch(url)).status));
    expect(await open()).toEqual([200, 200]);
    await end();
    await until(open, (statuses) => statuses.every((status) => status === 403));
    expect((await submit(stack, resumeLinks.uiUrl, { approved: 'true' })).status).toBe(403);
    const named = resumeLinks.uiUrl.replace(/&by=[^&]*/, '');
    expect((await submit(stack, named, { approved: 'true' })).status).toBe(403);
  }
  expect((await stack.get(`/api/jobs/job_${paused.executionId.slice(5)}`)).body.status).toBe('processing');
});

test('a link of a personal key answers no more when its person may only read', async () => {
  const workflow = await stack.givenDeployed(approval);
  const paused = await stack.givenPaused(workflow, { amount: 7 });
  const member = await givenMember(stack, stack.at('lower'));
  const seen = await readings(workflow, paused, member.headers);
  const link = seen[1]?.body.pausePoints[0].resumeLinks.uiUrl;
  await stack.call('PATCH', `/api/v1/workspaces/${stack.home.id}/members/${member.id}`, { role: 'viewer' });
  await until(
    async () => (await fetch(link)).status,
    (status) => status === 403,
  );
});

test('every stream of a key ends when the key is revoked', async () => {
  const { headers, revoke } = await givenKey('editor');
  const workflow = await stack.givenDeployed(longRest);
  const tools = [{ workflowId: workflow, name: 'rest' }];
  const server = (await stack.post('/api/v1/mcp-servers', { name: 'rests', tools })).body.data.id;
  const { jobId } = (await stack.execute(workflow, { inputs: {}, async: true })).body;
  const listen = { notifications: { toolsListChanged: true } };
  const execute = { method: 'POST', body: '{}' };
  const streams = await Promise.all([
    follow(`${stack.url}/api/v1/events?workspaceId=${stack.home.id}`, { headers }),
    follow(`${stack.url}/api/jobs/${jobId}/events`, { headers }),
    follow(`${stack.url}/api/v2/workflows/${workflow}/execute`, {
      ...execute,
      headers: { ...headers, accept: 'application/x-ndjson', 'content-type': 'application/json' },
    }),
    follow(
      `${stack.url}/api/mcp/${server}`,
      rpcRequest(headers['x-api-key'], 'subscriptions/listen', listen),
    ),
  ]);
  expect(streams.map(({ status, isOpen }) => [status, isOpen])).toEqual(streams.map(() => [200, true]));
  await revoke();
  await until(
    async () => streams.map(({ isOpen }) => isOpen),
    (open) => !open.includes(true),
  );
  for (const { text } of streams) expect(text).not.toMatch(/SERVICE_UNAVAILABLE|event: done/);
});

test('the link that an editor has read answers in the name of this editor', async () => {
  const workflow = await stack.givenDeployed(approval);
  const paused = await stack.givenPaused(workflow, { amount: 7 });
  const editor = await givenMember(stack, stack.at('editor'));
  const seen = await readings(workflow, paused, editor.headers);
  for (const { body } of seen) expect(JSON.stringify(body)).toContain(`&as=${editor.id}&by=key_`);
  const link = seen[1]?.body.pausePoints[0].resumeLinks.uiUrl;
  expect((await submit(stack, link, { approved: 'true' })).status).toBe(200);
  const { body } = await stack.get(`/api/resume/${workflow}/${paused.executionId}`);
  expect(body.queue[0].actor).toEqual({ kind: 'link', id: editor.id, name: expect.any(String) });
});

test('an answer stored for an Idempotency-Key holds no link; each caller who repeats the call gets their own', async () => {
  const workflow = await stack.givenDeployed(approval);
  const ann = await givenMember(stack, stack.at('ann'));
  const key = { 'idempotency-key': 'order-17' };
  const call = (headers: Record<string, string>) =>
    stack.execute(workflow, { inputs: { amount: 7 } }, { ...headers, ...key });
  const first = await call(ann.headers);
  const linkOf = ({ body }: Answer) => body.paused.pausePoints[0].resumeLinks.uiUrl;
  expect(linkOf(first)).toContain(`&as=${ann.id}`);
  const again = await call(ann.headers);
  expect([again.headers.get('idempotency-replayed'), linkOf(again)]).toEqual(['true', linkOf(first)]);
  const ben = await givenMember(stack, stack.at('ben'));
  for (const other of [ben.headers, {}]) {
    const refused = await call(other);
    expect(refused).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect(JSON.stringify(refused.body)).not.toContain('token=');
  }
  const owner = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
  await owner.connect();
  const { rows } = await owner.query(
    `select answer::text from idempotency_keys where key = 'order-17' and workspace_id = $1`,
    [stack.home.id],
  );
  await owner.end();
  expect(rows).toHaveLength(1);
  expect(rows[0].answer).toContain('resumeLinks');
  expect(rows[0].answer).not.toContain('token=');
});
